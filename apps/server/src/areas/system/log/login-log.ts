import { type Lang, wordOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import { type LoginLogQuery, LoginLogRow } from '@tocsin/contract/system/log/login-log'
import { auditWords } from '@tocsin/contract/system/log/words'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { batches, pickPage, type Place } from '#db/page'
import { everything, scoped } from '#db/scope'
import { csvFile } from '#http/csv'
import type { FileAnswer } from '#http/route'
import { pageOf } from '#http/window'
import { columnsIn, sheetColumn } from '#sheet/column'
import { LOG_DAYS_MIN } from '../config/known.ts'
import { settingOf } from '../config/value.ts'
import { type Search, searchOf } from './by-part.ts'
import type { Asked } from './region.ts'
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
  return { list: rows.map((row) => ({ ...row, region: regionOf(row.userIp) })), ...total }
}

const { loginType, loginMethod, loginResult, region: regionWords } = auditWords
const columnsOf = (lang: Lang) =>
  columnsIn(lang, [
    sheetColumn(LoginLogRow, 'id'),
    sheetColumn(LoginLogRow, 'createTime'),
    sheetColumn(LoginLogRow, 'logType', { cell: (type) => wordOf(loginType, type, lang) }),
    sheetColumn(LoginLogRow, 'method', { cell: (method) => method && wordOf(loginMethod, method, lang) }),
    sheetColumn(LoginLogRow, 'username'),
    sheetColumn(LoginLogRow, 'result', { cell: (result) => wordOf(loginResult, result, lang) }),
    sheetColumn(LoginLogRow, 'userIp'),
    sheetColumn(LoginLogRow, 'region', { cell: (region) => region && wordOf(regionWords, region, lang) }),
    sheetColumn(LoginLogRow, 'userAgent'),
    sheetColumn(LoginLogRow, 'traceId'),
  ])

type Sheet = Asked<LoginLogQuery & { lang?: Lang | undefined }>

export const exportLogins = async (db: Db, { actor, query, regionOf }: Sheet): Promise<FileAnswer> => {
  const { lang = 'zh-cn' } = query
  const search = await searchOf(db, 'loginLog', partsIn(query), spanOf(query))
  const read = async (place: Place | undefined) => {
    const rows = await found(scoped(db, actor), query, search)
      .select(columns)
      .select(sql<string>`at::text`.as('place'))
      .$if(place !== undefined, (q) =>
        q.where(sql<boolean>`(at, id) < (${place?.place}::timestamptz, ${place?.id}::bigint)`),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(1000)
      .execute()
    return rows.map((row) => ({ ...row, region: regionOf(row.userIp) }))
  }
  return csvFile<LoginLogRow>(lang === 'en' ? 'Sign-ins' : '登录日志', columnsOf(lang), batches(read))
}

const BATCH = 10_000

/** For so many days sign-ins are kept: the law's days, whatever is written. */
export const loginDays = async (db: Db): Promise<number> =>
  Math.max(LOG_DAYS_MIN, Number(await settingOf(db, 'log.login-days')) || 0)

/** Sign-ins older than the configured days go, in batches, so that nobody waits. */
export const forgetLogins = async (db: Db): Promise<void> => {
  const all = everything(db, 'logs age wherever they belong')
  const days = await loginDays(db)
  for (;;) {
    const old = all
      .selectFrom('loginLog')
      .select('id')
      .where('at', '<', sql<Date>`now() - make_interval(days => ${days})`)
      .limit(BATCH)
    const [done] = await all.deleteFrom('loginLog').where('id', 'in', old).execute()
    if (Number(done?.numDeletedRows ?? 0) < BATCH) return
  }
}
