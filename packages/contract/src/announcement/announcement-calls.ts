import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, page } from '../page.ts'
import {
  AnnouncementDetail,
  AnnouncementDraft,
  AnnouncementNew,
  AnnouncementQuery,
  announcementReason,
  AnnouncementRow,
  ScopeCount,
  AudienceQuery,
  MyAnnouncementDetail,
  MyAnnouncementQuery,
  MyAnnouncementRow,
  ReceiptQuery,
  ReceiptRow,
  ReceiptSummary,
  RevisionDraft,
} from './announcement.ts'
import { announcementMachine, type AnnouncementVerb } from './announcement-machine.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const One = z.strictObject({ id, version })
const Read = z.strictObject({ id, edition: field(z.int().min(1), '版本号', 'Edition') })
const done = z.literal(true)

const json = (verb: string) =>
  ({ kind: 'json', permission: `announcement:announcement:${verb}`, scope: 'dept' }) as const
const mine = { kind: 'json', permission: 'token', scope: 'self' } as const

const call = (verb: AnnouncementVerb, path: string) =>
  ({
    method: 'POST',
    path: `/announcement/announcement/${path}`,
    kind: 'json',
    permission: announcementMachine[verb].permission,
    scope: 'dept',
    data: done,
  }) as const

export const announcements = {
  page: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/announcement/announcement/page',
    summary: '公告分页',
    summaryEn: 'Announcements of the departments in sight, by page, latest first',
    query: AnnouncementQuery,
    data: page(AnnouncementRow),
  }),
  get: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/announcement/announcement/get',
    summary: '公告详情',
    summaryEn: 'One announcement with its timeline and a revision in progress',
    query: ById,
    data: AnnouncementDetail,
  }),
  audience: endpoint({
    ...json('update'),
    method: 'GET',
    path: '/announcement/announcement/audience',
    summary: '公告范围人数',
    summaryEn: 'How many people a scope reaches, and how many of them have no mobile number',
    query: AudienceQuery,
    data: ScopeCount,
  }),
  receipts: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/announcement/announcement/receipts',
    summary: '公告回执',
    summaryEn: 'Who has read and signed back, unread first, by department and name',
    query: ReceiptQuery,
    data: page(ReceiptRow),
  }),
  receiptSummary: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/announcement/announcement/receipt-summary',
    summary: '公告回执汇总',
    summaryEn: 'Receipts by department, most unread first',
    query: ById,
    data: z.array(ReceiptSummary),
  }),
  create: endpoint({
    ...json('create'),
    method: 'POST',
    path: '/announcement/announcement/create',
    summary: '新增公告草稿',
    summaryEn: 'Write an announcement, not yet submitted',
    body: AnnouncementNew,
    data: Id,
  }),
  update: endpoint({
    ...json('update'),
    method: 'PUT',
    path: '/announcement/announcement/update',
    summary: '修改公告草稿',
    summaryEn: 'Change an announcement that is a draft',
    body: AnnouncementDraft.partial().extend({ id, version }),
    data: done,
  }),
  delete: endpoint({
    ...json('update'),
    method: 'DELETE',
    path: '/announcement/announcement/delete',
    summary: '删除公告草稿',
    summaryEn: 'Delete an announcement that is a draft',
    query: ById,
    data: done,
  }),
  remind: endpoint({
    ...json('publish'),
    method: 'POST',
    path: '/announcement/announcement/remind',
    summary: '提醒未读',
    summaryEn: 'Remind everybody who has not read or signed back, once a day; answers how many',
    body: One,
    data: z.int(),
  }),
  ...exportEndpoints({
    path: '/announcement/announcement',
    permission: 'announcement:announcement:export',
    scope: 'dept',
    title: '公告',
    titleEn: 'Announcements',
    query: AnnouncementQuery,
  }),
}

export const announcementReceipts = exportEndpoints({
  path: '/announcement/receipt',
  permission: 'announcement:announcement:export',
  scope: 'dept',
  title: '公告回执',
  titleEn: 'Receipts of an announcement',
  query: ReceiptQuery,
})

/** The verbs of `announcementMachine`. */
export const announcementVerbCalls = {
  submit: endpoint({ ...call('submit', 'submit'), summary: '送审', summaryEn: 'Submit for review', body: One }),
  approve: endpoint({
    ...call('approve', 'approve'),
    summary: '审核通过',
    summaryEn: 'Approve: published at once, or at the chosen time',
    body: One,
  }),
  return: endpoint({
    ...call('return', 'return'),
    summary: '退回修改',
    summaryEn: 'Send back',
    body: One.extend({ reason: announcementReason }),
  }),
  publish: endpoint({ ...call('publish', 'publish'), summary: '立即发布', summaryEn: 'Publish now', body: One }),
  schedule: endpoint({
    ...call('schedule', 'schedule'),
    summary: '改定发布时间',
    summaryEn: 'Change the time of publication',
    body: One.extend({ publishAt: field(Millis, '定时发布', 'Publish at') }),
  }),
  revise: endpoint({
    ...call('revise', 'revise'),
    summary: '修订已发布的公告',
    summaryEn: 'Write the next edition; readers see the last one until it is approved',
    body: RevisionDraft.extend({ id, version }),
  }),
  submitRevision: endpoint({
    ...call('submitRevision', 'submit-revision'),
    summary: '修订送审',
    summaryEn: 'Submit the revision',
    body: One,
  }),
  approveRevision: endpoint({
    ...call('approveRevision', 'approve-revision'),
    summary: '通过修订',
    summaryEn: 'Approve the revision, which is published at once',
    body: One,
  }),
  returnRevision: endpoint({
    ...call('returnRevision', 'return-revision'),
    summary: '退回修订',
    summaryEn: 'Send the revision back',
    body: One.extend({ reason: announcementReason }),
  }),
  dropRevision: endpoint({
    ...call('dropRevision', 'drop-revision'),
    summary: '放弃修订',
    summaryEn: 'Drop the revision',
    body: One,
  }),
  withdraw: endpoint({
    ...call('withdraw', 'withdraw'),
    summary: '撤回公告',
    summaryEn: 'Withdraw it from everybody',
    body: One.extend({ reason: announcementReason }),
  }),
}

/** Announcements addressed to the caller. */
export const myAnnouncements = {
  page: endpoint({
    ...mine,
    method: 'GET',
    path: '/announcement/mine',
    summary: '我的公告分页',
    summaryEn: 'Published announcements to me, pinned ones first, then latest first',
    query: MyAnnouncementQuery,
    data: page(MyAnnouncementRow),
  }),
  get: endpoint({
    ...mine,
    method: 'GET',
    path: '/announcement/mine/get',
    summary: '我的公告详情',
    summaryEn: 'One announcement to me, with what changed since I read it',
    query: ById,
    data: MyAnnouncementDetail,
  }),
  read: endpoint({
    ...mine,
    method: 'POST',
    path: '/announcement/mine/read',
    summary: '标记公告已读',
    summaryEn: 'Mark an edition as read by me',
    body: Read,
    data: done,
  }),
  sign: endpoint({
    ...mine,
    method: 'POST',
    path: '/announcement/mine/sign',
    summary: '签收公告',
    summaryEn: 'Sign the published edition back',
    body: Read,
    data: done,
  }),
}
