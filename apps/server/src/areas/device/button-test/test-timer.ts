import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { runHooks } from '#db/transaction-hook'
import type { TimerHandler } from '#timer/scheduler'
import type { TimerKey } from '#timer/timer'
import { buttonTestEnded } from './test-hooks.ts'

const TEST_TIMER = 'buttonTest'

/** The end of the window of a plan. */
export const windowEndTimer = (planId: number): TimerKey => ({
  kind: TEST_TIMER,
  subjectId: planId,
  step: 'WINDOW_END',
  epoch: 1,
})

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
      for (const { subjectId } of keys) await runHooks(trx, buttonTestEnded, { planId: subjectId })
    },
  },
}
