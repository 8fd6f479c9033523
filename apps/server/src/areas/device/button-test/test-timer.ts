import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { runHooks } from '#db/transaction-hook'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer, type TimerKey } from '#timer/timer'
import { buttonTestEnded } from './test-hooks.ts'

const TEST_TIMER = 'buttonTest'

/** A press stays so long after the end of its window, for people to see it; then it is checked again as often. */
const STAY_SEC = 300

/** The end of the window of a plan. */
export const windowEndTimer = (planId: number): TimerKey => ({
  kind: TEST_TIMER,
  subjectId: planId,
  step: 'WINDOW_END',
  epoch: 1,
})

/** Counts by the clock of the database, so that no press is expected any more when the timer fires. */
export const scheduleWindowEnd = (trx: Db, { id, windowTo }: { id: number; windowTo: Date }): Promise<void> =>
  scheduleTimer(
    trx,
    windowEndTimer(id),
    sql<number>`extract(epoch from ${windowTo}::timestamptz - now()) + ${STAY_SEC}::int`,
  )

/** For presses that were left to people: checks again whether they may end. */
export const repeatWindowEnd = (trx: Db, planId: number): Promise<void> =>
  scheduleTimer(trx, windowEndTimer(planId), STAY_SEC)

export const buttonTestTimerHandlers: Record<typeof TEST_TIMER, TimerHandler> = {
  [TEST_TIMER]: {
    most: 1,
    // Waits for a press that is being stored as one of the test, as closing the plan does.
    lock: async (trx, planIds, patient) => {
      const plans = unscoped(trx, 'a timer acts for nobody in particular')
        .selectFrom('testPlan')
        .select('id')
        .where('id', 'in', planIds)
        .orderBy('id')
        .forNoKeyUpdate()
      const locked = await (patient ? plans : plans.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx: Db, keys) => {
      for (const { subjectId } of keys) await runHooks(trx, buttonTestEnded, { planId: subjectId, isClosed: false })
    },
  },
}
