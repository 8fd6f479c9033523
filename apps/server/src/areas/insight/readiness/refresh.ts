import type { EventType } from '@tocsin/contract/live'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { findGaps } from '#areas/security/gap/find-gaps'
import type { Db, UnscopedDb } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { computeDevices, computeSchools, type FactsInput, type RefreshTarget } from './readiness-sql.ts'
import { getCurrentWeights } from './weights.ts'

/** The next run continues behind more events. */
const MAX_EVENTS = 2000
const SWEEP_EVERY = sql`interval '10 minutes'`
/** Some 13,000 devices, computed in about a second. */
const SWEEP_SCHOOLS = 400

const deviceEvents: readonly EventType[] = ['device.status', 'device.changed']
const alarmEvents: readonly EventType[] = ['alarm.raised', 'alarm.again']
const schoolEvents: readonly EventType[] = ['test.changed', 'school.changed', 'shift.changed', 'post.changed']
/** Changes that may affect the recipients, the models, the response plans or the points of any school. */
const globalEvents: readonly EventType[] = [
  'permission.changed',
  'model.changed',
  'rule.changed',
  'procedure.changed',
  'weights.changed',
]
const relevantEvents = [...deviceEvents, ...alarmEvents, ...schoolEvents, ...globalEvents]

const unscopedDb = (trx: Db) => unscoped(trx, 'the server derives the readiness of every device')

/** The schools that a target concerns: after one changed fact the hours of all others do not matter. */
const listSchools = async (all: UnscopedDb, target: RefreshTarget): Promise<number[]> => {
  const found = await all
    .selectFrom('school')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .$if(target !== 'ALL', (q) => {
      const { deviceIds, schoolIds } = target === 'ALL' ? { deviceIds: [], schoolIds: [] } : target
      return q.where(
        sql<boolean>`(id = any(${schoolIds}::bigint[]) or id in (select school_id from school_device
          where device_id = any(${deviceIds}::bigint[]) and valid_to is null))`,
      )
    })
    .execute()
  return found.map(({ id }) => id)
}

/** The facts for a target that depend on shifts. */
export const findUncovered = async (
  trx: Db,
  target: RefreshTarget,
  now: Date,
): Promise<Pick<FactsInput, 'uncovered' | 'uncoveredSoon'>> => {
  const gaps = await findGaps(trx, await listSchools(unscopedDb(trx), target), now)
  const schoolsOf = (found: typeof gaps) => [...new Set(found.map(({ schoolId }) => schoolId))]
  return {
    uncovered: schoolsOf(gaps.filter(({ from, to }) => from <= now && to > now)),
    uncoveredSoon: schoolsOf(gaps.filter(({ from }) => from > now)),
  }
}

/** Computes the scores of a target and of its schools, and notifies the screens. */
export const refreshReadiness = async (trx: Db, target: RefreshTarget, now: Date): Promise<void> => {
  const all = unscopedDb(trx)
  const facts = { target, now, ...(await findUncovered(trx, target, now)) }
  const schoolIds = await computeDevices(all, facts, await getCurrentWeights(trx))
  if (schoolIds.length === 0) return
  const changed = await computeSchools(all, schoolIds, now)
  await emitEvents(
    trx,
    ...changed.map(({ schoolId, deptId }) => ({ type: 'readiness.changed' as const, ref: schoolId, schoolId, deptId })),
  )
}

type Changes = {
  target: Exclude<RefreshTarget, 'ALL'>
  lastSeq: number
  /** The events concern every school. */
  concernsAll: boolean
  hasMore: boolean
}

/** The devices and schools of the events since the cursor. */
const findChanges = async (all: UnscopedDb, lastSeq: number): Promise<Changes> => {
  const events = await all
    .selectFrom('event')
    .leftJoin('warnRecord', (join) =>
      join.onRef('warnRecord.id', '=', 'event.ref').on('event.type', 'in', [...alarmEvents]),
    )
    .select(['event.seq', 'event.type', 'event.ref', 'event.schoolId', 'warnRecord.deviceId'])
    .where('event.seq', '>', lastSeq)
    .where('event.type', 'in', relevantEvents)
    .orderBy('event.seq')
    .limit(MAX_EVENTS)
    .execute()
  const highest = events.at(-1)?.seq ?? lastSeq
  const ids = (kinds: readonly EventType[], pick: (event: (typeof events)[number]) => number | null) => [
    ...new Set(
      events.flatMap((event) => {
        const id = kinds.includes(event.type as EventType) ? pick(event) : null
        return id === null ? [] : [id]
      }),
    ),
  ]
  const deviceIds = [...ids(deviceEvents, ({ ref }) => ref), ...ids(alarmEvents, ({ deviceId }) => deviceId)]
  return {
    target: { deviceIds, schoolIds: ids(schoolEvents, ({ schoolId }) => schoolId) },
    lastSeq: highest,
    concernsAll: events.some(({ type }) => globalEvents.includes(type as EventType)),
    hasMore: events.length === MAX_EVENTS,
  }
}

/** Stores the value of today for the trend; the last value of the day remains. */
const recordDay = async (all: UnscopedDb, now: Date): Promise<void> => {
  await sql`
    insert into school_readiness_day as d (school_id, day, score, devices, low, weights_version)
    select school_id, (${now}::timestamptz at time zone ${zone.name})::date, score, devices, low, weights_version
    from school_readiness
    on conflict (school_id, day) do update set score = excluded.score, devices = excluded.devices, low = excluded.low,
      weights_version = excluded.weights_version
    where (d.score, d.devices, d.low, d.weights_version)
      is distinct from (excluded.score, excluded.devices, excluded.low, excluded.weights_version)`.execute(all)
}

/** Recomputes every score, and the value of the day. */
export const refreshAll = async (trx: Db, now: Date): Promise<void> => {
  await refreshReadiness(trx, 'ALL', now)
  await recordDay(unscopedDb(trx), now)
}

/** Recomputes the next schools of the sweep. @returns where it stands; null at its end. */
const sweepSchools = async (trx: Db, sweptTo: number, count: number, now: Date): Promise<number | null> => {
  const all = unscopedDb(trx)
  const schools = await all
    .selectFrom('school')
    .select('id')
    .where('id', '>', sweptTo)
    .orderBy('id')
    .limit(count)
    .execute()
  const schoolIds = schools.map(({ id }) => id)
  if (schoolIds.length > 0) await refreshReadiness(trx, { deviceIds: [], schoolIds }, now)
  if (schoolIds.length === count) return schoolIds.at(-1) ?? null
  await recordDay(all, now)
  return null
}

/**
 * Recomputes what changed since the last time, and some schools of the sweep over all of them. A sweep begins every ten
 * minutes, because some facts change by time alone, and after a change that may concern any school.
 * @param sweepCount schools of the sweep in one run
 * @returns whether more is to be done at once
 */
export const refreshChanged = async (trx: Db, now: Date, sweepCount = SWEEP_SCHOOLS): Promise<boolean> => {
  const all = unscopedDb(trx)
  const cursor = await all
    .selectFrom('readinessCursor')
    .select(['lastSeq', 'sweptTo', 'sweepAgain'])
    .select(sql<boolean>`coalesce(full_at < ${now}::timestamptz - ${SWEEP_EVERY}, true)`.as('isSweepDue'))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { target, lastSeq, concernsAll, hasMore } = await findChanges(all, cursor.lastSeq)
  if (target.deviceIds.length + target.schoolIds.length > 0) await refreshReadiness(trx, target, now)
  const isRunning = cursor.sweptTo !== null
  const isWanted = isRunning || cursor.isSweepDue || cursor.sweepAgain || concernsAll
  if (!isWanted && lastSeq === cursor.lastSeq) return false
  // Changed facts go before the sweep.
  const isSweeping = isWanted && !hasMore
  const sweptTo = isSweeping ? await sweepSchools(trx, cursor.sweptTo ?? 0, sweepCount, now) : cursor.sweptTo
  // What concerns all schools concerns the ones too that the running sweep has passed.
  const sweepAgain = (isRunning || !isSweeping) && (cursor.sweepAgain || concernsAll)
  const isOver = isSweeping && sweptTo === null
  await all
    .updateTable('readinessCursor')
    .set({ lastSeq, sweptTo, sweepAgain, ...(isOver && { fullAt: now }) })
    .execute()
  return hasMore || sweptTo !== null || sweepAgain
}
