import { type EnumLabels, lookupLabel } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import { type LoginLogQuery, LoginLogRow, loginLogs } from '@tocsin/contract/audit/login-log'
import { auditLabels } from '@tocsin/contract/audit/audit-labels'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { logDirection, selectPageIds } from '#db/page'
import { scoped } from '#db/scope'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { retentionDays, type WarningLogger } from '#settings/log-retention'
import type { Exporter, ExportOptions, RowsQuery } from '../exporter.ts'
import { type LogSearch, planLogSearch } from './log-search.ts'
import type { LogRequest, RegionOf } from './region.ts'
import { toLogWindow } from './log-window.ts'

const found = (all: AllTablesDb, query: LoginLogQuery, { from, to, parts }: LogSearch) => {
  const { logType, status } = query
  return all
    .selectFrom('loginLog')
    .where('at', '>=', from)
    .$if(to !== undefined, (q) => q.where('at', '<=', to as Date))
    .where((eb) => eb.and(parts))
    .$if(!!logType?.length, (q) => q.where('type', 'in', logType ?? []))
    .$if(status !== undefined, (q) => q.where('result', status ? '=' : '<>', 'SUCCESS'))
}

const partsIn = ({ username, userIp: ip }: LoginLogQuery) => ({ username, ip })

const columns = [
  'id',
  'type as logType',
  'method',
  'userId',
  'username',
  'result',
  'ip as userIp',
  'userAgent',
  'traceId',
  'at as createTime',
] as const

type Read = Omit<LoginLogRow, 'region'>

const placed =
  (regionOf: RegionOf) =>
  (row: Read): LoginLogRow => ({ ...row, region: regionOf(row.userIp) })

export const loginPage = async (
  db: Db,
  { actor, query, regionOf }: LogRequest<LoginLogQuery>,
): Promise<Page<LoginLogRow>> => {
  const span = toLogWindow(query)
  const direction = logDirection(query.orderBy)
  const hits = found(scoped(db, actor), query, await planLogSearch(db, 'loginLog', partsIn(query), span))
  const ordered = hits.select(['at', 'id']).orderBy('at', direction).orderBy('id', direction)
  const { ids, ...total } = await selectPageIds(db, ordered, { ...toOffsetLimit(query), direction })
  const rows = await scoped(db, actor)
    .selectFrom('loginLog')
    .select(columns)
    .where(sql<boolean>`id = any(${ids})`)
    .where('at', '>=', span.from)
    .orderBy('at', direction)
    .orderBy('id', direction)
    .execute()
  return { list: rows.map(placed(regionOf)), ...total }
}

const { loginType, loginMethod, loginResult, region: regionWords } = auditLabels

export const loginExport = (regionOf: RegionOf): Exporter<LoginLogQuery & ExportOptions, LoginLogRow, Read> => ({
  endpoints: loginLogs,
  subject: 'login_log',
  name: '登录日志',
  nameEn: 'Sign-ins',
  columns: async (_, lang) => {
    const spoken = (words: EnumLabels<string>) => (word: string | null) => word && lookupLabel(words, word, lang)
    return [
      sheetColumn(LoginLogRow, 'id'),
      sheetColumn(LoginLogRow, 'createTime'),
      sheetColumn(LoginLogRow, 'logType', { cell: spoken(loginType) }),
      sheetColumn(LoginLogRow, 'method', { cell: spoken(loginMethod) }),
      sheetColumn(LoginLogRow, 'username'),
      sheetColumn(LoginLogRow, 'result', { cell: spoken(loginResult) }),
      sheetColumn(LoginLogRow, 'userIp'),
      sheetColumn(LoginLogRow, 'region', { cell: spoken(regionWords) }),
      sheetColumn(LoginLogRow, 'userAgent'),
      sheetColumn(LoginLogRow, 'traceId'),
    ]
  },
  rows: async (db, actor, query) =>
    found(scoped(db, actor), query, await planLogSearch(db, 'loginLog', partsIn(query), toLogWindow(query)))
      .select(columns)
      .orderBy('at', logDirection(query.orderBy))
      .orderBy('id', logDirection(query.orderBy)) as unknown as RowsQuery<Read>,
  shown: (_, rows) => rows.map(placed(regionOf)),
})

const BATCH = 10_000

/**
 * Deletes sign-ins older than the configured days, in batches, so that nothing is blocked; the database rejects
 * deleting younger rows.
 */
export const deleteOldLogins = async (db: Db, log: WarningLogger): Promise<void> => {
  const days = await retentionDays(db, 'log.login-days', log)
  for (;;) {
    const { rows } = await sql<{ gone: number }>`select age_logins(${days}, ${BATCH}) as gone`.execute(db)
    if ((rows[0]?.gone ?? 0) < BATCH) return
  }
}
