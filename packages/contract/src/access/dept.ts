import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field, pattern } from '../field.ts'
import { ById, ByIds } from '../page.ts'
import { Move, ParentId, SORT_MAX, Status, StatusFilter } from '../settings/wire-codecs.ts'
import { Email, EmailOrMask } from './user-contact.ts'
import { nameText } from '../text-fields.ts'

/** A department of kind SCHOOL is created with its school. */
export const deptKinds = [
  'EDU_BUREAU',
  'SCHOOL',
  'POLICE_BUREAU',
  'POLICE_STATION',
  'COMMAND_CENTER',
  'OPERATOR_CO',
  'VENDOR',
] as const

const id = field(Id, '部门编号', 'Department id')
const parentId = field(ParentId, '上级部门', 'Parent')
const code = field(
  z
    .string()
    .regex(
      pattern(
        /^[A-Za-z0-9_-]{1,32}$/,
        '1 至 32 个字母、数字、- 或 _，例如 EDU-01',
        '1 to 32 letters, digits, - or _, such as EDU-01',
      ),
    )
    .nullable(),
  '部门编码',
  'Department code',
)
const leaderUserId = field(Id.nullable(), '负责人', 'Leader')

/** `phone` and `email` are often personal: masked without `system:user:reveal`. */
export const DeptRow = z.strictObject({
  id,
  name: field(z.string(), '部门名称', 'Department name'),
  nameEn: field(z.string().nullable(), '英文名称', 'English name'),
  code: field(z.string().nullable(), '部门编码', 'Department code'),
  parentId,
  kind: field(z.enum(deptKinds), '部门类型', 'Kind'),
  sort: field(z.int(), '显示排序', 'Order'),
  leaderUserId,
  /** Null also for a department that the reader cannot see. */
  leaderName: field(z.string().nullable(), '负责人', 'Leader'),
  phone: field(z.string().nullable(), '联系电话', 'Phone'),
  email: field(z.string().nullable(), '邮箱', 'E-mail'),
  status: field(Status, '状态', 'Status'),
  createTime: field(Millis, '创建时间', 'Created'),
  version: field(z.int(), '版本', 'Version'),
})
export type DeptRow = z.output<typeof DeptRow>

const phone = (form: RegExp) => z.string().max(20).regex(form).nullable()

const fields = z.strictObject({
  name: field(nameText(64), '部门名称', 'Department name'),
  /** Null: the name in both languages. */
  nameEn: field(nameText(64).nullable(), '英文名称', 'English name'),
  /** Unique code by which imports refer to departments. */
  code,
  parentId,
  /** Absent: the parent's kind, or at the top derived from the name. */
  kind: field(z.enum(deptKinds), '部门类型', 'Kind'),
  sort: field(z.int().min(0).max(SORT_MAX), '显示排序', 'Order'),
  leaderUserId,
  phone: field(phone(/^[0-9+ ()-]+$/), '联系电话', 'Phone'),
  email: field(Email.nullable(), '邮箱', 'E-mail'),
  status: field(Status, '状态', 'Status'),
})
export const DeptDraft = fields.partial({
  nameEn: true,
  code: true,
  kind: true,
  leaderUserId: true,
  phone: true,
  email: true,
  status: true,
})
export type DeptDraft = z.output<typeof DeptDraft>
/** Absent: unchanged; null: cleared; the mask of the stored value: unchanged. */
export const DeptEdit = fields
  .extend({
    phone: field(phone(/^[0-9+ ()*-]+$/), '联系电话', 'Phone'),
    email: field(EmailOrMask.nullable(), '邮箱', 'E-mail'),
    version: field(z.int(), '版本', 'Version'),
  })
  .partial()
  .extend({ id })
export type DeptEdit = z.output<typeof DeptEdit>

export const DeptQuery = z.strictObject({
  name: field(z.string().max(64).optional(), '部门名称', 'Department name'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
})
export type DeptQuery = z.output<typeof DeptQuery>

const dept = (verb: string) => ({ kind: 'json', permission: `system:dept:${verb}`, scope: 'dept' }) as const

export const depts = {
  list: endpoint({
    ...dept('query'),
    method: 'GET',
    path: '/system/dept/list',
    summary: '部门列表',
    summaryEn: 'Departments',
    query: DeptQuery,
    data: z.array(DeptRow),
  }),
  simpleList: endpoint({
    ...dept('query'),
    permission: 'token',
    method: 'GET',
    path: '/system/dept/simple-list',
    also: [{ path: '/system/dept/list-all-simple' }],
    summary: '部门选项',
    summaryEn: 'Departments to choose from',
    data: z.array(z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable(), parentId: ParentId })),
  }),
  get: endpoint({
    ...dept('query'),
    method: 'GET',
    path: '/system/dept/get',
    summary: '部门详情',
    summaryEn: 'One department',
    query: ById,
    data: DeptRow,
  }),
  create: endpoint({
    ...dept('create'),
    method: 'POST',
    path: '/system/dept/create',
    summary: '新增部门',
    summaryEn: 'Create a department',
    body: DeptDraft,
    data: Id,
  }),
  update: endpoint({
    ...dept('update'),
    method: 'PUT',
    path: '/system/dept/update',
    summary: '修改部门',
    summaryEn: 'Change a department',
    body: DeptEdit,
    row: DeptRow,
    data: z.literal(true),
  }),
  move: endpoint({
    ...dept('update'),
    method: 'PUT',
    path: '/system/dept/move',
    summary: '移动部门',
    summaryEn: 'Move a department among the others, or below another one',
    body: Move,
    data: z.literal(true),
  }),
  deleteList: endpoint({
    ...dept('delete'),
    method: 'DELETE',
    path: '/system/dept/delete-list',
    summary: '批量删除部门',
    summaryEn: 'Delete departments, all or none',
    query: ByIds,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...dept('delete'),
    method: 'DELETE',
    path: '/system/dept/delete',
    summary: '删除部门',
    summaryEn: 'Delete a department',
    query: ById,
    data: z.literal(true),
  }),
}
