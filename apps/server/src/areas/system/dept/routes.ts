import { depts } from '@tocsin/contract/system/dept'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createDept, deleteDepts, moveDept, updateDept } from './change.ts'
import { deptList, deptOptions, getDept } from './read.ts'
import { deptRoutesV1 } from './v1.ts'

export const deptRoutes = ({ db }: { db: Db }): Route[] => [
  route(depts.list, ({ query, actor }) => deptList(db, query, actor)),
  route(depts.simpleList, ({ actor }) => deptOptions(db, actor)),
  route(depts.get, ({ query, actor }) => getDept(db, query.id, actor)),
  route(depts.create, ({ body, actor, origin }) => createDept(db, body, { actor, origin })),
  route(depts.update, ({ body, actor, origin }) => updateDept(db, body, { actor, origin })),
  route(depts.move, ({ body, actor, origin }) => moveDept(db, body, { actor, origin })),
  route(depts.deleteList, ({ query, actor, origin }) => deleteDepts(db, query.ids, { actor, origin })),
  route(depts.delete, ({ query, actor, origin }) => deleteDepts(db, [query.id], { actor, origin })),
  ...deptRoutesV1({ db }),
]
