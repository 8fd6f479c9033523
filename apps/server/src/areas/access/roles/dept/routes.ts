import { type DeptRow, depts } from '@tocsin/contract/access/dept'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import { hasPermission, type Route, route, type Caller } from '#http/route'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { createDept, deleteDepts, moveDept, updateDept } from './change.ts'
import { deptList, deptOptions, getDept } from './read.ts'
import { deptRoutesV1 } from './compat.ts'

type Look = { of: Endpoint; filter: Record<string, unknown>; rows: readonly DeptRow[] }

/**
 * Audits which departments' numbers and addresses were shown: they often belong to a person. A tree without any audits
 * nothing.
 */
const looked = async (db: Db, caller: Caller, { of, filter, rows }: Look) => {
  const ids = rows.filter(({ phone, email }) => phone !== null || email !== null).map(({ id }) => id)
  const action = hasPermission(caller.actor)(REVEAL_PERMISSION) ? REVEAL_PERMISSION : of.permission
  if (ids.length > 0) await auditPersonalRead(db, caller, { action, subject: 'dept', call: of.path, filter, ids })
}

export const deptRoutes = ({ db }: { db: Db }): Route[] => [
  route(depts.list, async ({ query, actor, caller }) => {
    const rows = await deptList(db, query, actor)
    await looked(db, caller, { of: depts.list, filter: query, rows })
    return rows
  }),
  route(depts.simpleList, ({ actor }) => deptOptions(db, actor)),
  route(depts.get, async ({ query, actor, caller }) => {
    const dept = await getDept(db, query.id, actor)
    await looked(db, caller, { of: depts.get, filter: query, rows: [dept] })
    return dept
  }),
  route(depts.create, ({ body, caller }) => createDept(db, body, caller)),
  route(depts.update, ({ body, caller }) => updateDept(db, body, caller)),
  route(depts.move, ({ body, caller }) => moveDept(db, body, caller)),
  route(depts.deleteList, ({ query, caller }) => deleteDepts(db, query.ids, caller)),
  route(depts.delete, ({ query, caller }) => deleteDepts(db, [query.id], caller)),
  ...deptRoutesV1({ db }),
]
