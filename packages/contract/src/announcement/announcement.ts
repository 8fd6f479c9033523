import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryBool, queryDate, queryId, queryIdsUpTo, queryList } from '../codecs.ts'
import { field } from '../field.ts'
import { attachmentDrafts, attachmentList } from '../files/attachment.ts'
import { PageQuery, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'
import { announcementStates, revisionStates } from './announcement-machine.ts'

export const announcementTargets = ['ALL', 'SCOPE'] as const
export type AnnouncementTarget = (typeof announcementTargets)[number]

export const announcementViews = ['MINE', 'TO_REVIEW'] as const
export type AnnouncementView = (typeof announcementViews)[number]

/** The read state of the published edition; CHANGED: an earlier edition was read. */
export const readStates = ['UNREAD', 'CHANGED', 'READ', 'SIGNED'] as const
export type ReadState = (typeof readStates)[number]

const id = field(Id, '编号', 'Id')
const title = field(z.string(), '标题', 'Title')
const content = field(z.string(), '正文', 'Text')
const pinned = field(z.boolean(), '置顶', 'Pinned')
const needsSign = field(z.boolean(), '需要签收', 'Sign-back wanted')
const validUntil = field(Millis.nullable(), '有效至', 'Valid until')
const publishAt = field(Millis.nullable(), '定时发布', 'Publish at')
const publishedAt = field(Millis.nullable(), '发布', 'Published')
const edition = field(z.int(), '版本号', 'Edition')
const readState = field(z.enum(readStates), '阅读', 'Reading')
const deptName = field(z.string(), '发布单位', 'From')

const scopeIds = {
  deptIds: field(z.array(Id).max(200), '部门', 'Departments'),
  schoolIds: field(z.array(Id).max(200), '学校', 'Schools'),
  roleIds: field(z.array(Id).max(50), '角色', 'Roles'),
}

/** A row of the list: the fields of the table except the texts, with names and counted receipts. */
export const AnnouncementRow = z.strictObject({
  id,
  title,
  pinned,
  needsSign,
  target: field(z.enum(announcementTargets), '范围', 'For'),
  ...scopeIds,
  deptId: field(Id, '发布单位编号', 'Department id'),
  authorId: field(Id, '起草人编号', 'Author id'),
  textBy: field(Id, '改稿人编号', 'Written by'),
  writerIds: field(z.array(Id), '起草与改稿人编号', 'Written by'),
  submittedBy: field(Id.nullable(), '送审人编号', 'Submitted by'),
  reviewerId: field(Id.nullable(), '审核人编号', 'Reviewer id'),
  state: field(z.enum(announcementStates), '状态', 'State'),
  publishAt,
  publishedAt,
  validUntil,
  /** 0 before the first publication. */
  edition,
  /** Recipients in the scope whom the reader sees; `readCount` and `signedCount` are of them. */
  audience: field(z.int(), '应收', 'Addressed'),
  remindedAt: field(Millis.nullable(), '上次提醒', 'Last reminder'),
  withdrawReason: field(z.string().nullable(), '撤回原因', 'Reason of withdrawal'),
  revisionState: field(z.enum(revisionStates).nullable(), '修订', 'Revision'),
  ...auditFields,
  authorName: field(z.string(), '起草人', 'Author'),
  deptName,
  readCount: field(z.int(), '已读', 'Read'),
  signedCount: field(z.int(), '已签收', 'Signed back'),
})
export type AnnouncementRow = z.output<typeof AnnouncementRow>

export const announcementLogVerbs = [
  'create',
  'submit',
  'approve',
  'return',
  'publish',
  'publishOnTime',
  'schedule',
  'revise',
  'submitRevision',
  'approveRevision',
  'returnRevision',
  'dropRevision',
  'withdraw',
  'expire',
  'remind',
] as const
export type AnnouncementLogVerb = (typeof announcementLogVerbs)[number]

export const AnnouncementLog = z.strictObject({
  id,
  announcementId: field(Id, '公告', 'Announcement'),
  at: field(Millis, '时间', 'At'),
  /** Null: the system. */
  userId: field(Id.nullable(), '人员编号', 'Person'),
  userName: field(z.string().nullable(), '人员', 'Person'),
  userAccount: field(z.string().nullable(), '账号', 'Account'),
  verb: field(z.enum(announcementLogVerbs), '操作', 'Verb'),
  toState: field(z.enum(announcementStates), '状态', 'State'),
  edition,
  text: field(z.string().nullable(), '内容', 'Text'),
})

/** The fields that a revision changes. */
const Text = z.strictObject({
  title: field(nameText(100), '标题', 'Title'),
  content: field(z.string().min(1).max(65_535), '正文', 'Text'),
  pinned,
  validUntil,
  attachments: attachmentDrafts,
})

export const AnnouncementRevision = z.strictObject({ title, content, pinned, validUntil, attachments: attachmentList })

export const AnnouncementDetail = AnnouncementRow.extend({
  content,
  attachments: attachmentList,
  /** Recipients of the scope now. */
  reach: field(z.int(), '范围人数', 'In the scope'),
  deptNames: field(z.array(z.string()), '部门', 'Departments'),
  schoolNames: field(z.array(z.string()), '学校', 'Schools'),
  roleNames: field(z.array(z.string()), '角色', 'Roles'),
  reviewerName: field(z.string().nullable(), '审核人', 'Reviewer'),
  revision: field(AnnouncementRevision.nullable(), '修订内容', 'Revision'),
  log: field(z.array(AnnouncementLog), '时间线', 'Timeline'),
})
export type AnnouncementDetail = z.output<typeof AnnouncementDetail>

export const AnnouncementDraft = Text.extend({
  needsSign,
  target: field(z.enum(announcementTargets), '范围', 'For'),
  ...scopeIds,
  publishAt,
})
export type AnnouncementDraft = z.output<typeof AnnouncementDraft>

/** Without a scope it is for all users, and needs a confirmation. */
export const AnnouncementNew = AnnouncementDraft.partial({
  pinned: true,
  needsSign: true,
  target: true,
  deptIds: true,
  schoolIds: true,
  roleIds: true,
  publishAt: true,
  validUntil: true,
})
export type AnnouncementNew = z.output<typeof AnnouncementNew>

export const RevisionDraft = Text
export type RevisionDraft = z.output<typeof RevisionDraft>

export const announcementReason = field(z.string().trim().min(1).max(500), '原因', 'Reason')

export const AnnouncementQuery = PageQuery.extend({
  view: field(z.enum(announcementViews).optional(), '视图', 'View'),
  keyword: field(keywordText(64).optional(), '标题', 'Title'),
  state: field(queryList(announcementStates).optional(), '状态', 'State'),
  pinned: field(queryBool.optional(), '置顶', 'Pinned'),
  needsSign: field(queryBool.optional(), '需签收', 'To be signed back'),
  publishedFrom: field(queryDate.optional(), '发布从', 'Published from'),
  publishedTo: field(queryDate.optional(), '发布至', 'Published to'),
  target: field(queryList(announcementTargets).optional(), '范围', 'For'),
  /** Addressed to people of this department or school, by name, through one above it, or to all. */
  reachesDeptId: field(queryId.optional(), '发给部门', 'Addressed to department'),
  reachesSchoolId: field(queryId.optional(), '发给学校', 'Addressed to school'),
  orderBy: sortable(['title', 'publishedAt', 'validUntil']),
})
export type AnnouncementQuery = z.output<typeof AnnouncementQuery>

/** The recipients of a scope. */
export const AudienceQuery = z.strictObject({
  target: field(z.enum(announcementTargets), '范围', 'For'),
  deptIds: field(queryIdsUpTo(200).optional(), '部门', 'Departments'),
  schoolIds: field(queryIdsUpTo(200).optional(), '学校', 'Schools'),
  roleIds: field(queryIdsUpTo(50).optional(), '角色', 'Roles'),
})
export type AudienceQuery = z.output<typeof AudienceQuery>

export const ScopeCount = z.strictObject({
  people: field(z.int(), '人数', 'People'),
  withoutMobile: field(z.int(), '没有手机', 'Without a mobile number'),
})
export type ScopeCount = z.output<typeof ScopeCount>

/** A recipient, if the calling user can see the person. */
export const ReceiptRow = z.strictObject({
  userId: field(Id, '人员编号', 'Person id'),
  nickname: field(z.string(), '姓名', 'Name'),
  deptName: field(z.string(), '部门', 'Department'),
  readState,
  readAt: field(Millis.nullable(), '阅读时间', 'Read at'),
  signedAt: field(Millis.nullable(), '签收时间', 'Signed back at'),
})
export type ReceiptRow = z.output<typeof ReceiptRow>

export const ReceiptQuery = PageQuery.extend({
  id: field(queryId, '公告', 'Announcement'),
  readState: field(queryList(readStates).optional(), '阅读', 'Reading'),
  keyword: field(keywordText(64).optional(), '姓名或部门', 'Name or department'),
  orderBy: sortable(['nickname', 'deptName', 'readAt', 'signedAt']),
})
export type ReceiptQuery = z.output<typeof ReceiptQuery>

/** Receipts of one department. */
export const ReceiptSummary = z.strictObject({
  deptId: field(Id, '部门编号', 'Department id'),
  deptName: field(z.string(), '部门', 'Department'),
  people: field(z.int(), '应收', 'Addressed'),
  read: field(z.int(), '已读', 'Read'),
  signed: field(z.int(), '已签收', 'Signed back'),
})
export type ReceiptSummary = z.output<typeof ReceiptSummary>

export const MyAnnouncementRow = z.strictObject({
  id,
  title,
  pinned,
  needsSign,
  deptName,
  publishedAt,
  validUntil,
  edition,
  readState,
})
export type MyAnnouncementRow = z.output<typeof MyAnnouncementRow>

/** A block of the text, at the top level of its HTML. */
const Block = z.strictObject({
  html: field(z.string(), '内容', 'Text'),
  isChanged: field(z.boolean(), '有改动', 'Changed'),
})

export const MyAnnouncementDetail = MyAnnouncementRow.extend({
  blocks: field(z.array(Block), '正文', 'Text'),
  attachments: attachmentList,
  /** Changes since the edition that the reader read before; null without one. */
  changeCount: field(z.int().nullable(), '改动', 'Changes'),
  readAt: field(Millis.nullable(), '阅读时间', 'Read at'),
  signedAt: field(Millis.nullable(), '签收时间', 'Signed back at'),
})
export type MyAnnouncementDetail = z.output<typeof MyAnnouncementDetail>

export const MyAnnouncementQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '标题', 'Title'),
  /** Not read, or changed since. */
  unread: field(queryBool.optional(), '未读', 'Unread'),
  unsigned: field(queryBool.optional(), '待签收', 'To sign back'),
  orderBy: sortable(['title', 'publishedAt', 'validUntil']),
})
export type MyAnnouncementQuery = z.output<typeof MyAnnouncementQuery>
