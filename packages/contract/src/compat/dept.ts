import { z } from 'zod'
import { Id } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { Flag, ParentId } from '../system/numbers.ts'
import { MenuOption } from './menu.ts'

export type DeptNode = {
  id: number
  parentId: number | null
  name: string
  sort: number
  status: boolean
  createTime: string
  children?: DeptNode[] | undefined
}
const row = { id: Id, parentId: ParentId, name: z.string(), sort: z.int(), status: Flag, createTime: z.string() }
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
  /** 1 in use, 0 not: the other way round than in the canonical calls. */
  status: field(z.enum(['0', '1']).optional(), '状态', 'Status'),
})

export const deptsV1 = {
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
