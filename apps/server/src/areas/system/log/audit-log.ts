import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import {
  type AuditLogDetail,
  type AuditLogQuery,
  type AuditLogRow,
  auditLogs,
} from '@tocsin/contract/system/log/audit-log'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { pickPage } from '#db/page'
import { scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { may } from '#http/route'
import { pageOf } from '#http/window'
import type { Who } from '../edit.ts'
import { recordReading } from '../reading.ts'
import { isPersonal, outOfSight, revealOf, statesFor } from './audit-state.ts'
import { type Search, searchOf } from './by-part.ts'
import type { Asked, RegionOf } from './region.ts'
import { spanOf } from './span.ts'
import { sealOf } from './verify-seals.ts'

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The rows of a question, in whatever order. */
export const found = (all: AllDb, query: AuditLogQuery, { from, to, parts }: Search) => {
  const { userId, bizId, type, subType, action, userIp, keywords } = query
  const keyword = like(keywords ?? '')
  return all
    .selectFrom('auditLog')
    .where('at', '>=', from)
    .$if(to !== undefined, (q) => q.where('at', '<=', to as Date))
    .$if(userId !== undefined, (q) => q.where('userId', '=', userId ?? null))
    .where((eb) => eb.and(parts))
    .$if(bizId !== undefined, (q) => q.where('subjectId', '=', bizId ?? null))
    .$if(!!type, (q) => q.where('action', 'like', `${literal(type ?? '')}:%`))
    .$if(!!subType, (q) => q.where('action', 'like', `%:${literal(subType ?? '')}`))
    .$if(!!userIp, (q) => q.where('ip', 'like', `${literal(userIp ?? '')}%`))
    .$if(!!action, (q) => q.where('action', 'ilike', like(action ?? '')))
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
export const shownBy =
  (regionOf: RegionOf) =>
  (row: Read): AuditLogRow => {
    const cut = row.action.lastIndexOf(':')
    const [type, subType] = [row.action.slice(0, Math.max(cut, 0)), row.action.slice(cut + 1)]
    return { ...row, type, subType, region: regionOf(row.userIp) }
  }

/** A word that may stand in any of three columns is compared with every row: of a month at most, or the screen waits. */
const KEYWORD_DAYS = 31

export const auditSearch = (db: Db, query: AuditLogQuery): Promise<Search> => {
  const span = spanOf(query, query.keywords ? KEYWORD_DAYS : undefined)
  return searchOf(db, 'auditLog', { username: query.userName }, span)
}

export const auditPage = async (
  db: Db,
  { actor, query, regionOf }: Asked<AuditLogQuery>,
): Promise<Page<AuditLogRow>> => {
  const hits = found(scoped(db, actor), query, await auditSearch(db, query))
  const latest = hits.select(['at', 'id']).orderBy('at', 'desc').orderBy('id', 'desc')
  const { ids, ...total } = await pickPage(db, latest, pageOf(query))
  const rows = await scoped(db, actor)
    .selectFrom('auditLog')
    .select(columns)
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { list: rows.map(shownBy(regionOf)), ...total }
}

type OfOne = { id: number; who: Who; regionOf: RegionOf }
export const getAudit = async (db: Db, { id, who, regionOf }: OfOne): Promise<AuditLogDetail> => {
  const { actor } = who
  const row = await scoped(db, actor)
    .selectFrom('auditLog')
    .select(columns)
    .select(['before', 'after', 'hash'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Refusal(codes.notFound, { what: '操作日志' })
  const sealed = await sealOf(db, id)
  const { hash, before, after, ...rest } = row
  const [state = outOfSight] = await statesFor(db, actor, [{ ...row, subjectId: row.bizId }])
  const reveal = revealOf(row)
  if (may(actor)(reveal) && !state.withheld && (isPersonal(before) || isPersonal(after)))
    await recordReading(db, who, {
      action: reveal,
      subject: 'audit_log',
      call: auditLogs.get.path,
      filter: { id },
      ids: [id],
    })
  return {
    ...shownBy(regionOf)(rest),
    ...state,
    hash: hash.toString('hex'),
    ...sealed,
  }
}
