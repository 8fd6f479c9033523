import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById } from '../page.ts'
import { ImportNotes } from './import.ts'

/** READY: it waits for a decision of the user, such as a checked import. */
export const jobStates = ['QUEUED', 'RUNNING', 'READY', 'DONE', 'FAILED', 'CANCELLED'] as const
export type JobState = (typeof jobStates)[number]

/** Whether it continues without the user. */
export const isMoving = (state: JobState): boolean => state === 'QUEUED' || state === 'RUNNING'

/** The reason of the failure as a business error: the console shows it in either language. */
export const JobError = z.strictObject({
  code: z.int(),
  msg: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
export type JobError = z.output<typeof JobError>

/** What is imported, and where the import is continued. */
const ImportOfJob = z.strictObject({
  title: z.string(),
  titleEn: z.string(),
  /** The list page that opens the import by `?import=true`, for users with the permission. */
  page: z.string(),
  permission: z.string(),
  /** Of the call that starts the import; the other calls share its prefix. */
  path: z.string(),
  /** After the check. */
  notes: ImportNotes.nullable(),
})

export const JobView = z.strictObject({
  id: field(Id, '任务编号', 'Job id'),
  name: field(z.string(), '任务', 'Job'),
  /** The name of the uploaded file, or of the exported list. */
  title: field(z.string(), '名称', 'Name'),
  state: field(z.enum(jobStates), '状态', 'State'),
  done: field(z.int(), '已处理', 'Done'),
  /** Unknown until counted. */
  total: field(z.int().nullable(), '总数', 'Of'),
  /** Counts by name, for example `bad` lines of an import. */
  counts: field(z.record(z.string(), z.int()), '统计', 'Counts'),
  error: field(JobError.nullable(), '失败原因', 'Error'),
  /** The finished file, with a link valid for ten minutes. */
  url: field(z.string().nullable(), '文件', 'File'),
  import: field(ImportOfJob.nullable(), '导入', 'Import'),
  createdAt: field(Millis, '创建时间', 'Created'),
  endedAt: field(Millis.nullable(), '结束时间', 'Ended'),
})
export type JobView = z.output<typeof JobView>

const own = { kind: 'json', permission: 'token', scope: 'self' } as const

export const jobs = {
  get: endpoint({
    ...own,
    method: 'GET',
    path: '/system/job/get',
    summary: '任务详情',
    summaryEn: "One of one's own jobs",
    query: ById,
    data: JobView,
  }),
  myList: endpoint({
    ...own,
    method: 'GET',
    path: '/system/job/my-list',
    summary: '我的任务',
    summaryEn: "One's own latest jobs, newest first",
    data: z.array(JobView),
  }),
  cancel: endpoint({
    ...own,
    method: 'POST',
    path: '/system/job/cancel',
    summary: '取消任务',
    summaryEn: "Cancel one of one's own jobs; what it has done stays",
    body: z.strictObject({ id: field(Id, '任务编号', 'Job id') }),
    data: z.literal(true),
  }),
}
