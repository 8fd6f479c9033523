import { z } from 'zod'
import { Id, Millis, queryBool, queryRange, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'

/** A notice to the caller in the shape of a message, of which the title is shown. */
export const Message = z.strictObject({
  id: Id,
  templateNickname: z.string(),
  templateContent: z.string(),
  /** Always 1 (notice), the only type. */
  templateType: z.literal(1),
  readStatus: z.boolean(),
  readTime: Millis.nullable(),
  createTime: Millis,
})
export type Message = z.output<typeof Message>

const mine = { kind: 'json', permission: 'token', scope: 'self' } as const
const path = '/system/notify-message'

/** Messages of the compatibility API, which are the notices to the caller (wire 1.7). */
export const messages = {
  myPage: endpoint({
    ...mine,
    method: 'GET',
    path: `${path}/my-page`,
    summary: '我的站内信分页',
    summaryEn: 'Messages to me, by page',
    query: PageQuery.extend({
      readStatus: field(queryBool.optional(), '是否已读', 'Read'),
      createTime: field(queryRange.optional(), '发送时间', 'Sent'),
    }),
    data: page(Message),
  }),
  read: endpoint({
    ...mine,
    method: 'PUT',
    path: `${path}/update-read`,
    summary: '标记站内信为已读',
    summaryEn: 'Mark messages to me as read',
    query: z.strictObject({ ids: field(queryIds, '站内信编号', 'Messages') }),
    data: z.literal(true),
  }),
  readAll: endpoint({
    ...mine,
    method: 'PUT',
    path: `${path}/update-all-read`,
    summary: '标记全部站内信为已读',
    summaryEn: 'Mark every message to me as read',
    data: z.literal(true),
  }),
  unread: endpoint({
    ...mine,
    method: 'GET',
    path: `${path}/get-unread-list`,
    summary: '未读站内信',
    summaryEn: 'The latest unread messages to me',
    data: z.array(Message),
  }),
  unreadCount: endpoint({
    ...mine,
    method: 'GET',
    path: `${path}/get-unread-count`,
    summary: '未读站内信数',
    summaryEn: 'How many messages to me are unread',
    data: z.int(),
  }),
}
