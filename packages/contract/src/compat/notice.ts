import { z } from 'zod'
import { Id, queryBool, queryId, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'
import { NoticeDraft } from '../notices/notice.ts'
import { Flag } from '../settings/wire-codecs.ts'

const id = field(Id, '通知编号', 'Notice id')
const title = NoticeDraft.shape.title
/** All users, or named users; chosen departments have no number here and are returned as 2 without names. */
const TargetType = z.literal([1, 2])

export const NoticeForm = z.strictObject({
  id,
  title,
  content: NoticeDraft.shape.content,
  type: NoticeDraft.shape.type,
  level: NoticeDraft.shape.level,
  targetType: field(TargetType, '目标类型', 'For'),
  targetUserIds: field(z.array(z.string().regex(/^\d{1,15}$/)).max(1000), '指定用户', 'People'),
})
export type NoticeForm = z.output<typeof NoticeForm>
/** The form sends its id too; the id of the address is used. */
const NoticeFormDraft = NoticeForm.partial({ id: true, level: true, targetUserIds: true })
export const NoticeFormEdit = NoticeForm.partial()
export type NoticeFormEdit = z.output<typeof NoticeFormEdit>

const NoticeItem = z.strictObject({
  id: Id,
  title: z.string(),
  type: z.string(),
  level: z.string(),
  targetType: TargetType,
  /** 0 draft, 1 published, -1 revoked. */
  publishStatus: z.literal([0, 1, -1]),
  publisherName: z.string().nullable(),
  publishTime: z.string().nullable(),
  revokeTime: z.string().nullable(),
  createTime: z.string(),
})
export type NoticeItem = z.output<typeof NoticeItem>

const MyNotice = NoticeItem.pick({
  id: true,
  title: true,
  type: true,
  level: true,
  publisherName: true,
  publishTime: true,
})

const params = z.strictObject({ id: field(queryId, '通知编号', 'Notice id') })
const filter = PageQuery.extend({ title: field(z.string().max(50).optional(), '通知标题', 'Title') })
const notice = (verb: string) => ({ kind: 'json', permission: `system:notice:${verb}`, scope: 'dept' }) as const
const mine = { kind: 'json', permission: 'token', scope: 'self' } as const

export const noticesV1 = {
  page: endpoint({
    ...notice('query'),
    method: 'GET',
    path: '/api/v1/notices/page',
    summary: '通知分页',
    summaryEn: 'Notices, by page',
    query: filter.extend({ publishStatus: field(z.enum(['0', '1', '-1']).optional(), '发布状态', 'State') }),
    data: page(NoticeItem),
  }),
  form: endpoint({
    ...notice('query'),
    method: 'GET',
    path: '/api/v1/notices/:id/form',
    summary: '通知表单',
    summaryEn: 'One notice as a form',
    params,
    data: NoticeForm,
  }),
  detail: endpoint({
    ...mine,
    method: 'GET',
    path: '/api/v1/notices/:id/detail',
    summary: '通知详情',
    summaryEn: 'One notice to read, which marks it as read',
    params,
    data: NoticeItem.omit({ createTime: true, targetType: true, revokeTime: true }).extend({ content: z.string() }),
  }),
  create: endpoint({
    ...notice('create'),
    method: 'POST',
    path: '/api/v1/notices',
    summary: '新增通知',
    summaryEn: 'Create a notice',
    body: NoticeFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...notice('update'),
    method: 'PUT',
    path: '/api/v1/notices/:id',
    summary: '修改通知',
    summaryEn: 'Change a notice',
    params,
    body: NoticeFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...notice('delete'),
    method: 'DELETE',
    path: '/api/v1/notices/:ids',
    summary: '删除通知',
    summaryEn: 'Delete a notice',
    params: z.strictObject({ ids: field(queryIds, '通知编号', 'Notice ids') }),
    data: z.null(),
  }),
  publish: endpoint({
    ...notice('publish'),
    method: 'PATCH',
    path: '/api/v1/notices/:id/publish',
    also: [{ method: 'PUT', path: '/api/v1/notices/:id/publish' }],
    summary: '发布通知',
    summaryEn: 'Publish a notice as it stands',
    params,
    data: z.null(),
  }),
  revoke: endpoint({
    ...notice('revoke'),
    method: 'PATCH',
    path: '/api/v1/notices/:id/revoke',
    also: [{ method: 'PUT', path: '/api/v1/notices/:id/revoke' }],
    summary: '撤回通知',
    summaryEn: 'Revoke a notice',
    params,
    data: z.null(),
  }),
  myPage: endpoint({
    ...mine,
    method: 'GET',
    path: '/api/v1/notices/my-page',
    summary: '我的通知分页',
    summaryEn: 'Notices to me, by page',
    query: filter.extend({ isRead: field(queryBool.optional(), '是否已读', 'Read') }),
    data: page(MyNotice.extend({ isRead: Flag })),
  }),
  readAll: endpoint({
    ...mine,
    method: 'PUT',
    path: '/api/v1/notices/read-all',
    summary: '全部已读',
    summaryEn: 'Mark all as read',
    data: z.null(),
  }),
}
