import { handovers } from '@tocsin/contract/security/handover'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { listHandoverUnits, listSeats } from './handover-reads.ts'
import { getHandover, handoverExport, pageHandovers } from './handover-rows.ts'
import { cancelHandover, createHandover, giveHandover, noteHandover, takeHandover } from './handover-verbs.ts'

export const handoverRoutes = ({ db }: { db: Db }): Route[] => [
  route(handovers.page, ({ query, actor }) => pageHandovers(db, actor, query)),
  route(handovers.get, ({ query, actor }) => getHandover(db, actor, query.id)),
  route(handovers.units, ({ actor }) => listHandoverUnits(db, actor)),
  route(handovers.seats, ({ actor }) => listSeats(db, actor)),
  route(handovers.create, ({ body, caller }) => createHandover(db, body, caller)),
  route(handovers.note, ({ body, caller }) => noteHandover(db, body, caller)),
  route(handovers.give, ({ body, caller }) => giveHandover(db, body, caller)),
  route(handovers.take, ({ body, caller }) => takeHandover(db, body, caller)),
  route(handovers.cancel, ({ body, caller }) => cancelHandover(db, body, caller)),
  ...exportRoutes(db, handoverExport),
]
