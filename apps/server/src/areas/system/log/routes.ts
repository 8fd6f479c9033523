import { auditLogs } from '@tocsin/contract/system/log/audit-log'
import { loginLogs } from '@tocsin/contract/system/log/login-log'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { audit } from '../audit.ts'
import { auditPage, exportAudit, getAudit } from './audit-log.ts'
import { exportLogins, loginPage } from './login-log.ts'

export const logRoutes = ({ db }: { db: Db }): Route[] => [
  route(loginLogs.page, ({ query, actor }) => loginPage(db, actor, query)),
  route(loginLogs.export, async ({ query, actor, origin }) => {
    const file = await exportLogins(db, actor, query)
    await audit(db, { actor, origin, action: 'system:login-log:export' })
    return file
  }),
  route(auditLogs.page, ({ query, actor }) => auditPage(db, actor, query)),
  route(auditLogs.get, ({ query, actor, origin }) => getAudit(db, query.id, { actor, origin })),
  route(auditLogs.export, async ({ query, actor, origin }) => {
    const file = await exportAudit(db, actor, query)
    await audit(db, { actor, origin, action: 'system:operate-log:export' })
    return file
  }),
]
