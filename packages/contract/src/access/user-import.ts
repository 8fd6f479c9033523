import { z } from 'zod'
import { Id, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { ImportNotes, ImportQuery, importEndpoints, importVerdicts } from '../files/import.ts'
import { field } from '../field.ts'

/** The columns of the template in order, with their usual headings (wire 1.2). */
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

/** Limited to a thousand names and rows; the spreadsheets have all. */
export const UserImportAnswer = z.strictObject({
  id: field(Id, '任务编号', 'Job id'),
  createUsernames: field(z.array(z.string()), '新增的用户', 'Created'),
  updateUsernames: field(z.array(z.string()), '更新的用户', 'Updated'),
  failureUsernames: field(z.record(z.string(), z.string()), '失败的用户', 'Failed'),
  /** Row numbers start with 1 below the headings. */
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
  notes: field(ImportNotes.nullable(), '说明', 'Notes'),
  message: field(z.string(), '结果', 'Result'),
  /** False: it continues in the background, under the same id. */
  ended: field(z.boolean(), '是否结束', 'Ended'),
})
export type UserImportAnswer = z.output<typeof UserImportAnswer>

export const UserImportQuery = ImportQuery.extend({
  /** The department of rows without one. */
  deptId: field(queryId.optional(), '默认部门', 'Department of rows without one'),
})
export type UserImportQuery = z.output<typeof UserImportQuery>

const calls = importEndpoints({
  permission: 'system:user:import',
  scope: 'dept',
  path: '/system/user',
  alsoTemplate: [{ path: '/get-import-template' }, { path: '/api/v1/users/template' }],
  title: '用户',
  titleEn: 'Users',
  query: UserImportQuery,
})
export const userImports = { ...calls, import: endpoint({ ...calls.import, data: UserImportAnswer }) }
