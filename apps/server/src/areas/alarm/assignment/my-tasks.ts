import type { Assignment, AssignmentRow, MyTasks, Task } from '@tocsin/contract/alarm/assignment'
import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'
import { isUnowned } from '#areas/alarm/record/lease'
import type { AllTablesDb, Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'
import { assignmentColumns, toAssignmentRows } from './assignment-rows.ts'

const DONE_MOST = 50
const UNCLAIMED_MOST = 20

/** Whoever is sent must know where to, also when he does not see the school. */
const sent = (db: Db) => unscoped(db, 'tasks of the caller and of his units')

const destinations = (all: AllTablesDb) =>
  all
    .selectFrom('warnRecord as r')
    .leftJoin('school as s', 's.id', 'r.schoolId')
    .select([
      'r.id as recordId',
      'r.no as recordNo',
      'r.level',
      'r.class',
      'r.code',
      'r.mode',
      'r.state as recordState',
      'r.schoolName',
      'r.building',
      'r.floor',
      'r.room',
      'r.placeId',
      'r.placePath',
      'r.lng',
      'r.lat',
      'r.firstAt',
      's.address',
      's.dutyPhone',
    ])

/** Of an incident that came from an alarm, the plan of its place is known as well. */
const incidents = (all: AllTablesDb) =>
  all
    .selectFrom('policeSituation as i')
    .leftJoin('school as s', 's.id', 'i.schoolId')
    .leftJoin('policeStation as station', 'station.deptId', 'i.stationDeptId')
    .leftJoin('warnRecord as r', 'r.id', 'i.warnRecordId')
    .select([
      'i.id as situationId',
      'i.no as situationNo',
      'i.grade as level',
      'i.mode',
      'i.category',
      'i.summary',
      'i.schoolName',
      'i.place as placePath',
      'i.lng',
      'i.lat',
      'i.receivedAt as firstAt',
      'r.class',
      'r.code',
      'r.placeId',
      's.address',
      's.dutyPhone',
      'station.dutyPhone as stationPhone',
    ])

const noIncident = { situationNo: null, category: null, summary: null, stationPhone: null }
const noRecord = { recordNo: null, recordState: null, building: null, floor: null, room: null }

type Place = Omit<Task, keyof AssignmentRow>

const placesOfRecords = async (db: Db, ids: readonly number[]): Promise<Map<number | null, Place>> => {
  if (ids.length === 0) return new Map()
  const rows = await destinations(sent(db)).where('r.id', 'in', ids).execute()
  return new Map(rows.map(({ recordId, ...place }) => [recordId, { ...place, ...noIncident }]))
}

const placesOfSituations = async (db: Db, ids: readonly number[]): Promise<Map<number | null, Place>> => {
  if (ids.length === 0) return new Map()
  const rows = await incidents(sent(db)).where('i.id', 'in', ids).execute()
  return new Map(rows.map(({ situationId, ...place }) => [situationId, { ...place, ...noRecord }]))
}

const withDestination = async (db: Db, rows: readonly Assignment[]): Promise<Task[]> => {
  const [records, situations] = await Promise.all([
    placesOfRecords(
      db,
      rows.flatMap(({ recordId }) => recordId ?? []),
    ),
    placesOfSituations(
      db,
      rows.flatMap(({ situationId }) => situationId ?? []),
    ),
  ])
  return (await toAssignmentRows(db, rows)).flatMap((row) => {
    const place = row.recordId === null ? situations.get(row.situationId) : records.get(row.recordId)
    return place ? [{ ...row, ...place }] : []
  })
}

const ownRows = (db: Db, { userId }: Actor) =>
  sent(db)
    .selectFrom('assignment')
    .select(assignmentColumns)
    .where((eb) =>
      eb.or([
        eb('responderUserId', '=', userId),
        eb('unitId', 'in', eb.selectFrom('policeUnitMember').select('unitId').where('userId', '=', userId)),
      ]),
    )

/** The caller's own tasks and those of his units, and the alarms that he may claim while nobody has them. */
export const listMyTasks = async (db: Db, actor: Actor): Promise<MyTasks> => {
  const isActive = (row: Assignment) => activeAssignmentStates.some((state) => state === row.state)
  const open = await ownRows(db, actor).where('state', 'in', activeAssignmentStates).orderBy('id', 'desc').execute()
  const done = await ownRows(db, actor)
    .where('assignedAt', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('id', 'desc')
    .limit(DONE_MOST)
    .execute()
  const unclaimed = hasPermission(actor)(stateMachine.claim.permission)
    ? await destinations(scoped(db, actor))
        .where(
          'r.id',
          'in',
          scoped(db, actor).selectFrom('warnRecord').select('id').where('open', '=', true).where(isUnowned),
        )
        .orderBy('r.level')
        .orderBy('r.firstAt')
        .limit(UNCLAIMED_MOST)
        .execute()
    : []
  const duty = await db.selectFrom('responderDuty').selectAll().where('userId', '=', actor.userId).executeTakeFirst()
  return {
    now: new Date(),
    onDuty: duty?.onDuty ?? false,
    dutySince: duty?.onDuty ? duty.since : null,
    open: await withDestination(db, open),
    done: await withDestination(
      db,
      done.filter((row) => !isActive(row)),
    ),
    unclaimed,
  }
}
