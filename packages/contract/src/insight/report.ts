import { z } from 'zod'
import { Day, Id, Millis, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportLanguage } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { keywordText } from '../text-fields.ts'
import { ReportFigures } from './report-figures.ts'
import { reportSubjectTypes } from './report-labels.ts'
import { reportKinds } from './report-period.ts'

const kind = field(z.enum(reportKinds), '周期', 'Period')
const subjectType = field(z.enum(reportSubjectTypes), '对象类型', 'Type of subject')
/** A school, or the department of a district or station. */
const subjectId = field(Id, '对象', 'Subject')

/** As stored, without the figures. */
export const ReportHead = z.strictObject({
  id: field(Id, '编号', 'Id'),
  kind,
  subjectType,
  subjectId,
  subjectName: field(z.string(), '对象', 'Subject'),
  fromDay: field(Day, '开始日期', 'First day'),
  toDay: field(Day, '结束日期', 'Last day'),
  figuresVersion: field(z.int().min(1), '口径版本', 'Version of figures'),
  issuedAt: field(Millis, '出具时间', 'Issued'),
  /** Null: issued by the server. */
  issuedBy: field(Id.nullable(), '出具人编号', 'Issuer id'),
})

export const ReportRow = ReportHead.extend({ issuerName: field(z.string().nullable(), '出具人', 'Issued by') })
export type ReportRow = z.output<typeof ReportRow>

export const Report = ReportRow.extend({ figures: ReportFigures })
export type Report = z.output<typeof Report>

export const ReportDraft = z.strictObject({
  kind,
  subjectType,
  subjectId,
  /** Any day of the period. */
  day: field(Day, '日期', 'Day'),
})
export type ReportDraft = z.output<typeof ReportDraft>

/** What a report may be issued about. */
export const ReportSubjectOption = z.strictObject({ id: Id, name: z.string() })
export type ReportSubjectOption = z.output<typeof ReportSubjectOption>

export const ReportQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '对象', 'Subject'),
  kind: field(queryList(reportKinds).optional(), '周期', 'Period'),
  subjectType: field(queryList(reportSubjectTypes).optional(), '对象类型', 'Type of subject'),
  /** Reports whose period contains the day. */
  day: field(Day.optional(), '包含日期', 'Contains the day'),
  orderBy: sortable(['subjectName', 'fromDay', 'issuedAt']),
})
export type ReportQuery = z.output<typeof ReportQuery>

const call = (verb: 'query' | 'create') =>
  ({ kind: 'json', permission: `insight:report:${verb}`, scope: 'school' }) as const

export const reports = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/insight/report/page',
    summary: '报表分页',
    summaryEn: 'Reports, by page',
    query: ReportQuery,
    data: page(ReportRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/insight/report/get',
    summary: '报表',
    summaryEn: 'A report',
    query: ById,
    data: Report,
  }),
  subjects: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/insight/report/subjects',
    summary: '可以出具报表的对象：其学校全部可见',
    summaryEn: 'Subjects of reports: all of their schools are visible',
    query: z.strictObject({ subjectType }),
    data: z.array(ReportSubjectOption),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/insight/report/create',
    summary: '出具报表，出具后不再变化',
    summaryEn: 'Issue a report; it never changes afterwards',
    body: ReportDraft,
    data: Id,
  }),
  export: endpoint({
    kind: 'file',
    permission: 'insight:report:export',
    scope: 'school',
    method: 'GET',
    path: '/insight/report/export',
    summary: '导出一份报表',
    summaryEn: 'A report as a workbook',
    query: ById.extend(exportLanguage),
    data: z.null(),
  }),
}

/** Reports that the user gets by mail. */
export const ReportSubscription = z.strictObject({
  id: field(Id, '编号', 'Id'),
  userId: field(Id, '用户', 'User'),
  subjectType,
  subjectId,
  kind,
  /** First day of the last period that was sent, or that had ended when the user subscribed. */
  lastDay: field(Day, '上一期', 'Last period'),
  createdAt: field(Millis, '订阅时间', 'Subscribed'),
})

export const ReportSubscriptionRow = ReportSubscription.pick({
  id: true,
  subjectType: true,
  subjectId: true,
  kind: true,
}).extend({ subjectName: field(z.string(), '对象', 'Subject') })
export type ReportSubscriptionRow = z.output<typeof ReportSubscriptionRow>

export const ReportSubscriptionDraft = ReportDraft.omit({ day: true })
export type ReportSubscriptionDraft = z.output<typeof ReportSubscriptionDraft>

const own = { kind: 'json', permission: 'insight:report:query', scope: 'self' } as const

export const reportSubscriptions = {
  mine: endpoint({
    ...own,
    method: 'GET',
    path: '/insight/report-subscription/mine',
    summary: '我的报表订阅',
    summaryEn: 'Reports that the caller gets by mail',
    data: z.array(ReportSubscriptionRow),
  }),
  create: endpoint({
    ...own,
    method: 'POST',
    path: '/insight/report-subscription/create',
    summary: '订阅报表',
    summaryEn: 'Get the reports of a subject by mail',
    body: ReportSubscriptionDraft,
    data: Id,
  }),
  delete: endpoint({
    ...own,
    method: 'DELETE',
    path: '/insight/report-subscription/delete',
    summary: '取消订阅',
    summaryEn: 'Get the reports of a subject no longer',
    query: ById,
    data: z.literal(true),
  }),
}
