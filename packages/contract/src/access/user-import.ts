import { z } from 'zod'
import { Id, queryBool, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportLanguage } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page } from '../page.ts'

/** Rows of one sheet at most. */
export const IMPORT_ROWS = 200_000
export const IMPORT_BYTES = 30 * 1024 * 1024

/** The columns of the template, in their order, under the headings that people know (wire 1.2). */
export const UserSheetRow = z.strictObject({
  username: field(z.string(), '登录名称', 'User name'),
  nickname: field(z.string(), '用户名称', 'Name'),
  deptId: field(z.string(), '部门编号', 'Department id'),
  email: field(z.string(), '用户邮箱', 'E-mail'),
  mobile: field(z.string(), '手机号码', 'Mobile'),
  sex: field(z.string(), '用户性别', 'Sex'),
  status: field(z.string(), '账号状态', 'Status'),
  roles: field(z.string(), '角色', 'Roles'),
  remark: field(z.string(), '备注', 'Remark'),
})
export type UserSheetField = keyof z.output<typeof UserSheetRow>
export const userSheetFields = Object.keys(UserSheetRow.shape) as UserSheetField[]

/** SAME: the user is already so. */
export const importVerdicts = ['CREATE', 'UPDATE', 'SAME', 'BAD'] as const
export type ImportVerdict = (typeof importVerdicts)[number]

/** Why a cell was refused: the sentence of a field's rule, or of a refusal with its code. */
export const ImportReason = z.strictObject({
  field: z.string(),
  message: z.string(),
  messageEn: z.string(),
})
export type ImportReason = z.output<typeof ImportReason>

export const ImportRow = z.strictObject({
  /** As the spreadsheet counts, its headings being line 1. */
  line: field(z.int(), '行号', 'Line'),
  cells: field(z.record(z.string(), z.string()), '内容', 'Cells'),
  verdict: field(z.enum(importVerdicts), '结果', 'Verdict'),
  reasons: field(z.array(ImportReason), '原因', 'Reasons'),
})
export type ImportRow = z.output<typeof ImportRow>

const id = field(Id, '任务编号', 'Job id')

/** Names and rows beyond the first thousand are left out; the sheets have them all. */
export const ImportAnswer = z.strictObject({
  id,
  createUsernames: field(z.array(z.string()), '新增的用户', 'Created'),
  updateUsernames: field(z.array(z.string()), '更新的用户', 'Updated'),
  failureUsernames: field(z.record(z.string(), z.string()), '失败的用户', 'Failed'),
  /** Rows count from the first below the headings. */
  rows: field(
    z.array(
      z.strictObject({
        row: z.int(),
        username: z.string().nullable(),
        status: z.enum(importVerdicts),
        reasons: z.array(z.string()),
      }),
    ),
    '各行',
    'Rows',
  ),
  message: field(z.string(), '结果', 'Result'),
  /** False: it goes on in the background, under the same id. */
  ended: field(z.boolean(), '是否结束', 'Ended'),
})
export type ImportAnswer = z.output<typeof ImportAnswer>

const user = { permission: 'system:user:import', scope: 'dept' } as const

export const ImportQuery = z.strictObject({
  /** Only checks; the rows wait for `commit`. */
  dryRun: field(queryBool.optional(), '仅校验', 'Check only'),
  /** Users who exist already are changed; otherwise their rows are bad. */
  updateSupport: field(queryBool.optional(), '更新已存在的用户', 'Update users who exist'),
  /** Of rows that name none. */
  deptId: field(queryId.optional(), '默认部门', 'Department of rows without one'),
})
export type ImportQuery = z.output<typeof ImportQuery>

export const importFiles = { file: { title: '文件', titleEn: 'File', bytes: IMPORT_BYTES } } as const

export const userImports = {
  template: endpoint({
    ...user,
    permission: 'token',
    kind: 'file',
    method: 'GET',
    path: '/system/user/get-import-template',
    also: [{ path: '/get-import-template' }, { path: '/api/v1/users/template' }],
    summary: '用户导入模板',
    summaryEn: 'The template of a user import, with two sample rows',
    query: z.strictObject(exportLanguage),
    data: z.null(),
  }),
  import: endpoint({
    ...user,
    kind: 'upload',
    method: 'POST',
    path: '/system/user/import',
    summary: '导入用户',
    summaryEn: 'Import users from a sheet: all good rows at once, or a check first',
    query: ImportQuery,
    files: importFiles,
    data: ImportAnswer,
  }),
  rows: endpoint({
    ...user,
    kind: 'json',
    method: 'GET',
    path: '/system/user/import-rows',
    summary: '导入校验结果',
    summaryEn: "The checked rows of one's own import, by page",
    query: PageQuery.extend({
      id: field(queryId, '任务编号', 'Job id'),
      onlyBad: field(queryBool.optional(), '仅错误行', 'Only bad rows'),
    }),
    data: page(ImportRow),
  }),
  commit: endpoint({
    ...user,
    kind: 'json',
    method: 'POST',
    path: '/system/user/import-commit',
    summary: '提交导入',
    summaryEn: 'Write the rows of a checked import: all, or the good ones only',
    body: z.strictObject({ id, onlyGood: field(z.boolean(), '仅导入正确的行', 'Only good rows') }),
    data: z.literal(true),
  }),
  badRows: endpoint({
    ...user,
    kind: 'file',
    method: 'GET',
    path: '/system/user/import-bad-rows',
    summary: '下载错误行',
    summaryEn: 'The bad rows as a sheet with their reasons, to be corrected and sent again',
    query: ById.extend(exportLanguage),
    data: z.null(),
  }),
  result: endpoint({
    ...user,
    kind: 'file',
    method: 'GET',
    path: '/system/user/import-result',
    summary: '下载导入结果',
    summaryEn: 'Every row with what became of it; new users with the activation code of each',
    query: ById.extend(exportLanguage),
    data: z.null(),
  }),
}
