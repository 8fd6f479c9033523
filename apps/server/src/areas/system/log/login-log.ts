import { type Labels, wordOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import { type LoginLogQuery, LoginLogRow, loginLogs } from '@tocsin/contract/system/log/login-log'
import { auditWords } from '@tocsin/contract/system/log/words'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { pickPage } from '#db/page'
import { scoped } from '#db/scope'
import { pageOf } from '#http/window'
import { sheetColumn } from '#sheet/column'
import { keptDays, type Warns } from '../config/kept-days.ts'
import type { Exporter, Formatted, RowsQuery } from '../export/exporter.ts'
import { type Search, searchOf } from './by-part.ts'
import type { Asked, RegionOf } from './region.ts'
import { spanOf } from './span.ts'

const found = (all: AllDb, query: LoginLogQuery, { from, to, parts }: Search) => {
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
  { actor, query, regionOf }: Asked<LoginLogQuery>,
): Promise<Page<LoginLogRow>> => {
  const span = spanOf(query)
  const hits = found(scoped(db, actor), query, await searchOf(db, 'loginLog', partsIn(query), span))
  const latest = hits.select(['at', 'id']).orderBy('at', 'desc').orderBy('id', 'desc')
  const { ids, ...total } = await pickPage(db, latest, pageOf(query))
  const rows = await scoped(db, actor)
    .selectFrom('loginLog')
    .select(columns)
    .where(sql<boolean>`id = any(${ids})`)
    .where('at', '>=', span.from)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { list: rows.map(placed(regionOf)), ...total }
}

const { loginType, loginMethod, loginResult, region: regionWords } = auditWords

export const loginExport = (regionOf: RegionOf): Exporter<LoginLogQuery & Formatted, LoginLogRow, Read> => ({
  endpoints: loginLogs,
  subject: 'login_log',
  name: '登录日志',
  nameEn: 'Sign-ins',
  columns: async (_, lang) => {
    const spoken = (words: Labels<string>) => (word: string | null) => word && wordOf(words, word, lang)
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
    found(scoped(db, actor), query, await searchOf(db, 'loginLog', partsIn(query), spanOf(query)))
      .select(columns)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc') as unknown as RowsQuery<Read>,
  shown: (_, rows) => rows.map(placed(regionOf)),
})

const BATCH = 10_000

/** Sign-ins older than the configured days go, in batches, so that nobody waits; the database refuses younger ones. */
export const forgetLogins = async (db: Db, log: Warns): Promise<void> => {
  const days = await keptDays(db, 'log.login-days', log)
  for (;;) {
    const { rows } = await sql<{ gone: number }>`select age_logins(${days}, ${BATCH}) as gone`.execute(db)
    if ((rows[0]?.gone ?? 0) < BATCH) return
  }
}
