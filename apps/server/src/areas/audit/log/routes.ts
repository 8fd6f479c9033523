import { auditLogs } from '@tocsin/contract/audit/audit-log'
import { loginLogs } from '@tocsin/contract/audit/login-log'
import { localStamp } from '@tocsin/contract/time-zone'
import { type LogItem, logsV1 } from '@tocsin/contract/compat/log'
import { type AuditLogRow } from '@tocsin/contract/audit/audit-log'
import { parseUserAgent } from '@tocsin/contract/audit/user-agent'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportRoutes } from '../export-routes.ts'
import { auditDetailRead } from '../access-audit.ts'
import { auditLogExporter } from './audit-export.ts'
import { auditPage, getAudit } from './audit-log.ts'
import { loginExport, loginPage } from './login-log.ts'
import { builtInRegions, type RegionOf } from './region.ts'

const itemOf = (row: AuditLogRow): LogItem => {
  const { browser = row.userAgent, system = null } = parseUserAgent(row.userAgent ?? '')
  return {
    id: row.id,
    module: row.type,
    content: row.action,
    requestUri: row.requestUrl,
    method: row.requestMethod,
    ip: row.userIp,
    region: row.region,
    browser,
    os: system,
    executionTime: row.durationMs,
    operator: row.userName,
    createTime: localStamp(row.createTime),
  }
}

type Deps = { db: Db; regionOf?: RegionOf | undefined }

export const logRoutes = ({ db, regionOf = builtInRegions }: Deps): Route[] => [
  route(loginLogs.page, async ({ query, actor, caller }) => {
    const page = await loginPage(db, { actor, query, regionOf })
    const ids = page.list.map(({ id }) => id)
    await auditDetailRead(db, caller, { of: loginLogs.page, subject: 'login_log', filter: query, ids })
    return page
  }),
  ...exportRoutes(db, loginExport(regionOf)),
  route(auditLogs.page, ({ query, actor }) => auditPage(db, { actor, query, regionOf })),
  route(logsV1.page, async ({ query, actor }) => {
    const { list, ...counted } = await auditPage(db, { actor, query, regionOf })
    return { list: list.map(itemOf), ...counted }
  }),
  route(auditLogs.get, ({ query: { id }, caller }) => getAudit(db, { id, who: caller, regionOf })),
  ...exportRoutes(db, auditLogExporter(regionOf)),
]
