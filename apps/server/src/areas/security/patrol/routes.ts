import { patrols } from '@tocsin/contract/security/patrol'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createPatrol, deletePatrol, updatePatrol } from './patrol-edit.ts'
import { getPatrol, listMyRuns, listPointCodes, pagePatrols, readGrid } from './patrol-reads.ts'
import { patrolRoundExport } from './patrol-export.ts'
import { scanPoint } from './scan.ts'

export const patrolRoutes = ({ db }: { db: Db }): Route[] => [
  route(patrols.page, ({ query, actor }) => pagePatrols(db, actor, query)),
  route(patrols.get, ({ query, actor }) => getPatrol(db, actor, query.id)),
  route(patrols.grid, ({ query, actor }) => readGrid(db, actor, query)),
  route(patrols.codes, ({ query, actor }) => listPointCodes(db, actor, query.id)),
  route(patrols.create, ({ body, caller }) => createPatrol(db, body, caller)),
  route(patrols.update, ({ body, caller }) => updatePatrol(db, body, caller)),
  route(patrols.delete, ({ query, caller }) => deletePatrol(db, query.id, caller)),
  route(patrols.mine, ({ actor }) => listMyRuns(db, actor)),
  route(patrols.scan, ({ body, caller }) => scanPoint(db, body, caller)),
  ...exportRoutes(db, patrolRoundExport),
]
