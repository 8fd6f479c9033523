import { codes } from '@tocsin/contract/codes'
import { type Lang, wordOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import { type AuditLogDetail, type AuditLogQuery, AuditLogRow, auditLogs } from '@tocsin/contract/system/log/audit-log'
import { auditWords } from '@tocsin/contract/system/log/words'
import { REVEAL } from '@tocsin/contract/system/user'
import { maskEmail, maskMobile } from '@tocsin/contract/system/user-contact'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { batches, pickPage, type Place } from '#db/page'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { csvFile } from '#http/csv'
import { Refusal } from '#http/refusal'
import { type Actor, type FileAnswer, may } from '#http/route'
import { pageOf } from '#http/window'
import { columnsIn, sheetColumn } from '#sheet/column'
import type { Who } from '../edit.ts'
import { recordReading } from '../reading.ts'
import { type Search, searchOf } from './by-part.ts'
import type { Asked, RegionOf } from './region.ts'
import { spanOf } from './span.ts'
import { seesSubject } from './subject.ts'
import { sealOf } from './verify-seals.ts'

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

type Found = AuditLogQuery & { keywords?: string | undefined }

const found = (all: AllDb, query: Found, { from, to, parts }: Search) => {
  const { userId, bizId, type, subType, action, keywords } = query
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
    .$if(!!action, (q) => q.where('action', 'ilike', like(action ?? '')))
    .$if(!!keywords, (q) =>
      q.where((eb) =>
        eb.or([eb('action', 'ilike', keyword), eb('ip', 'ilike', keyword), eb('username', 'ilike', keyword)]),
      ),
    )
}

const columns = [
  'id',
  'userId',
  'username as userName',
  'action',
  'subject',
  'subjectId as bizId',
  'result',
  'ip as userIp',
  'userAgent',
  'traceId',
  'durationMs',
  'at as createTime',
] as const

type Read = Omit<AuditLogRow, 'type' | 'subType' | 'region'>
const shownBy =
  (regionOf: RegionOf) =>
  (row: Read): AuditLogRow => {
    const cut = row.action.lastIndexOf(':')
    const [type, subType] = [row.action.slice(0, Math.max(cut, 0)), row.action.slice(cut + 1)]
    return { ...row, type, subType, region: regionOf(row.userIp) }
  }

/** A word that may stand in any of three columns is compared with every row: of a month at most, or the screen waits. */
const KEYWORD_DAYS = 31

export const auditPage = async (db: Db, { actor, query, regionOf }: Asked<Found>): Promise<Page<AuditLogRow>> => {
  const span = spanOf(query, query.keywords ? KEYWORD_DAYS : undefined)
  const hits = found(scoped(db, actor), query, await searchOf(db, 'auditLog', { username: query.userName }, span))
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

const maskOf: Record<string, (text: string) => string> = { mobile: maskMobile, email: maskEmail, phone: maskMobile }

type State = NonNullable<AuditLogDetail['before']>

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A whole number that somebody looked for in another field; with the rows it found it is somebody's. */
const soughtMobile = /(?<!\d)1[3-9]\d{9}(?!\d)/g

/** The filter of a reading lies one level deeper than the columns of a row. */
const maskedState = (state: State, sought = false): State =>
  Object.fromEntries(
    Object.entries(state).map(([key, value]) => {
      if (isState(value)) return [key, maskedState(value, true)]
      if (typeof value !== 'string') return [key, value]
      const mask = maskOf[key]
      return [key, mask ? mask(value) : sought ? value.replaceAll(soughtMobile, maskMobile) : value]
    }),
  )

/** Whether it shows contact data in the clear. */
const reveals = (actor: Actor, state: Row<'auditLog'>['before']): boolean =>
  may(actor)(REVEAL) && isState(state) && JSON.stringify(maskedState(state)) !== JSON.stringify(state)

/** A row as it was, with contact data masked for whoever may not see it. */
const stateFor = (actor: Actor, state: Row<'auditLog'>['before']): AuditLogDetail['before'] =>
  isState(state) ? (may(actor)(REVEAL) ? state : maskedState(state)) : null

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
  const { hash, before: _before, after: _after, ...rest } = row
  const withheld = !(await seesSubject(db, actor, { ...row, subjectId: row.bizId }))
  const { before, after } = withheld ? { before: null, after: null } : row
  if (reveals(actor, before) || reveals(actor, after))
    await recordReading(db, who, {
      action: REVEAL,
      subject: 'audit_log',
      call: auditLogs.get.path,
      filter: { id },
      ids: [id],
    })
  return {
    ...shownBy(regionOf)(rest),
    before: stateFor(actor, before),
    after: stateFor(actor, after),
    withheld,
    hash: hash.toString('hex'),
    ...sealed,
  }
}

const { auditModule, auditVerb, auditSubject, region: regionWords } = auditWords
/** In words, and the action as it is written, which says it exactly. */
const columnsOf = (lang: Lang) =>
  columnsIn(lang, [
    sheetColumn(AuditLogRow, 'id'),
    sheetColumn(AuditLogRow, 'createTime'),
    sheetColumn(AuditLogRow, 'userName'),
    sheetColumn(AuditLogRow, 'type', { cell: (type) => wordOf(auditModule, type, lang) }),
    sheetColumn(AuditLogRow, 'subType', { cell: (verb) => wordOf(auditVerb, verb, lang) }),
    sheetColumn(AuditLogRow, 'action'),
    sheetColumn(AuditLogRow, 'subject', { cell: (subject) => subject && wordOf(auditSubject, subject, lang) }),
    sheetColumn(AuditLogRow, 'bizId'),
    sheetColumn(AuditLogRow, 'result'),
    sheetColumn(AuditLogRow, 'userIp'),
    sheetColumn(AuditLogRow, 'region', { cell: (region) => region && wordOf(regionWords, region, lang) }),
    sheetColumn(AuditLogRow, 'userAgent'),
    sheetColumn(AuditLogRow, 'traceId'),
    sheetColumn(AuditLogRow, 'durationMs'),
  ])

type Sheet = Asked<AuditLogQuery & { lang?: Lang | undefined }>

export const exportAudit = async (db: Db, { actor, query, regionOf }: Sheet): Promise<FileAnswer> => {
  const { lang = 'zh-cn' } = query
  const search = await searchOf(db, 'auditLog', { username: query.userName }, spanOf(query))
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
    return rows.map((row) => ({ ...shownBy(regionOf)(row), place: row.place }))
  }
  return csvFile<AuditLogRow>(lang === 'en' ? 'Operations' : '操作日志', columnsOf(lang), batches(read))
}
