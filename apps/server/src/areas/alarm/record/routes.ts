import { warnLogs } from '@tocsin/contract/alarm/log'
import { warnRecords } from '@tocsin/contract/alarm/records'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { assignees } from './assignees.ts'
import { recordDetail } from './detail.ts'
import { exportLog, exportRecords } from './export.ts'
import { logPage } from './log-list.ts'
import { deskQueue, recordPage } from './record-list.ts'

export const recordRoutes = ({ db }: { db: Db }): Route[] => [
  route(warnRecords.page, ({ actor, query }) => recordPage(db, actor, query)),
  route(warnRecords.get, ({ actor, query }) => recordDetail(db, actor, query.id)),
  route(warnRecords.desk, ({ actor }) => deskQueue(db, actor)),
  route(warnRecords.assignees, ({ actor, query }) => assignees(db, actor, query.id)),
  route(warnRecords.export, ({ actor, query }) => exportRecords(db, actor, query)),
  route(warnLogs.page, ({ actor, query }) => logPage(db, actor, query)),
  route(warnLogs.export, ({ actor, query }) => exportLog(db, actor, query)),
]
