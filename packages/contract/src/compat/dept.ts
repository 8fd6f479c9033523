import { z } from 'zod'
import { Id, queryId, queryIds } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { DeptDraft } from '../access/dept.ts'
import { Flag, ParentId } from '../settings/wire-codecs.ts'
import { MenuOption } from './menu.ts'

export type DeptNode = {
  id: number
  parentId: number | null
  name: string
  code: string | null
  sort: number
  status: boolean
  createTime: string
  children?: DeptNode[] | undefined
}
const row = {
  id: Id,
  parentId: ParentId,
  name: z.string(),
  code: z.string().nullable(),
  sort: z.int(),
  status: Flag,
  createTime: z.string(),
}
type Sent = Omit<DeptNode, 'parentId' | 'status' | 'children'> & {
  parentId: number
  status: 0 | 1
  children?: Sent[] | undefined
}
const DeptNode: z.ZodType<DeptNode, Sent> = z.strictObject({
  ...row,
  get children() {
    return z.array(DeptNode).optional()
  },
})

const Filter = z.strictObject({
  keywords: field(z.string().max(64).optional(), '关键字', 'Keyword'),
  /** 1 enabled, 0 disabled: the opposite of the canonical calls. */
  status: field(z.enum(['0', '1']).optional(), '状态', 'Status'),
})

const id = field(Id, '部门编号', 'Department id')
export const DeptForm = z.strictObject({
  id,
  parentId: field(ParentId, '上级部门', 'Parent'),
  name: DeptDraft.shape.name,
  code: field(DeptDraft.shape.code.unwrap(), '部门编号', 'Department code'),
  sort: DeptDraft.shape.sort,
  status: field(Flag, '状态', 'Status'),
})
export type DeptForm = z.output<typeof DeptForm>
/** The form sends its id too; the id of the address is used. */
const DeptFormDraft = DeptForm.partial({ id: true, code: true, sort: true, status: true })
const DeptFormEdit = DeptForm.partial()

const params = z.strictObject({ id: field(queryId, '部门编号', 'Department id') })
const dept = (verb: string) => ({ kind: 'json', permission: `system:dept:${verb}`, scope: 'dept' }) as const

export const deptsV1 = {
  form: endpoint({
    ...dept('query'),
    method: 'GET',
    path: '/api/v1/dept/:id/form',
    summary: '部门表单',
    summaryEn: 'One department as a form',
    params,
    data: DeptForm,
  }),
  create: endpoint({
    ...dept('create'),
    method: 'POST',
    path: '/api/v1/dept',
    summary: '新增部门',
    summaryEn: 'Create a department of the kind of its parent',
    body: DeptFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...dept('update'),
    method: 'PUT',
    path: '/api/v1/dept/:id',
    summary: '修改部门',
    summaryEn: 'Change a department',
    params,
    body: DeptFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...dept('delete'),
    method: 'DELETE',
    path: '/api/v1/dept/:ids',
    summary: '删除部门',
    summaryEn: 'Delete departments with nothing below them, all or none',
    params: z.strictObject({ ids: field(queryIds, '部门编号', 'Department ids') }),
    data: z.null(),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/dept',
    kind: 'json',
    permission: 'system:dept:query',
    scope: 'dept',
    summary: '部门树',
    summaryEn: 'Departments as a tree',
    query: Filter,
    data: z.array(DeptNode),
  }),
  options: endpoint({
    method: 'GET',
    path: '/api/v1/dept/options',
    kind: 'json',
    permission: 'token',
    scope: 'dept',
    summary: '部门选项',
    summaryEn: 'Departments to choose from, as a tree',
    data: z.array(MenuOption),
  }),
}
