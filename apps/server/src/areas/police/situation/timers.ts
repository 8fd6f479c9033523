import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerHandler } from '#timer/scheduler'
import { applySituation, lockSituations } from './execute-verb.ts'
import { isLimit, passLimit, SITUATION_TIMER } from './limits.ts'

const archive = async (trx: Db, id: number): Promise<void> => {
  const [locked] = await lockSituations(trx, [id])
  if (locked?.situation.state === 'CLOSED')
    await applySituation(locked, null, 'archive', { set: { archivedAt: locked.now } })
}

const all = (trx: Db) => unscoped(trx, 'a timer acts for nobody in particular')

/** `lock` holds the incident. */
const endLimit = async (trx: Db, id: number, step: string): Promise<void> => {
  const situation = await all(trx)
    .selectFrom('policeSituation')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await passLimit(trx, situation, step)
}

/** An incident that stayed closed for a day is archived; a limit that passes is told. */
export const situationTimerHandlers: Record<typeof SITUATION_TIMER, TimerHandler> = {
  [SITUATION_TIMER]: {
    most: 20,
    // The same lock order as the verbs: the incident before its timers.
    lock: async (trx, ids, patient) => {
      const found = all(trx)
        .selectFrom('policeSituation')
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
      const locked = await (patient ? found : found.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const { subjectId, step } of keys)
        await (isLimit(step) ? endLimit(trx, subjectId, step) : archive(trx, subjectId))
    },
  },
}
