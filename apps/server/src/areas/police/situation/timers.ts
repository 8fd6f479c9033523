import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { applySituation, lockSituations, SITUATION_TIMER } from './execute-verb.ts'

const archive = async (trx: Db, id: number): Promise<void> => {
  const [locked] = await lockSituations(trx, [id])
  if (locked?.situation.state === 'CLOSED')
    await applySituation(locked, null, 'archive', { set: { archivedAt: locked.now } })
}

/** An incident that stayed closed for a day is archived. */
export const situationTimerHandlers: Record<typeof SITUATION_TIMER, TimerHandler> = {
  [SITUATION_TIMER]: {
    most: 20,
    // The same lock order as the verbs: the incident before its timers.
    lock: async (trx, ids, patient) => {
      const found = unscoped(trx, 'a timer acts for nobody in particular')
        .selectFrom('policeSituation')
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
      const locked = await (patient ? found : found.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const { subjectId } of keys) await archive(trx, subjectId)
    },
  },
}
