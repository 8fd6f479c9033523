import type { Db } from '#db/db'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { refreshRollup } from './refresh-rollup.ts'

/** One timer for the installation; it schedules itself again. */
export const ROLLUP_TIMER = 'rollup'
const refresh = { kind: ROLLUP_TIMER, subjectId: 1, step: 'REFRESH', epoch: 1 }
const EVERY_SEC = 2
/** While changes or history wait. */
const BUSY_SEC = 0.2
const FIRST_SEC = 10

export const rollupTimerHandlers: Record<typeof ROLLUP_TIMER, TimerHandler> = {
  [ROLLUP_TIMER]: {
    most: 1,
    execute: async (trx) => {
      const isBusy = await refreshRollup(trx)
      await scheduleTimer(trx, refresh, isBusy ? BUSY_SEC : EVERY_SEC)
    },
  },
}

/** At every start; the nodes of an installation share the timer. */
export const seedRollupTimer = (db: Db): Promise<void> => scheduleTimer(db, refresh, FIRST_SEC)
