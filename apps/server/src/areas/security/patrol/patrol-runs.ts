import { addDays, localDay, slotOnDay, startOfDay } from '@tocsin/contract/security/hours'
import { MAX_SCAN_AGE_HOURS, PATROL_GRACE_MIN, patrolRunState, splitRounds } from '@tocsin/contract/security/patrol'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents, type NewEvent } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { type MissedRun, notifyMissedRuns } from './missed-notices.ts'

export const patrolEvent = (planId: number, schoolId: number): NewEvent => ({
  type: 'patrol.changed',
  ref: planId,
  schoolId,
  deptId: null,
})

const MINUTE_MS = 60_000
/** Points count so long before a round begins: until then no phone can hold a scan of it. */
const firstBegun = (now: Date): Date => new Date(now.getTime() + PATROL_GRACE_MIN * MINUTE_MS)

type NewRun = Pick<Row<'patrolRun'>, 'planId' | 'schoolId' | 'day' | 'round' | 'fromAt' | 'toAt'>

/** The rounds of a plan of today and of the night before that are not over. */
const listDueRuns = (plan: Row<'patrolPlan'>, now: Date): NewRun[] =>
  [addDays(now, -1), startOfDay(now)].flatMap((day) => {
    const slot = slotOnDay(plan, day)
    if (!plan.enabled || !slot) return []
    return splitRounds(slot, plan.rounds)
      .map(({ from, to }, at) => ({
        planId: plan.id,
        schoolId: plan.schoolId,
        day: localDay(day),
        round: at + 1,
        fromAt: from,
        toAt: to,
      }))
      .filter(({ toAt }) => toAt > now)
  })

const insertRuns = async (trx: Db, runs: readonly NewRun[]): Promise<void> => {
  if (runs.length === 0) return
  await unscoped(trx, 'rounds of plans that the caller may change, or of all')
    .insertInto('patrolRun')
    .values(runs)
    .onConflict((conflict) => conflict.columns(['planId', 'day', 'round']).doNothing())
    .execute()
}

/** Creates the rounds of days that have none yet. */
const ensureRuns = async (trx: Db, plans: readonly Row<'patrolPlan'>[], now: Date): Promise<void> => {
  const due = plans.flatMap((plan) => listDueRuns(plan, now))
  if (due.length === 0) return
  const planned = await unscoped(trx, 'rounds of all plans')
    .selectFrom('patrolRun')
    .select(['planId', 'day'])
    .distinct()
    .where('day', 'in', [...new Set(due.map(({ day }) => day))])
    .execute()
  const known = new Set(planned.map(({ planId, day }) => `${planId} ${day}`))
  await insertRuns(
    trx,
    due.filter(({ planId, day }) => !known.has(`${planId} ${day}`)),
  )
}

/**
 * Replaces the rounds to come of a plan that was changed. Rounds that have begun stay as they were planned, because
 * phones may hold scans of them; the new rounds begin after them and continue their numbers.
 */
export const resetRuns = async (trx: Db, plan: Row<'patrolPlan'>, now: Date): Promise<void> => {
  const all = unscoped(trx, 'rounds of a plan that the caller may change')
  await all
    .deleteFrom('patrolRun')
    .where('planId', '=', plan.id)
    .where('state', '=', 'PLANNED')
    .where('fromAt', '>', firstBegun(now))
    .where('id', 'not in', all.selectFrom('patrolScan').select('runId'))
    .execute()
  const due = listDueRuns(plan, now)
  const kept = await all
    .selectFrom('patrolRun')
    .select(['day', sql<number>`max(round)`.as('round'), sql<Date>`max(to_at)`.as('toAt')])
    .where('planId', '=', plan.id)
    .where('day', 'in', [...new Set(due.map(({ day }) => day)), localDay(now)])
    .groupBy('day')
    .execute()
  const last = new Map(kept.map((run) => [run.day, run]))
  const free = due.filter(({ day, fromAt }) => fromAt >= (last.get(day)?.toAt ?? fromAt))
  const renumbered = free.map((run) => {
    const first = free.find(({ day }) => day === run.day)?.round ?? run.round
    return { ...run, round: run.round + Math.max(0, (last.get(run.day)?.round ?? 0) + 1 - first) }
  })
  await insertRuns(trx, renumbered)
}

/** Whether phones may hold the first scan of a plan; one that has scans cannot be deleted anyway. */
export const mayHaveUnsentScans = async (trx: Db, planId: number, now: Date): Promise<boolean> => {
  const run = await unscoped(trx, 'rounds of a plan that the caller may change')
    .selectFrom('patrolRun')
    .select('id')
    .where('planId', '=', planId)
    .where('fromAt', '<=', firstBegun(now))
    .where('toAt', '>=', new Date(now.getTime() - (MAX_SCAN_AGE_HOURS * 60 + PATROL_GRACE_MIN) * MINUTE_MS))
    .where(sql<boolean>`not exists (
      select from patrol_scan s join patrol_run walked on walked.id = s.run_id where walked.plan_id = ${planId})`)
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}

export const isRunOver = ({ toAt }: Pick<Row<'patrolRun'>, 'toAt'>, now: Date): boolean =>
  now.getTime() > toAt.getTime() + PATROL_GRACE_MIN * MINUTE_MS

/** How many of the plan's present points a round has reached. */
export const countReached = async (trx: Db, { id, planId }: Pick<Row<'patrolRun'>, 'id' | 'planId'>) => {
  const { done, total } = await unscoped(trx, 'points of a visible round')
    .selectFrom('patrolPoint')
    .leftJoin('patrolScan', (join) =>
      join.onRef('patrolScan.pointId', '=', 'patrolPoint.id').on('patrolScan.runId', '=', id),
    )
    .select([sql<number>`count(patrol_scan.id)::int`.as('done'), sql<number>`count(*)::int`.as('total')])
    .where('patrolPoint.planId', '=', planId)
    .where('patrolPoint.removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return { done, total }
}

/** Rounds of many schools end at the same minute; each transaction closes so many. */
const MAX_CLOSED = 200

/**
 * Marks the rounds that are over and have points that nobody reached, and notifies the school and its district.
 * @returns whether more of them wait
 */
const closeRuns = async (trx: Db, now: Date): Promise<boolean> => {
  const all = unscoped(trx, 'a timer acts for nobody in particular')
  const ended = await all
    .selectFrom('patrolRun')
    .selectAll()
    .where('state', 'in', ['PLANNED', 'RUNNING'])
    .where('toAt', '<', new Date(now.getTime() - PATROL_GRACE_MIN * MINUTE_MS))
    .orderBy('id')
    .limit(MAX_CLOSED)
    .forUpdate()
    .skipLocked()
    .execute()
  const missed: MissedRun[] = []
  for (const run of ended) {
    const { done, total } = await countReached(trx, run)
    const state = patrolRunState(done, total, true)
    await all.updateTable('patrolRun').set({ state }).where('id', '=', run.id).execute()
    if (state === 'MISSED') missed.push({ ...run, done, total })
  }
  await notifyMissedRuns(trx, missed)
  const changed = new Map(ended.map(({ planId, schoolId }) => [planId, schoolId]))
  await emitEvents(trx, ...[...changed].map(([planId, schoolId]) => patrolEvent(planId, schoolId)))
  return ended.length === MAX_CLOSED
}

/** Creates the rounds of the day, and marks those that were missed. @returns whether more of them wait */
export const sweepPatrols = async (trx: Db, now: Date): Promise<boolean> => {
  const isMoreWaiting = await closeRuns(trx, now)
  const plans = await unscoped(trx, 'a timer acts for nobody in particular')
    .selectFrom('patrolPlan')
    .selectAll()
    .where('enabled', '=', true)
    .execute()
  await ensureRuns(trx, plans, now)
  return isMoreWaiting
}

/** One timer for the installation, which schedules itself again. */
export const PATROL_TIMER = 'patrol'
const sweep = { kind: PATROL_TIMER, subjectId: 1, step: 'SWEEP', epoch: 1 }
const SWEEP_SEC = 300
const NEXT_SEC = 1
const FIRST_SWEEP_SEC = 60

export const patrolTimerHandlers: Record<typeof PATROL_TIMER, TimerHandler> = {
  [PATROL_TIMER]: {
    most: 1,
    execute: async (trx) => {
      const isMoreWaiting = await sweepPatrols(trx, new Date())
      await scheduleTimer(trx, sweep, isMoreWaiting ? NEXT_SEC : SWEEP_SEC)
    },
  },
}

/** At every start; the nodes of an installation share the timer. */
export const seedPatrolTimer = (db: Db): Promise<void> => scheduleTimer(db, sweep, FIRST_SWEEP_SEC)
