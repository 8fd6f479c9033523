import { shifts } from '@tocsin/contract/security/shift'
import { shiftSwaps } from '@tocsin/contract/security/swap'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { copyWeek, createShift, deleteShift, fillWeek, publishWeek, standIn, updateShift } from './shift-edit.ts'
import { listFreePeople, listMyShifts, pageShifts, readCalendar, shiftExport } from './shift-reads.ts'
import { checkIn, checkOut, excuseShift } from './shift-verbs.ts'
import { answerSwap, askSwap, pageSwaps, withdrawSwap } from './swap.ts'

export const shiftRoutes = ({ db }: { db: Db }): Route[] => [
  route(shifts.page, ({ query, actor }) => pageShifts(db, actor, query)),
  route(shifts.calendar, ({ query, actor }) => readCalendar(db, actor, query)),
  route(shifts.mine, ({ actor }) => listMyShifts(db, actor)),
  route(shifts.free, ({ query, actor }) => listFreePeople(db, actor, query)),
  route(shifts.create, ({ body, caller }) => createShift(db, body, caller)),
  route(shifts.update, ({ body, caller }) => updateShift(db, body, caller)),
  route(shifts.delete, ({ query, caller }) => deleteShift(db, query.id, caller)),
  route(shifts.copyWeek, ({ body, caller }) => copyWeek(db, body, caller)),
  route(shifts.fillWeek, ({ body, caller }) => fillWeek(db, body, caller)),
  route(shifts.publish, ({ body, caller }) => publishWeek(db, body, caller)),
  route(shifts.checkIn, ({ body, caller }) => checkIn(db, body, caller)),
  route(shifts.checkOut, ({ body, caller }) => checkOut(db, body, caller)),
  route(shifts.excuse, ({ body, caller }) => excuseShift(db, body, caller)),
  route(shifts.standIn, ({ body, caller }) => standIn(db, body, caller)),
  route(shiftSwaps.page, ({ query, actor }) => pageSwaps(db, actor, query)),
  route(shiftSwaps.create, ({ body, caller }) => askSwap(db, body, caller)),
  route(shiftSwaps.answer, ({ body, caller }) => answerSwap(db, body, caller)),
  route(shiftSwaps.withdraw, ({ body, caller }) => withdrawSwap(db, body, caller)),
  ...exportRoutes(db, shiftExport),
]
