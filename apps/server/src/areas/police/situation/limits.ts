import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { cancelTimers, scheduleTimer } from '#timer/timer'
import { appendSituationLog, emitSituation } from './situation-log.ts'
import { type DueStep, dueAt, dueStep, type StoredSituation } from './situation-rows.ts'

/** The timer kind of incidents; the subject is the id. */
export const SITUATION_TIMER = 'situation'
const PREFIX = 'LIMIT_'

/** A unit that does not confirm has timers of its own, which tell the same people. */
const isTimed = (step: DueStep): boolean => step !== 'SIGN'

type Limit = { step: DueStep; seconds: number; pending: boolean }

const all = (trx: Db) => unscoped(trx, 'the incident was locked by the caller')

/** The next limit, and whether its timer waits or has fired already. */
const findLimit = async (trx: Db, id: number): Promise<Limit | undefined> => {
  const row = await all(trx)
    .selectFrom('policeSituation')
    .select([dueStep.as('step'), sql<number | null>`extract(epoch from ${dueAt} - now())::float8`.as('seconds')])
    .where('policeSituation.id', '=', id)
    .executeTakeFirst()
  if (!row?.step || row.seconds === null || !isTimed(row.step)) return undefined
  const { step, seconds } = row
  const timer = await trx
    .selectFrom('timer')
    .select(sql<number>`abs(extract(epoch from due_at - now())::float8 - ${seconds})`.as('apart'))
    .where('kind', '=', SITUATION_TIMER)
    .where('subjectId', '=', id)
    .where('step', '=', PREFIX + step)
    .where(sql<boolean>`outcome is distinct from 'CANCELLED'`)
    .executeTakeFirst()
  return { step, seconds, pending: timer !== undefined && timer.apart < 0.5 }
}

const cancelOthers = async (trx: Db, id: number, step?: string): Promise<void> => {
  const pending = await trx
    .selectFrom('timer')
    .select('step')
    .where('kind', '=', SITUATION_TIMER)
    .where('subjectId', '=', id)
    .where('step', 'like', `${PREFIX}%`)
    .where('doneAt', 'is', null)
    .execute()
  const others = pending.map((timer) => timer.step).filter((other) => other !== step)
  if (others.length > 0) await cancelTimers(trx, { kind: SITUATION_TIMER, subjectId: id }, others)
}

/**
 * Keeps one timer for the next limit, after each change of the incident or of its units. A limit that passed fires once:
 * its timer is scheduled again only when the limit itself has moved.
 */
export const planLimit = async (trx: Db, id: number): Promise<void> => {
  const limit = await findLimit(trx, id)
  await cancelOthers(trx, id, limit && PREFIX + limit.step)
  if (!limit || limit.pending) return
  const key = { kind: SITUATION_TIMER, subjectId: id, step: PREFIX + limit.step, epoch: 1 }
  await scheduleTimer(trx, key, limit.seconds)
}

export const isLimit = (step: string): boolean => step.startsWith(PREFIX)

/** A limit has passed: an entry of the timeline, which tells the leads. One that moved meanwhile is scheduled again. */
export const passLimit = async (trx: Db, situation: StoredSituation, timerStep: string): Promise<void> => {
  const limit = await findLimit(trx, situation.id)
  if (limit === undefined || PREFIX + limit.step !== timerStep || limit.seconds > 0) return planLimit(trx, situation.id)
  await appendSituationLog(trx, situation, { verb: `overdue${limit.step}`, actor: null })
  await emitSituation(trx, situation)
}
