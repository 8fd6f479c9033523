import { codes } from '@tocsin/contract/codes'
import type { SituationDetail, SituationQuery } from '@tocsin/contract/police/situation'
import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { DESK_SITUATIONS, situations } from '@tocsin/contract/police/situations'
import { sql } from 'kysely'
import { withAccounts } from '#areas/alarm/record/detail'
import { auditDetailRead } from '#areas/audit/access-audit'
import { listAttachedFiles } from '#areas/files/attachments'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, hasPermission } from '#http/route'
import { toOffsetLimit, toTimeWindow } from '#http/time-window'
import {
  dueAt,
  filterSituations,
  maskReporter,
  selectSituation,
  situationOrder,
  type StoredSituation,
} from './situation-rows.ts'

export const pageSituations = async (db: Db, actor: Actor, query: SituationQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterSituations(scoped(db, actor), query, toTimeWindow(query, new Date()))
  const [list, total] = await Promise.all([
    selectSituation(found).orderBy(toOrderBy(query.orderBy, situationOrder)).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('id')),
  ])
  return { list: list.map(maskReporter), ...total }
}

/** Open incidents: overdue ones first, then by grade and age. */
export const deskSituations = async (db: Db, actor: Actor) => {
  const open = scoped(db, actor).selectFrom('policeSituation').where('state', 'in', openSituationStates)
  const [list, { now }] = await Promise.all([
    selectSituation(open)
      .orderBy(sql`coalesce(${dueAt} > now(), true)`)
      .orderBy('grade')
      .orderBy('receivedAt')
      .limit(DESK_SITUATIONS)
      .execute(),
    db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow(),
  ])
  return { now, list: list.map(maskReporter) }
}

export const findOfRecord = async (db: Db, actor: Actor, recordId: number) =>
  (await scoped(db, actor)
    .selectFrom('policeSituation')
    .select(['id', 'no'])
    .where('warnRecordId', '=', recordId)
    .executeTakeFirst()) ?? null

const loadUnits = (db: Db, { userId }: Actor, id: number) =>
  unscoped(db, 'units of an incident in sight')
    .selectFrom('assignment')
    .select(['id', 'unitId', 'responderName as unitName', 'state', 'declineReason'])
    .select(['assignedAt', 'receivedAt', 'departedAt', 'arrivedAt', 'endedAt'])
    .select(
      sql<boolean>`exists (select from police_unit_member m where m.unit_id = assignment.unit_id and m.user_id = ${userId})`.as(
        'isOwn',
      ),
    )
    .where('situationId', '=', id)
    .orderBy('id')
    .execute()

const loadLog = async (db: Db, actor: Actor, id: number) => {
  const log = await db
    .selectFrom('policeSituationLog')
    .selectAll()
    .where('situationId', '=', id)
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
  const fileOf = await listAttachedFiles(
    db,
    actor,
    log.flatMap(({ fileIds }) => fileIds),
  )
  return (await withAccounts(db, log)).map((entry) => ({
    ...entry,
    files: entry.fileIds.flatMap((file) => fileOf(file) ?? []),
  }))
}

const named = (db: Db) => unscoped(db, 'number and state of a linked incident').selectFrom('policeSituation')

const loadLinks = async (db: Db, { id, linkedId, mergedIntoId }: StoredSituation) => {
  const wanted = [linkedId, mergedIntoId].filter((item) => item !== null)
  const [rows, merged] = await Promise.all([
    wanted.length === 0 ? [] : named(db).select(['id', 'no', 'state']).where('id', 'in', wanted).execute(),
    named(db).select(['id', 'no', 'state']).where('mergedIntoId', '=', id).orderBy('id').execute(),
  ])
  const find = (value: number | null) => rows.find((row) => row.id === value) ?? null
  return { linked: find(linkedId), mergedInto: find(mergedIntoId), merged }
}

const loadContacts = async (db: Db, { schoolId, stationDeptId }: StoredSituation) => {
  const all = unscoped(db, 'school and station of an incident in sight')
  const [school, station] = await Promise.all([
    all.selectFrom('school').select(['address', 'dutyPhone']).where('id', '=', schoolId).executeTakeFirst(),
    all.selectFrom('policeStation').select('dutyPhone').where('deptId', '=', stationDeptId).executeTakeFirst(),
  ])
  return {
    address: school?.address ?? null,
    dutyPhone: school?.dutyPhone ?? null,
    stationPhone: station?.dutyPhone ?? null,
  }
}

/** Dispatched or reporting users must be able to call back; the read is audited. */
const CALL_BACK = 'police:situation:feedback'

export const getSituation = async (db: Db, caller: Caller, id: number): Promise<SituationDetail> => {
  const { actor } = caller
  const seen = scoped(db, actor).selectFrom('policeSituation').where('policeSituation.id', '=', id)
  const row = await selectSituation(seen).executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '警单' })
  const [units, log, links, contacts] = await Promise.all([
    loadUnits(db, actor, id),
    loadLog(db, actor, id),
    loadLinks(db, row),
    loadContacts(db, row),
  ])
  const isShown = row.reporterMobile !== null && hasPermission(actor)(CALL_BACK)
  if (isShown)
    await auditDetailRead(db, caller, { of: situations.get, subject: 'police_situation', filter: { id }, ids: [id] })
  return {
    ...(isShown ? row : maskReporter(row)),
    ...contacts,
    ...links,
    units: units.flatMap(({ unitId, ...unit }) => (unitId === null ? [] : { ...unit, unitId })),
    log,
  }
}
