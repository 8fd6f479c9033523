import type { OrderKind, OrderSubjectType } from '@tocsin/contract/supervise/order'
import type { EvidenceKind, StoredEvidence } from '@tocsin/contract/supervise/order-evidence'
import { zone } from '@tocsin/contract/time-zone'
import { type RawBuilder, sql } from 'kysely'
import { loadPlacePaths } from '#areas/school/place'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { issueAutomatically, toOrderText } from './automatic-orders.ts'

/** One timer for the installation; it schedules itself again. */
export const ORDER_SEARCH_TIMER = 'supervise-search'
const search = { kind: ORDER_SEARCH_TIMER, subjectId: 1, step: 'SEARCH', epoch: 1 }
const EVERY_SEC = 1800
const FIRST_SEC = 120
/** The next search finds the others. */
const MAX_NEW = 100

/** A subject that meets the condition of a trigger (domain 2.10), with the figures that show it. */
type Finding = {
  schoolId: number
  subjectId: number
  label: string
  figure: number
  total?: number
  limit?: number
  level?: number
  /** The place as text, or a place to be named. */
  place?: string | null
  placeId?: number
  since?: Date
  until?: Date
}

/** `isFree`: whether an order about the subject may be issued; it is part of the query, before its limit. */
type Search = { most: number; isFree: (subjectId: RawBuilder<number>) => RawBuilder<boolean> }

type Trigger = {
  kind: OrderKind
  subjectType: OrderSubjectType
  signHours: number
  dueHours: number
  /** No second order about the subject within this time of the last one, so that work on it can show. */
  pauseDays: number
  evidence: EvidenceKind
  /** Of every finding, unless it has its own. */
  limit: number
  find: (all: UnscopedDb, search: Search) => Promise<{ rows: Finding[] }>
}

const OFFLINE_HOURS = 24
const LOW_SCORE = 60
const LOW_DAYS = 3
const FALSE_DAYS = 30
const MIN_ALARMS = 10
const MAX_FALSE_PERCENT = 30
const ABSENT_DAYS = 7
const MIN_ABSENT = 2
const TEST_GRACE_DAYS = 7
/** An inquiry into bullying ends within 10 days (domain 2.13). */
const BULLY_DAYS = 10
/** A drill a month, in kindergartens one a quarter (domain 2.12 O). */
const DRILL_DAYS = 31
const KINDERGARTEN_DRILL_DAYS = 92

/** In the configured zone, which is known once the server has started. */
const today = () => sql`(now() at time zone ${zone.name})::date`
const schoolId = sql<number>`s.id`
const recordId = sql<number>`w.id`
const deviceId = sql<number>`sd.id`
const isTestOverdue = sql`(sd.next_test_due < current_date - ${TEST_GRACE_DAYS}::int)`

const triggers: readonly Trigger[] = [
  {
    kind: 'DEVICE_UNREADY',
    subjectType: 'SCHOOL_DEVICE',
    signHours: 4,
    dueHours: 48,
    pauseDays: 7,
    evidence: 'BUTTON_OFFLINE',
    limit: OFFLINE_HOURS,
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select sd.school_id, sd.id as subject_id, d.sn as label,
          floor(extract(epoch from now() - state.since) / 3600)::int as figure, state.since, sd.place_id
        from school_device sd
        join device d on d.id = sd.device_id and d.lifecycle = 'IN_SERVICE'
        join device_model model on model.id = d.model_id
        join device_state state on state.device_id = d.id
        join school s on s.id = sd.school_id and s.status = 'ACTIVE'
        where sd.valid_to is null and sd.status = 'ACCEPTED' and state.connectivity = 'OFFLINE'
          and state.since < now() - make_interval(hours => ${OFFLINE_HOURS})
          and exists (select from unnest(model.alarm_codes) code where code like 'PANIC%')
          and ${isFree(deviceId)}
        order by state.since limit ${most}`.execute(all),
  },
  {
    kind: 'DEVICE_UNREADY',
    subjectType: 'SCHOOL',
    signHours: 8,
    dueHours: 120,
    pauseDays: 14,
    evidence: 'READINESS_LOW',
    limit: LOW_SCORE,
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label, max(r.score)::int as figure, count(*)::int as total,
          (${today()} - ${LOW_DAYS}::int)::timestamp at time zone ${zone.name} as since,
          ${today()}::timestamp at time zone ${zone.name} as until
        from school s join school_readiness_day r on r.school_id = s.id
        where s.status = 'ACTIVE' and r.devices > 0
          and r.day between ${today()} - ${LOW_DAYS}::int
            and ${today()} - 1
          and ${isFree(schoolId)}
        group by s.id, s.name
        having count(*) = ${LOW_DAYS} and max(r.score) < ${LOW_SCORE}
        order by max(r.score), s.id limit ${most}`.execute(all),
  },
  {
    kind: 'FALSE_ALARM_HIGH',
    subjectType: 'SCHOOL',
    signHours: 24,
    dueHours: 240,
    pauseDays: FALSE_DAYS,
    evidence: 'FALSE_RATE',
    limit: MAX_FALSE_PERCENT,
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label,
          (count(*) filter (where w.disposition like 'FALSE%'))::int as figure, count(*)::int as total,
          now() - make_interval(days => ${FALSE_DAYS}) as since, now() as until
        from school s join warn_record w on w.school_id = s.id
        where w.mode = 'LIVE' and not w.open and w.occurrence_count > 0
          and w.first_at >= now() - make_interval(days => ${FALSE_DAYS})
          and ${isFree(schoolId)}
        group by s.id, s.name
        having count(*) >= ${MIN_ALARMS}
          and 100 * count(*) filter (where w.disposition like 'FALSE%') > ${MAX_FALSE_PERCENT} * count(*)
        order by s.id limit ${most}`.execute(all),
  },
  {
    kind: 'DUTY_ABSENT',
    subjectType: 'SCHOOL',
    signHours: 8,
    dueHours: 72,
    pauseDays: ABSENT_DAYS,
    evidence: 'SHIFTS_ABSENT',
    limit: MIN_ABSENT,
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label, count(*)::int as figure,
          now() - make_interval(days => ${ABSENT_DAYS}) as since, now() as until
        from school s join shift h on h.school_id = s.id
        where h.state = 'ABSENT' and h.from_at >= now() - make_interval(days => ${ABSENT_DAYS})
          and not exists (select from shift sub where sub.stand_in_for = h.id and sub.state <> 'ABSENT')
          and ${isFree(schoolId)}
        group by s.id, s.name having count(*) >= ${MIN_ABSENT}
        order by s.id limit ${most}`.execute(all),
  },
  {
    kind: 'HAZARD',
    subjectType: 'SCHOOL',
    signHours: 24,
    dueHours: 240,
    pauseDays: 30,
    evidence: 'TESTS_OVERDUE',
    limit: TEST_GRACE_DAYS,
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label,
          (count(*) filter (where ${isTestOverdue}))::int as figure, count(*)::int as total
        from school s join school_device sd on sd.school_id = s.id
        where s.status = 'ACTIVE' and sd.valid_to is null and sd.status = 'ACCEPTED' and ${isFree(schoolId)}
        group by s.id, s.name
        having count(*) filter (where ${isTestOverdue}) > 0
        order by s.id limit ${most}`.execute(all),
  },
  {
    kind: 'BULLY_OVERDUE',
    subjectType: 'WARN_RECORD',
    signHours: 8,
    dueHours: 72,
    pauseDays: BULLY_DAYS,
    evidence: 'BULLYING_OPEN',
    limit: BULLY_DAYS,
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, w.id as subject_id, w.no as label,
          floor(extract(epoch from now() - w.first_at) / 86400)::int as figure,
          w.first_at as since, w.level, w.place_path as place
        from warn_record w join school s on s.id = w.school_id and s.status = 'ACTIVE'
        where w.open and w.class = 'BULLY' and w.mode = 'LIVE'
          and w.first_at < now() - make_interval(days => ${BULLY_DAYS}) and ${isFree(recordId)}
        order by w.first_at limit ${most}`.execute(all),
  },
  {
    kind: 'DRILL_OVERDUE',
    subjectType: 'SCHOOL',
    signHours: 24,
    dueHours: 240,
    pauseDays: DRILL_DAYS,
    evidence: 'DRILL_LATE',
    limit: DRILL_DAYS,
    // A school that records its drills, in a term that has lasted as long as the interval.
    find: (all, { most, isFree }) =>
      sql<Finding>`
        with recursive due as (
          select s.id, s.name, s.dept_id, last.at, case when s.stage = 'KINDERGARTEN'
            then ${KINDERGARTEN_DRILL_DAYS}::int else ${DRILL_DAYS}::int end as days
          from school s cross join lateral (
            select max(w.first_at) as at from warn_record w where w.school_id = s.id and w.mode = 'DRILL') last
          where s.status = 'ACTIVE' and last.at is not null and ${isFree(schoolId)}
        ), up as (
          select due.id as school_id, due.dept_id from due
          union select up.school_id, d.parent_id from up join dept d on d.id = up.dept_id where d.parent_id is not null
        )
        select due.id as school_id, due.id as subject_id, due.name as label,
          floor(extract(epoch from now() - due.at) / 86400)::int as figure, due.days as limit, due.at as since
        from due
        where due.at < now() - make_interval(days => due.days) and exists (
          select from up join school_term t on t.dept_id = up.dept_id
          where up.school_id = due.id and t.from_day <= ${today()} - due.days and t.to_day >= ${today()})
        order by due.at limit ${most}`.execute(all),
  },
]

const toEvidence = (
  { evidence: kind, limit: usual }: Trigger,
  found: Finding,
  places: ReadonlyMap<number, string>,
): StoredEvidence => {
  const { figure, total = null, limit = usual, level = null, placeId, since, until } = found
  const place = found.place ?? (placeId === undefined ? null : (places.get(placeId) ?? null))
  const at = { since: since?.getTime() ?? null, until: until?.getTime() ?? null }
  return { kind, figure, total, limit, level, place, ...at }
}

/** No order of the kind about the subject is open or was issued within the pause. */
const isFreeOf =
  ({ kind, subjectType, pauseDays }: Trigger): Search['isFree'] =>
  (subjectId) =>
    sql<boolean>`not exists (
    select from supervise_order o
    where o.kind = ${kind} and o.subject_type = ${subjectType} and o.subject_id = ${subjectId}
      and (o.issued_at > now() - make_interval(days => ${pauseDays})
        or o.state in ('ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED', 'RETURNED')))`

/** Issues the orders whose conditions hold now, so many of each trigger. @returns how many. */
export const issueTriggeredOrders = async (trx: Db, most = MAX_NEW): Promise<number> => {
  const all = unscoped(trx, 'the server looks for what must be supervised')
  let issued = 0
  for (const trigger of triggers) {
    const { kind, subjectType, signHours, dueHours } = trigger
    const { rows } = await trigger.find(all, { most, isFree: isFreeOf(trigger) })
    const places = await loadPlacePaths(
      all,
      rows.flatMap(({ placeId }) => placeId ?? []),
    )
    for (const found of rows) {
      const { schoolId, subjectId, label: subjectLabel } = found
      const text = toOrderText(toEvidence(trigger, found, places), subjectLabel)
      const order = { ...text, kind, subjectType, subjectId, subjectLabel, schoolId, signHours, dueHours }
      if (await issueAutomatically(trx, order)) issued += 1
    }
  }
  return issued
}

export const orderSearchHandlers: Record<typeof ORDER_SEARCH_TIMER, TimerHandler> = {
  [ORDER_SEARCH_TIMER]: {
    most: 1,
    execute: async (trx) => {
      await issueTriggeredOrders(trx)
      await scheduleTimer(trx, search, EVERY_SEC)
    },
  },
}

/** At every start; the nodes of an installation share the timer. */
export const seedOrderSearch = (db: Db): Promise<void> => scheduleTimer(db, search, FIRST_SEC)
