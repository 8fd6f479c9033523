import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createOrder } from './create-order.ts'
import { exchangeOrderDevice } from './exchange.ts'
import { getMaintenanceFigures } from './figures.ts'
import { getOrder, listAssignees, maintenanceExport, pageOrders } from './order-reads.ts'
import { applyOrderVerb } from './order-verbs.ts'

export const maintenanceRoutes = ({ db }: { db: Db }): Route[] => [
  route(maintenanceOrders.page, ({ query, actor }) => pageOrders(db, actor, query)),
  route(maintenanceOrders.get, ({ query, actor }) => getOrder(db, actor, query.id)),
  route(maintenanceOrders.figures, ({ actor }) => getMaintenanceFigures(db, actor)),
  route(maintenanceOrders.exchange, ({ body, caller }) => exchangeOrderDevice(db, body, caller)),
  route(maintenanceOrders.assignees, ({ actor, query }) => listAssignees(db, actor, query)),
  route(maintenanceOrders.create, ({ body, caller }) => createOrder(db, body, caller)),
  route(maintenanceOrders.assign, ({ body, caller }) => applyOrderVerb(db, caller, 'assign', body)),
  route(maintenanceOrders.arrive, ({ body, caller }) => applyOrderVerb(db, caller, 'arrive', body)),
  route(maintenanceOrders.finish, ({ body, caller }) => applyOrderVerb(db, caller, 'finish', body)),
  route(maintenanceOrders.note, ({ body, caller }) => applyOrderVerb(db, caller, 'note', body)),
  route(maintenanceOrders.verify, ({ body, caller }) => applyOrderVerb(db, caller, 'verify', body)),
  route(maintenanceOrders.reopen, ({ body, caller }) => applyOrderVerb(db, caller, 'reopen', body)),
  route(maintenanceOrders.cancel, ({ body, caller }) => applyOrderVerb(db, caller, 'cancel', body)),
  ...exportRoutes(db, maintenanceExport),
]
