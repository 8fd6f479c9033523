import { z } from 'zod'
import { Id, queryBool, queryId } from '../codecs.ts'
import { endpoint, type VisibilityKind } from '../endpoint.ts'
import { exportLanguage } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page } from '../page.ts'

/** Rows of one spreadsheet at most. */
export const IMPORT_ROWS = 200_000
export const IMPORT_BYTES = 30 * 1024 * 1024

/** SAME: the stored row already has these values. */
export const importVerdicts = ['CREATE', 'UPDATE', 'SAME', 'BAD'] as const
export type ImportVerdict = (typeof importVerdicts)[number]

/** Why a cell was rejected: the message of a field rule, or of a business error with its code. */
export const ImportReason = z.strictObject({
  field: z.string(),
  message: z.string(),
  messageEn: z.string(),
})
export type ImportReason = z.output<typeof ImportReason>

export const ImportRow = z.strictObject({
  /** As the spreadsheet program counts, the first row being 1. */
  line: field(z.int(), '行号', 'Line'),
  cells: field(z.record(z.string(), z.string()), '内容', 'Cells'),
  verdict: field(z.enum(importVerdicts), '结果', 'Verdict'),
  reasons: field(z.array(ImportReason), '原因', 'Reasons'),
})
export type ImportRow = z.output<typeof ImportRow>

/** What an import read, left out and filled in, so that nothing of a spreadsheet changes in silence. */
export const ImportNotes = z.strictObject({
  /** The worksheet that was read; null for text files. */
  sheet: field(z.string().nullable(), '工作表', 'Worksheet'),
  /** The row that was taken for headings. */
  headingLine: field(z.int(), '标题行', 'Heading row'),
  /** Headings, or letters of columns without one, whose cells were not read. */
  unreadColumns: field(z.array(z.string()), '未读取的列', 'Columns not read'),
  /** Values that were put into rows which left the field empty. */
  defaults: field(
    z.array(z.strictObject({ title: z.string(), titleEn: z.string(), value: z.string(), rows: z.int() })),
    '填入的默认值',
    'Defaults',
  ),
})
export type ImportNotes = z.output<typeof ImportNotes>

const id = field(Id, '任务编号', 'Job id')

/** Rows beyond the first thousand are left out; the result spreadsheet has them all. */
export const ImportAnswer = z.strictObject({
  id,
  counts: field(z.record(z.string(), z.int()), '统计', 'Counts'),
  rows: field(z.array(ImportRow), '各行', 'Rows'),
  notes: field(ImportNotes.nullable(), '说明', 'Notes'),
  /** False: it continues in the background, under the same id. */
  ended: field(z.boolean(), '是否结束', 'Ended'),
})
export type ImportAnswer = z.output<typeof ImportAnswer>

export const ImportQuery = z.strictObject({
  /** Only checks the file; `commit` writes the rows. */
  dryRun: field(queryBool.optional(), '仅校验', 'Check only'),
  /** Rows that exist already are changed; otherwise they are bad. */
  updateSupport: field(queryBool.optional(), '更新已存在的数据', 'Update what exists'),
})
export type ImportQuery = z.output<typeof ImportQuery>

export const importFiles = { file: { title: '文件', titleEn: 'File', bytes: IMPORT_BYTES } } as const

type Imported<Q extends z.ZodObject> = {
  permission: string
  scope: VisibilityKind
  /** `/school/school` gives `/school/school/import`. */
  path: `/${string}`
  alsoTemplate?: readonly { path: `/${string}` }[]
  title: string
  titleEn: string
  /** `ImportQuery`, or an extension of it with the importer's own options. */
  query: Q
}

type Call = { permission: string; scope: VisibilityKind }
type Named = Pick<Imported<z.ZodObject>, 'path' | 'title' | 'titleEn'>

const fileEndpoints = (call: Call, { path, title, titleEn }: Named) => ({
  badRows: endpoint({
    ...call,
    kind: 'file',
    method: 'GET',
    path: `${path}/import-bad-rows`,
    summary: `下载${title}导入错误行`,
    summaryEn: `${titleEn}: the bad rows as a spreadsheet with their reasons, to be corrected and sent again`,
    query: ById.extend(exportLanguage),
    data: z.null(),
  }),
  result: endpoint({
    ...call,
    kind: 'file',
    method: 'GET',
    path: `${path}/import-result`,
    summary: `下载${title}导入结果`,
    summaryEn: `${titleEn}: every row of an import with its outcome`,
    query: ById.extend(exportLanguage),
    data: z.null(),
  }),
})

/** The six calls of a spreadsheet import. */
export const importEndpoints = <Q extends z.ZodObject>({
  path,
  alsoTemplate = [],
  title,
  titleEn,
  query,
  ...call
}: Imported<Q>) => ({
  template: endpoint({
    ...call,
    permission: 'token',
    kind: 'file',
    method: 'GET',
    path: `${path}/get-import-template`,
    also: alsoTemplate,
    summary: `${title}导入模板`,
    summaryEn: `${titleEn}: template of the import, with sample rows`,
    query: z.strictObject(exportLanguage),
    data: z.null(),
  }),
  import: endpoint({
    ...call,
    kind: 'upload',
    method: 'POST',
    path: `${path}/import`,
    summary: `导入${title}`,
    summaryEn: `${titleEn}: import a spreadsheet, all good rows at once, or a check first`,
    query,
    files: importFiles,
    data: ImportAnswer,
  }),
  rows: endpoint({
    ...call,
    kind: 'json',
    method: 'GET',
    path: `${path}/import-rows`,
    summary: `${title}导入校验结果`,
    summaryEn: `${titleEn}: the checked rows of one's own import, by page`,
    query: PageQuery.extend({
      id: field(queryId, '任务编号', 'Job id'),
      onlyBad: field(queryBool.optional(), '仅错误行', 'Only bad rows'),
    }),
    data: page(ImportRow),
  }),
  commit: endpoint({
    ...call,
    kind: 'json',
    method: 'POST',
    path: `${path}/import-commit`,
    summary: `提交${title}导入`,
    summaryEn: `${titleEn}: write the rows of a checked import, all or the good ones only`,
    body: z.strictObject({ id, onlyGood: field(z.boolean(), '仅导入正确的行', 'Only good rows') }),
    data: z.literal(true),
  }),
  ...fileEndpoints(call, { path, title, titleEn }),
})
export type ImportEndpoints = Omit<ReturnType<typeof importEndpoints>, 'import'> & {
  import: Omit<ReturnType<typeof importEndpoints>['import'], 'query' | 'data'> & { query: z.ZodObject; data: z.ZodType }
}
