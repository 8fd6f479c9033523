import {
  MAX_WALL_ALARMS,
  MAX_WALL_SCHOOLS,
  type WallBoard,
  type WallSchool,
  type WallUnit,
} from '@tocsin/contract/insight/wall'
import { schoolScore } from '@tocsin/contract/insight/readiness'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'
import { getDuty, getHomeReadiness, getResponse } from '../home-cards.ts'
import { listMapUnits } from '../map/map-reads.ts'
import { findFollowed } from './wall-follow.ts'
import { openWallSight } from './wall-sight.ts'

/** Open records that are not shelved. */
const openRecords = (db: Db, viewer: Actor) =>
  scoped(db, viewer)
    .selectFrom('warnRecord')
    .where('warnRecord.open', '=', true)
    .where('warnRecord.commissioning', '=', false)
    .where((eb) =>
      eb.or([eb('warnRecord.shelvedUntil', 'is', null), eb('warnRecord.shelvedUntil', '<=', sql<Date>`now()`)]),
    )

const alarmColumns = ['id', 'level', 'class', 'mode', 'state', 'schoolName', 'placePath', 'firstAt'] as const

const listAlarms = async (db: Db, viewer: Actor): Promise<WallBoard['alarms']> => {
  const open = openRecords(db, viewer)
  const [list, { total }] = await Promise.all([
    open.select(alarmColumns).orderBy('level').orderBy('firstAt').orderBy('id').limit(MAX_WALL_ALARMS).execute(),
    open.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { total, list }
}

/** What the followed desk shows, read with the rights of the wall. */
const getFollow = async (db: Db, viewer: Actor, linkId: number): Promise<WallBoard['follow']> => {
  const followed = await findFollowed(db, linkId)
  if (!followed) return null
  const found = await openRecords(db, viewer)
    .select([...alarmColumns, 'schoolId'])
    .where('id', '=', followed.recordId ?? 0)
    .executeTakeFirst()
  if (!found) return { alarm: null, schoolId: null }
  const { schoolId, ...alarm } = found
  return { alarm, schoolId }
}

const getReadiness = async (db: Db, viewer: Actor): Promise<WallBoard['readiness']> => {
  const [rows, { days }] = await Promise.all([
    scoped(db, viewer)
      .selectFrom('schoolReadiness')
      .innerJoin('school', 'school.id', 'schoolReadiness.schoolId')
      .select(['school.id', 'school.name', 'schoolReadiness.score'])
      .orderBy('schoolReadiness.score')
      .orderBy('school.name')
      .execute(),
    getHomeReadiness(db, viewer),
  ])
  const score = schoolScore(rows.map((row) => row.score))
  return { score, days: days.map((day) => day.score), worst: rows.slice(0, MAX_WALL_SCHOOLS) }
}

const listSchools = async (db: Db, viewer: Actor): Promise<WallSchool[]> => {
  const can = hasPermission(viewer)
  const [schools, alarms] = await Promise.all([
    scoped(db, viewer)
      .selectFrom('school')
      .select(['id', 'name', 'lng', 'lat', 'readiness'])
      .where('status', '<>', 'CLOSED')
      .where('lng', 'is not', null)
      .where('lat', 'is not', null)
      .orderBy('name')
      .execute(),
    can('warn:record:query')
      ? openRecords(db, viewer)
          .select(['schoolId', sql<number>`min(level)::int`.as('level')])
          .select(sql<boolean>`bool_and(owner_id is not null)`.as('isClaimed'))
          .where('schoolId', 'is not', null)
          .groupBy('schoolId')
          .execute()
      : [],
  ])
  const alarmOf = new Map(alarms.map(({ schoolId, ...alarm }) => [schoolId, alarm]))
  return schools.flatMap(({ lng, lat, ...school }) => {
    if (lng === null || lat === null) return []
    const readiness = can('insight:readiness:query') ? school.readiness : null
    return [{ ...school, lng, lat, readiness, alarm: alarmOf.get(school.id) ?? null }]
  })
}

const listUnits = async (db: Db, viewer: Actor): Promise<WallUnit[]> => {
  const units = await listMapUnits(db, viewer)
  return units.map(({ name: _name, ...unit }) => unit)
}

/** The board of one link: each part only when its creator may read it. */
export const openWallBoard = async (db: Db, token: string, ip: string): Promise<WallBoard> => {
  const { id, viewer, ...link } = await openWallSight(db, token, ip)
  const can = hasPermission(viewer)
  const [alarms, response, readiness, duty, schools, units, follow] = await Promise.all([
    can('warn:record:query') ? listAlarms(db, viewer) : null,
    can('warn:record:query') ? getResponse(db, viewer) : null,
    can('insight:readiness:query') ? getReadiness(db, viewer) : null,
    can('security:shift:query') ? getDuty(db, viewer) : null,
    can('school:school:query') ? listSchools(db, viewer) : null,
    can('police:unit:query') ? listUnits(db, viewer) : null,
    can('warn:record:query') ? getFollow(db, viewer, id) : null,
  ])
  return { ...link, now: new Date(), alarms, response, readiness, duty, schools, units, follow }
}
