import { localStamp } from '@tocsin/contract/time-zone'
import { type DeptForm, type DeptNode, deptsV1 } from '@tocsin/contract/compat/dept'
import type { MenuOption } from '@tocsin/contract/compat/menu'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import type { DeptRow } from '@tocsin/contract/access/dept'
import { createDept, deleteDepts, updateDept } from './change.ts'
import { deptList, deptOptions, getDept } from './read.ts'

type Placed = { id: number; parentId: number | null }

/** Rows as a tree in the given order; a row whose parent the reader cannot see stands at the top level. */
const treeOf = <R extends Placed, N>(rows: readonly R[], node: (row: R, children: N[]) => N): N[] => {
  const seen = new Set(rows.map(({ id }) => id))
  const byParent = Map.groupBy(rows, ({ parentId }) => (parentId !== null && seen.has(parentId) ? parentId : null))
  const below = (parentId: number | null): N[] => (byParent.get(parentId) ?? []).map((row) => node(row, below(row.id)))
  return below(null)
}

const some = <N>(children: N[]) => (children.length > 0 ? { children } : {})

const formOf = ({ id, parentId, name, code, sort, status }: DeptRow): DeptForm => ({
  id,
  parentId,
  name,
  code,
  sort,
  status,
})

/** Departments of `/api/v1` (wire 1.7): only names and shapes differ. */
export const deptRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(deptsV1.list, async ({ query: { keywords, status }, actor }) => {
    const rows = await deptList(db, { keywords, status: status === undefined ? undefined : status === '1' }, actor)
    return treeOf(
      rows,
      ({ id, parentId, name: title, code, sort, status: enabled, createTime }, children: DeptNode[]) => ({
        id,
        parentId,
        name: title,
        code,
        sort,
        status: enabled,
        createTime: localStamp(createTime),
        ...some(children),
      }),
    )
  }),
  route(deptsV1.form, async ({ params, actor }) => formOf(await getDept(db, params.id, actor))),
  route(deptsV1.create, ({ body: { id: _id, sort = 0, ...draft }, caller }) =>
    createDept(db, { ...draft, sort }, caller),
  ),
  route(deptsV1.update, async ({ params: { id }, body, caller }) => {
    await updateDept(db, { ...body, id }, caller)
    return null
  }),
  route(deptsV1.delete, async ({ params, caller }) => {
    await deleteDepts(db, params.ids, caller)
    return null
  }),
  route(deptsV1.options, async ({ actor }) =>
    treeOf(await deptOptions(db, actor), ({ id, name }, children: MenuOption[]) => ({
      value: id,
      label: name,
      ...some(children),
    })),
  ),
]
