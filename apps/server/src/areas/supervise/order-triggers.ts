import type { OrderKind, OrderSubjectType } from '@tocsin/contract/supervise/order'
import { zone } from '@tocsin/contract/time-zone'
import { type RawBuilder, sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { issueAutomatically } from './automatic-orders.ts'

/** One timer for the installation; it schedules itself again. */
export const ORDER_SEARCH_TIMER = 'supervise-search'
const search = { kind: ORDER_SEARCH_TIMER, subjectId: 1, step: 'SEARCH', epoch: 1 }
const EVERY_SEC = 1800
const FIRST_SEC = 120
/** The next search finds the others. */
const MAX_NEW = 100

/** A subject that meets the condition of a trigger (domain 2.10), with the figures that show it. */
type Finding = { schoolId: number; subjectId: number; label: string; figure: number; total: number }

/** `isFree`: whether an order about the subject may be issued; it is part of the query, before its limit. */
type Search = { most: number; isFree: (subjectId: RawBuilder<number>) => RawBuilder<boolean> }

type Trigger = {
  kind: OrderKind
  subjectType: OrderSubjectType
  signHours: number
  dueHours: number
  /** No second order about the subject within this time of the last one, so that work on it can show. */
  pauseDays: number
  title: (found: Finding) => string
  content: (found: Finding) => string
  requirement: string
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
    title: ({ label }) => `报警按钮 ${label} 离线`,
    content: ({ label, figure }) => `报警按钮 ${label} 已离线 ${figure} 小时，超过 ${OFFLINE_HOURS} 小时的上限。`,
    requirement: '恢复在线并完成按钮测试，提交原因与处理结果。',
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select sd.school_id, sd.id as subject_id, d.sn as label,
          floor(extract(epoch from now() - state.since) / 3600)::int as figure, 0 as total
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
    title: () => `就绪度连续 ${LOW_DAYS} 天低于 ${LOW_SCORE}`,
    content: ({ label, figure }) => `${label} 就绪度连续 ${LOW_DAYS} 天低于 ${LOW_SCORE}，其间最高 ${figure}。`,
    requirement: '逐项处理就绪度页面列出的扣分原因，恢复到 80 以上。',
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label, max(r.score)::int as figure, count(*)::int as total
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
    title: () => `误报率超过 ${MAX_FALSE_PERCENT}%`,
    content: ({ label, figure, total }) =>
      `${label} 近 ${FALSE_DAYS} 天 ${total} 起警情中 ${figure} 起为误报，超过 ${MAX_FALSE_PERCENT}%。`,
    requirement: '查明误报原因，调整设备或规则，提交整改措施。',
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label,
          (count(*) filter (where w.disposition like 'FALSE%'))::int as figure, count(*)::int as total
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
    title: ({ figure }) => `${ABSENT_DAYS} 天内 ${figure} 次缺岗`,
    content: ({ label, figure }) => `${label} 近 ${ABSENT_DAYS} 天有 ${figure} 个班次无人到岗，也无人替班。`,
    requirement: '说明缺岗原因，落实替班安排，提交后续排班。',
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, s.id as subject_id, s.name as label, count(*)::int as figure, count(*)::int as total
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
    title: () => '按钮测试过期',
    content: ({ label, figure, total }) =>
      `${label} ${total} 台在用设备中 ${figure} 台的测试已过期 ${TEST_GRACE_DAYS} 天以上。`,
    requirement: '报备派出所后完成按钮测试，处理未通过的设备。',
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
    title: ({ label }) => `欺凌警情 ${label} 超过 ${BULLY_DAYS} 天未结`,
    content: ({ label, figure }) => `欺凌警情 ${label} 已 ${figure} 天未结束，调查应在 ${BULLY_DAYS} 天内完成。`,
    requirement: '完成调查与认定，结束警情，提交调查结论与保护措施。',
    find: (all, { most, isFree }) =>
      sql<Finding>`
        select s.id as school_id, w.id as subject_id, w.no as label,
          floor(extract(epoch from now() - w.first_at) / 86400)::int as figure, 0 as total
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
    title: ({ figure }) => `${figure} 天没有演练`,
    content: ({ label, figure, total }) => `${label} 距上次演练已 ${figure} 天，超过 ${total} 天的间隔。`,
    requirement: '组织应急疏散演练，提交演练记录与存在的问题。',
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
          floor(extract(epoch from now() - due.at) / 86400)::int as figure, due.days as total
        from due
        where due.at < now() - make_interval(days => due.days) and exists (
          select from up join school_term t on t.dept_id = up.dept_id
          where up.school_id = due.id and t.from_day <= ${today()} - due.days and t.to_day >= ${today()})
        order by due.at limit ${most}`.execute(all),
  },
]

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
    const { kind, subjectType, signHours, dueHours, title, content, requirement } = trigger
    for (const found of (await trigger.find(all, { most, isFree: isFreeOf(trigger) })).rows) {
      const { schoolId, subjectId, label: subjectLabel } = found
      const text = { title: title(found), content: content(found), requirement }
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
