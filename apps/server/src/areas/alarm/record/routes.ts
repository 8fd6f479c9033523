import { warnLogs } from '@tocsin/contract/alarm/log'
import { warnRecords } from '@tocsin/contract/alarm/records'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { exportRecordCap } from '#areas/alarm/cap/record-cap'
import { auditPersonalRead } from '#areas/audit/access-audit'
import type { Db } from '#db/db'
import { type Route, route, type Caller } from '#http/route'
import { listAssignees } from './assignees.ts'
import { getRecordContacts } from './contacts.ts'
import { recordDetail } from './detail.ts'
import { exportLog, exportRecords } from './export.ts'
import { logPage } from './log-list.ts'
import { getDeskQueue, recordPage } from './record-list.ts'

type Taken = { of: Endpoint; subject: string; filter: Record<string, unknown> }
/** The file contains names and places, so the export is audited with its filter before it is sent. */
const taken = (db: Db, caller: Caller, { of, subject, filter }: Taken): Promise<void> =>
  auditPersonalRead(db, caller, { action: of.permission, call: of.path, subject, filter })

export const recordRoutes = ({ db }: { db: Db }): Route[] => [
  route(warnRecords.page, ({ actor, query }) => recordPage(db, actor, query)),
  route(warnRecords.get, ({ actor, query }) => recordDetail(db, actor, query.id)),
  route(warnRecords.contacts, ({ query, caller }) => getRecordContacts(db, caller, query.id)),
  route(warnRecords.desk, ({ actor }) => getDeskQueue(db, actor)),
  route(warnRecords.assignees, ({ actor, query }) => listAssignees(db, actor, query.id)),
  route(warnRecords.export, async ({ actor, query, caller }) => {
    const file = await exportRecords(db, actor, query)
    await taken(db, caller, { of: warnRecords.export, subject: 'warn_record', filter: query })
    return file
  }),
  route(warnRecords.cap, ({ query, caller }) => exportRecordCap(db, caller, query.id)),
  route(warnLogs.page, ({ actor, query }) => logPage(db, actor, query)),
  route(warnLogs.export, async ({ actor, query, caller }) => {
    const file = await exportLog(db, actor, query)
    await taken(db, caller, { of: warnLogs.export, subject: 'warn_log', filter: query })
    return file
  }),
]
