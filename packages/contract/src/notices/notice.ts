import { z } from 'zod'
import { Id, Millis, queryBool, queryId, queryList, queryRange } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { entityEndpoints } from '../audit/entity.ts'
import { endpoint } from '../endpoint.ts'
import { field, inDict, labelled } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { Status, StatusFilter } from '../settings/wire-codecs.ts'
import { nameText } from '../text-fields.ts'

const NOTICE_TYPE_DICT = 'system_notice_type'

export const noticeLevels = ['L', 'M', 'H'] as const
export const noticeTargets = ['ALL', 'DEPT', 'USER'] as const
export const noticeStates = ['DRAFT', 'PUBLISHED', 'REVOKED'] as const

const id = field(Id, '通知编号', 'Notice id')
const version = field(z.int(), '版本', 'Version')

export const NoticeRow = z.strictObject({
  id,
  title: field(z.string(), '通知标题', 'Title'),
  type: field(inDict(z.string(), NOTICE_TYPE_DICT), '通知类型', 'Type'),
  level: field(labelled(z.enum(noticeLevels), 'noticeLevel'), '通知等级', 'Level'),
  target: field(labelled(z.enum(noticeTargets), 'noticeTarget'), '目标类型', 'For'),
  state: field(labelled(z.enum(noticeStates), 'noticeState'), '发布状态', 'State'),
  /** Whether it is published now, as the canonical API has it (wire 11.1). */
  status: field(Status, '是否发布', 'Published'),
  publisherName: field(z.string().nullable(), '发布人', 'Published by'),
  publishedAt: field(Millis.nullable(), '发布时间', 'Published'),
  revokedAt: field(Millis.nullable(), '撤回时间', 'Revoked'),
  /** For its administrators; no reader sees it. */
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type NoticeRow = z.output<typeof NoticeRow>

export const Notice = NoticeRow.extend({
  /** HTML without scripts, external resources or positioning. */
  content: field(z.string(), '通知内容', 'Content'),
  deptIds: field(z.array(Id), '指定部门', 'Departments'),
  userIds: field(z.array(Id), '指定用户', 'People'),
})
export type Notice = z.output<typeof Notice>

export const NoticeDraft = Notice.omit({
  ...generatedColumns,
  state: true,
  status: true,
  publisherName: true,
  publishedAt: true,
  revokedAt: true,
}).extend({
  title: field(nameText(50), '通知标题', 'Title'),
  type: field(inDict(z.string().min(1).max(100), NOTICE_TYPE_DICT), '通知类型', 'Type'),
  content: field(z.string().min(1).max(65_535), '通知内容', 'Content'),
  /** Including the departments below. */
  deptIds: field(z.array(Id).max(200), '指定部门', 'Departments'),
  userIds: field(z.array(Id).max(1000), '指定用户', 'People'),
  remark: field(z.string().trim().max(500).nullable(), '备注', 'Remark'),
  /** Publishes or revokes it with the change, if the user may; absent: unchanged. */
  status: field(Status.optional(), '是否发布', 'Published'),
})
export type NoticeDraft = z.output<typeof NoticeDraft>

export const NoticeQuery = PageQuery.extend({
  title: field(z.string().max(50).optional(), '通知标题', 'Title'),
  type: field(inDict(z.string().max(100), NOTICE_TYPE_DICT).optional(), '通知类型', 'Type'),
  level: field(labelled(queryList(noticeLevels), 'noticeLevel').optional(), '通知等级', 'Level'),
  state: field(labelled(queryList(noticeStates), 'noticeState').optional(), '发布状态', 'State'),
  status: field(StatusFilter.optional(), '是否发布', 'Published'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
  orderBy: sortable(['title', 'state', 'publishedAt', 'createTime']),
})
export type NoticeQuery = z.output<typeof NoticeQuery>

/** A receiver, if the calling user can see them. */
export const NoticeReader = z.strictObject({
  userId: field(Id, '用户编号', 'User id'),
  nickname: field(z.string(), '用户昵称', 'Name'),
  deptName: field(z.string(), '部门', 'Department'),
  readAt: field(Millis.nullable(), '阅读时间', 'Read at'),
})
export type NoticeReader = z.output<typeof NoticeReader>

export const NoticeReaderQuery = PageQuery.extend({
  id: field(queryId, '通知编号', 'Notice id'),
  isRead: field(queryBool.optional(), '是否已读', 'Read'),
})
export type NoticeReaderQuery = z.output<typeof NoticeReaderQuery>

export const MyNoticeRow = NoticeRow.pick({
  id: true,
  title: true,
  type: true,
  level: true,
  publisherName: true,
  publishedAt: true,
}).extend({
  readAt: field(Millis.nullable(), '阅读时间', 'Read at'),
  /** The user's own job whose end it reports. */
  jobId: field(Id.nullable(), '任务编号', 'Job id'),
})
export type MyNoticeRow = z.output<typeof MyNoticeRow>

export const MyNoticeQuery = PageQuery.extend({
  title: field(z.string().max(50).optional(), '通知标题', 'Title'),
  isRead: field(queryBool.optional(), '是否已读', 'Read'),
  publishedAt: field(queryRange.optional(), '发布时间', 'Published'),
  orderBy: sortable(['title', 'publishedAt']),
})
export type MyNoticeQuery = z.output<typeof MyNoticeQuery>

const Transition = z.strictObject({ id, version })
const notice = (verb: string) => ({ kind: 'json', permission: `system:notice:${verb}`, scope: 'dept' }) as const
const mine = { kind: 'json', permission: 'token', scope: 'self' } as const
const done = z.literal(true)

export const notices = {
  ...entityEndpoints({
    path: '/system/notice',
    permission: 'system:notice',
    scope: 'dept',
    title: '通知',
    titleEn: 'notice',
    titlesEn: 'Notices',
    row: NoticeRow,
    detail: Notice,
    draft: NoticeDraft,
    // Without a target it is for all users.
    optional: { level: true, target: true, deptIds: true, userIds: true, remark: true },
    query: NoticeQuery,
    verbs: ['deleteList'],
  }),
  readers: endpoint({
    ...notice('query'),
    method: 'GET',
    path: '/system/notice/readers',
    summary: '通知阅读情况',
    summaryEn: 'Whom a notice reaches and who has read it, by department and name',
    query: NoticeReaderQuery,
    data: page(NoticeReader),
  }),
  publish: endpoint({
    ...notice('publish'),
    method: 'POST',
    path: '/system/notice/publish',
    summary: '发布通知',
    summaryEn: 'Publish a notice; once more after a revocation everybody has it unread',
    body: Transition,
    data: done,
  }),
  /**
   * One call of the compatibility API: publishes a draft, and pushes a published notice again. Users who may change or
   * publish may call it.
   */
  push: endpoint({
    ...notice('push'),
    method: 'POST',
    path: '/system/notice/push',
    summary: '推送通知',
    summaryEn: 'Publish a notice as it stands, or tell its receivers again',
    query: ById,
    data: done,
  }),
  revoke: endpoint({
    ...notice('revoke'),
    method: 'POST',
    path: '/system/notice/revoke',
    summary: '撤回通知',
    summaryEn: 'Take a notice back from everybody',
    body: Transition,
    data: done,
  }),
  myPage: endpoint({
    ...mine,
    method: 'GET',
    path: '/system/notice/my-page',
    summary: '我的通知分页',
    summaryEn: 'Notices to me, by page, latest first',
    query: MyNoticeQuery,
    data: page(MyNoticeRow),
  }),
  myGet: endpoint({
    ...mine,
    method: 'GET',
    path: '/system/notice/my-get',
    summary: '我的通知详情',
    summaryEn: 'One notice to me',
    query: ById,
    data: MyNoticeRow.extend({ content: Notice.shape.content }),
  }),
  unreadCount: endpoint({
    ...mine,
    method: 'GET',
    path: '/system/notice/unread-count',
    summary: '未读通知数',
    summaryEn: 'How many notices to me are unread',
    data: z.int(),
  }),
  read: endpoint({
    ...mine,
    method: 'POST',
    path: '/system/notice/read',
    summary: '标记已读',
    summaryEn: 'Mark notices to me as read',
    body: z.strictObject({ ids: field(z.array(Id).min(1).max(200), '通知编号', 'Notices') }),
    data: done,
  }),
  readAll: endpoint({
    ...mine,
    method: 'POST',
    path: '/system/notice/read-all',
    summary: '全部已读',
    summaryEn: 'Mark every notice to me as read',
    data: done,
  }),
}
