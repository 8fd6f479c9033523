import { openStates } from '@tocsin/contract/alarm/state-machine'
import { openMaintenanceStates } from '@tocsin/contract/device/maintenance-machine'
import {
  type HandoverItem,
  type HandoverItemKind,
  handoverItemKinds,
  type HandoverSummary,
  MAX_HANDOVER_ITEMS,
} from '@tocsin/contract/security/handover'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { findGaps } from '../gap/find-gaps.ts'
import type { Owner } from '../owner.ts'

/** What is handed over: the rows of one school, or all that the signer sees for a department; and who leaves. */
export type HandoverScope = Owner & { giverId: number }

type Counted = { items: HandoverItem[]; count: number }

const isShelved = sql<boolean>`coalesce(warn_record.shelved_until > now(), false)`

/** Open alarms; tests and drills have owners of their own. */
const openRecords = (db: Db, actor: Actor, { schoolId }: HandoverScope) =>
  scoped(db, actor)
    .selectFrom('warnRecord')
    .where('state', 'in', [...openStates])
    .where('mode', '=', 'LIVE')
    .$if(schoolId !== null, (q) => q.where('schoolId', '=', schoolId ?? 0))

/** An alarm that nobody has, or only the person who leaves; a shelved one waits by decision of a lead. */
const needsOwner = ({ giverId }: HandoverScope) =>
  sql<boolean>`(not ${isShelved} and (warn_record.owner_id is null or warn_record.owner_id = ${giverId}))`

/** Open alarms without an owner who stays. */
export const findUnowned = async (db: Db, actor: Actor, scope: HandoverScope): Promise<string[]> => {
  const rows = await openRecords(db, actor, scope)
    .select('no')
    .where(needsOwner(scope), '=', true)
    .orderBy('receivedAt')
    .execute()
  return rows.map(({ no }) => no)
}

/**
 * Open alarms that only one user owns, shelved ones excepted. Numbers are of those in sight of the actor; the count is of
 * all, because the end of a shift leaves each of them without an owner.
 */
export const findOwned = async (
  db: Db,
  actor: Actor,
  ownerId: number,
): Promise<{ count: number; numbers: string[] }> => {
  const rows = await unscoped(db, 'alarms of the person of a shift in sight are counted')
    .selectFrom('warnRecord')
    .select(['id', 'no'])
    .where('ownerId', '=', ownerId)
    .where('state', 'in', [...openStates])
    .where('mode', '=', 'LIVE')
    .where(isShelved, '=', false)
    .orderBy('receivedAt')
    .execute()
  if (rows.length === 0) return { count: 0, numbers: [] }
  const visible = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select('id')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const seen = new Set(visible.map(({ id }) => id))
  return { count: rows.length, numbers: rows.flatMap(({ id, no }) => (seen.has(id) ? no : [])) }
}

const total = sql<number>`count(*) over ()::int`

const toCounted = (kind: HandoverItemKind, rows: readonly (Partial<HandoverItem> & FoundItem)[]): Counted => ({
  count: rows[0]?.total ?? 0,
  items: rows.map(({ total: _total, ...row }) => ({
    kind,
    refId: null,
    level: null,
    place: null,
    until: null,
    ownerName: null,
    needsOwner: false,
    ...row,
  })),
})
type FoundItem = Pick<HandoverItem, 'no' | 'at' | 'schoolName'> & { total: number }

const listRecords = async (db: Db, actor: Actor, scope: HandoverScope, shelved: boolean): Promise<Counted> => {
  const rows = await unscoped(db, 'owners of visible alarms are named')
    .selectFrom('warnRecord')
    .leftJoin('users', 'users.id', 'warnRecord.ownerId')
    .select([
      'warnRecord.id as refId',
      'warnRecord.no',
      'warnRecord.level',
      'warnRecord.schoolName',
      'warnRecord.placePath as place',
      'warnRecord.receivedAt as at',
      'users.nickname as ownerName',
      needsOwner(scope).as('needsOwner'),
      total.as('total'),
    ])
    .$if(shelved, (q) => q.select('warnRecord.shelvedUntil as until'))
    .where('warnRecord.id', 'in', openRecords(db, actor, scope).select('warnRecord.id'))
    .where(isShelved, '=', shelved)
    .orderBy(needsOwner(scope), 'desc')
    .orderBy('warnRecord.level')
    .orderBy('warnRecord.receivedAt')
    .limit(MAX_HANDOVER_ITEMS)
    .execute()
  return toCounted(shelved ? 'SHELVED' : 'RECORD', rows)
}

const activeAssignments = ['ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE'] as const

const listTasks = async (db: Db, actor: Actor, { schoolId }: HandoverScope): Promise<Counted> => {
  const visible = scoped(db, actor)
    .selectFrom('assignment')
    .select('assignment.id')
    .where('state', 'in', [...activeAssignments])
    .$if(schoolId !== null, (q) => q.where('schoolId', '=', schoolId ?? 0))
  const rows = await unscoped(db, 'alarms and incidents of visible tasks')
    .selectFrom('assignment')
    .leftJoin('warnRecord', 'warnRecord.id', 'assignment.recordId')
    .leftJoin('policeSituation', 'policeSituation.id', 'assignment.situationId')
    .leftJoin('school', 'school.id', 'assignment.schoolId')
    .select([
      'assignment.id as refId',
      sql<string>`coalesce(warn_record.no, police_situation.no, '')`.as('no'),
      'warnRecord.level',
      'school.name as schoolName',
      'warnRecord.placePath as place',
      'assignment.assignedAt as at',
      'assignment.responderName as ownerName',
      total.as('total'),
    ])
    .where('assignment.id', 'in', visible)
    .orderBy('assignment.assignedAt')
    .limit(MAX_HANDOVER_ITEMS)
    .execute()
  return toCounted('TASK', rows)
}

const listFaults = async (db: Db, actor: Actor, { schoolId }: HandoverScope): Promise<Counted> => {
  const visible = scoped(db, actor)
    .selectFrom('maintenanceOrder')
    .select('maintenanceOrder.id')
    .where('state', 'in', [...openMaintenanceStates])
    .$if(schoolId !== null, (q) => q.where('schoolId', '=', schoolId ?? 0))
  const rows = await unscoped(db, 'schools and assignees of visible orders')
    .selectFrom('maintenanceOrder')
    .leftJoin('school', 'school.id', 'maintenanceOrder.schoolId')
    .leftJoin('users', 'users.id', 'maintenanceOrder.assigneeId')
    .select([
      'maintenanceOrder.id as refId',
      'maintenanceOrder.no',
      'school.name as schoolName',
      'maintenanceOrder.placePath as place',
      'maintenanceOrder.createTime as at',
      'users.nickname as ownerName',
      total.as('total'),
    ])
    .where('maintenanceOrder.id', 'in', visible)
    .orderBy('maintenanceOrder.createTime')
    .limit(MAX_HANDOVER_ITEMS)
    .execute()
  return toCounted('FAULT', rows)
}

const listOffline = async (db: Db, actor: Actor, { schoolId }: HandoverScope): Promise<Counted> => {
  const visible = scoped(db, actor)
    .selectFrom('schoolDevice')
    .select('schoolDevice.id')
    .where('validTo', 'is', null)
    .where('status', '=', 'ACCEPTED')
    .$if(schoolId !== null, (q) => q.where('schoolId', '=', schoolId ?? 0))
  const rows = await unscoped(db, 'connections and places of visible devices')
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .innerJoin('place', 'place.id', 'schoolDevice.placeId')
    .select([
      'device.id as refId',
      'device.sn as no',
      'school.name as schoolName',
      'place.name as place',
      'deviceState.since as at',
      total.as('total'),
    ])
    .where('schoolDevice.id', 'in', visible)
    .where('deviceState.connectivity', '=', 'OFFLINE')
    .orderBy('deviceState.since')
    .limit(MAX_HANDOVER_ITEMS)
    .execute()
  return toCounted('OFFLINE', rows)
}

const listGaps = async (db: Db, actor: Actor, { schoolId }: HandoverScope, now: Date): Promise<Counted> => {
  const schools = await scoped(db, actor)
    .selectFrom('school')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .$if(schoolId !== null, (q) => q.where('id', '=', schoolId ?? 0))
    .execute()
  const found = await findGaps(
    db,
    schools.map(({ id }) => id),
    now,
  )
  const rows = found
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
    .slice(0, MAX_HANDOVER_ITEMS)
    .map(({ schoolName, from, to }) => ({ no: '', schoolName, at: from, until: to, total: found.length }))
  return toCounted('GAP', rows)
}

/** What the next person must know of, as it is now. */
export const buildSummary = async (db: Db, actor: Actor, scope: HandoverScope): Promise<HandoverSummary> => {
  const at = new Date()
  const unowned = await findUnowned(db, actor, scope)
  const found: Record<HandoverItemKind, Counted> = {
    RECORD: await listRecords(db, actor, scope, false),
    SHELVED: await listRecords(db, actor, scope, true),
    TASK: await listTasks(db, actor, scope),
    FAULT: await listFaults(db, actor, scope),
    OFFLINE: await listOffline(db, actor, scope),
    GAP: await listGaps(db, actor, scope, at),
  }
  return {
    at,
    lacking: unowned.length,
    counts: handoverItemKinds.map((kind) => ({ kind, count: found[kind].count })),
    items: handoverItemKinds.flatMap((kind) => found[kind].items),
  }
}
