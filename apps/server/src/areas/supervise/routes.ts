import { orderVerbCalls, supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createOrder, deleteDraft, updateDraft } from './order-draft.ts'
import { orderExport } from './order-export.ts'
import { listPeople, listSubjects } from './choice/order-choices.ts'
import { getOrder, orderBoard, orderPage } from './order-reads.ts'
import {
  approveExtension,
  concludeOrder,
  evaluateOrder,
  issueOrder,
  refuseExtension,
  reportProgress,
  requestExtension,
  returnOrder,
  revokeOrder,
  signOrder,
  submitOrder,
  transferOrder,
} from './order-verbs.ts'

export const superviseRoutes = ({ db }: { db: Db }): Route[] => [
  route(supervisionOrders.page, ({ query, actor }) => orderPage(db, actor, query)),
  route(supervisionOrders.get, ({ query, actor }) => getOrder(db, actor, query.id)),
  route(supervisionOrders.board, ({ actor }) => orderBoard(db, actor)),
  route(supervisionOrders.subjects, ({ query, actor }) => listSubjects(db, actor, query)),
  route(supervisionOrders.people, ({ query, actor }) => listPeople(db, actor, query)),
  route(supervisionOrders.create, ({ body, caller }) => createOrder(db, body, caller)),
  route(supervisionOrders.update, ({ body, caller }) => updateDraft(db, body, caller)),
  route(supervisionOrders.delete, ({ query, caller }) => deleteDraft(db, query.id, caller)),
  ...exportRoutes(db, orderExport),
  route(orderVerbCalls.issue, ({ body, caller }) => issueOrder(db, body, caller)),
  route(orderVerbCalls.sign, ({ body, caller }) => signOrder(db, body, caller)),
  route(orderVerbCalls.progress, ({ body, caller }) => reportProgress(db, body, caller)),
  route(orderVerbCalls.submit, ({ body, caller }) => submitOrder(db, body, caller)),
  route(orderVerbCalls.conclude, ({ body, caller }) => concludeOrder(db, body, caller)),
  route(orderVerbCalls.return, ({ body, caller }) => returnOrder(db, body, caller)),
  route(orderVerbCalls.evaluate, ({ body, caller }) => evaluateOrder(db, body, caller)),
  route(orderVerbCalls.requestExtension, ({ body, caller }) => requestExtension(db, body, caller)),
  route(orderVerbCalls.approveExtension, ({ body, caller }) => approveExtension(db, body, caller)),
  route(orderVerbCalls.refuseExtension, ({ body, caller }) => refuseExtension(db, body, caller)),
  route(orderVerbCalls.transfer, ({ body, caller }) => transferOrder(db, body, caller)),
  route(orderVerbCalls.revoke, ({ body, caller }) => revokeOrder(db, body, caller)),
]
