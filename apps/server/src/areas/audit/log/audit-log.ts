import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import { type AuditLogDetail, type AuditLogQuery, type AuditLogRow, auditLogs } from '@tocsin/contract/audit/audit-log'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { logDirection, selectPageIds } from '#db/page'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { hasPermission, type Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { auditPersonalRead } from '../access-audit.ts'
import { isPersonal, withheldState, revealPermissionOf, visibleStates } from './audit-state.ts'
import { type LogSearch, planLogSearch } from './log-search.ts'
import type { LogRequest, RegionOf } from './region.ts'
import { toLogWindow } from './log-window.ts'
import { getSealStatus } from './verify-seals.ts'

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The result of an action that ended well. */
export const SUCCESS = 200

/** The rows of a query, unordered. */
export const selectAuditRows = (all: AllTablesDb, query: AuditLogQuery, { from, to, parts }: LogSearch) => {
  const { userId, bizId, type, subType, action, userIp, succeeded, keywords } = query
  const keyword = likePattern(keywords ?? '')
  return all
    .selectFrom('auditLog')
    .where('at', '>=', from)
    .$if(to !== undefined, (q) => q.where('at', '<=', to as Date))
    .$if(userId !== undefined, (q) => q.where('userId', '=', userId ?? null))
    .where((eb) => eb.and(parts))
    .$if(bizId !== undefined, (q) => q.where('subjectId', '=', bizId ?? null))
    .$if(!!type, (q) => q.where('action', 'like', `${literal(type ?? '')}:%`))
    .$if(!!subType, (q) => q.where('action', 'like', `%:${literal(subType ?? '')}`))
    .$if(succeeded !== undefined, (q) => q.where('result', succeeded ? '=' : '<>', SUCCESS))
    .$if(!!userIp, (q) => q.where('ip', 'like', `${literal(userIp ?? '')}%`))
    .$if(!!action, (q) => q.where('action', 'ilike', likePattern(action ?? '')))
    .$if(!!keywords, (q) =>
      q.where((eb) =>
        eb.or([eb('action', 'ilike', keyword), eb('ip', 'ilike', keyword), eb('username', 'ilike', keyword)]),
      ),
    )
}

export const columns = [
  'id',
  'userId',
  'username as userName',
  'action',
  'subject',
  'subjectId as bizId',
  'result',
  'ip as userIp',
  'userAgent',
  'requestMethod',
  'requestUrl',
  'traceId',
  'durationMs',
  'at as createTime',
] as const

export type Read = Omit<AuditLogRow, 'type' | 'subType' | 'region'>
export const toAuditLogRow =
  (regionOf: RegionOf) =>
  (row: Read): AuditLogRow => {
    const cut = row.action.lastIndexOf(':')
    const [type, subType] = [row.action.slice(0, Math.max(cut, 0)), row.action.slice(cut + 1)]
    return { ...row, type, subType, region: regionOf(row.userIp) }
  }

/** A keyword in any of three columns is compared with every row: limited to a month, or the screen would wait. */
const KEYWORD_DAYS = 31

export const auditSearch = (db: Db, query: AuditLogQuery): Promise<LogSearch> => {
  const span = toLogWindow(query, query.keywords ? KEYWORD_DAYS : undefined)
  return planLogSearch(db, 'auditLog', { username: query.userName }, span)
}

export const auditPage = async (
  db: Db,
  { actor, query, regionOf }: LogRequest<AuditLogQuery>,
): Promise<Page<AuditLogRow>> => {
  const direction = logDirection(query.orderBy)
  const hits = selectAuditRows(scoped(db, actor), query, await auditSearch(db, query))
  const ordered = hits.select(['at', 'id']).orderBy('at', direction).orderBy('id', direction)
  const { ids, ...total } = await selectPageIds(db, ordered, { ...toOffsetLimit(query), direction })
  const rows = await scoped(db, actor)
    .selectFrom('auditLog')
    .select(columns)
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('at', direction)
    .orderBy('id', direction)
    .execute()
  return { list: rows.map(toAuditLogRow(regionOf)), ...total }
}

type OfOne = { id: number; who: Caller; regionOf: RegionOf }
export const getAudit = async (db: Db, { id, who, regionOf }: OfOne): Promise<AuditLogDetail> => {
  const { actor } = who
  const row = await scoped(db, actor)
    .selectFrom('auditLog')
    .select(columns)
    .select(['before', 'after', 'hash'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '操作日志' })
  const sealed = await getSealStatus(db, id)
  const { hash, before, after, ...rest } = row
  const [state = withheldState] = await visibleStates(db, actor, [{ ...row, subjectId: row.bizId }])
  const reveal = revealPermissionOf(row)
  if (hasPermission(actor)(reveal) && !state.withheld && (isPersonal(before) || isPersonal(after)))
    await auditPersonalRead(db, who, {
      action: reveal,
      subject: 'audit_log',
      call: auditLogs.get.path,
      filter: { id },
      ids: [id],
    })
  return {
    ...toAuditLogRow(regionOf)(rest),
    ...state,
    hash: hash.toString('hex'),
    ...sealed,
  }
}
