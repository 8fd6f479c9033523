import { REOPEN_DAYS } from '@tocsin/contract/alarm/state-machine'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { continueInNewRecord } from './continue-record.ts'
import { type UserVerbContext, lockForUser } from './verb-context.ts'
import { inTransaction, authorizeVerb, applyOutcome, executeVerb } from './execute-verb.ts'

type OnRecord = { id: number; version: number }
type Reasoned = OnRecord & { reason: string }

export const close = (db: Db, actor: Actor, given: OnRecord & { note?: string | null | undefined }) =>
  executeVerb(db, actor, ['close', given], () => ({ payload: { note: given.note ?? null } }))

/** Not good enough: the owner goes on with it; a record that nobody owned becomes the lead's. */
export const reject = (db: Db, actor: Actor, given: Reasoned) =>
  executeVerb(db, actor, ['reject', given], ({ record }) => ({
    set: { ownerId: record.ownerId ?? actor.userId },
    payload: { reason: given.reason },
    ring: true,
  }))

const DAY_MS = 86_400_000

/** The milestone keeps the first closing; the days count from the last one, which the log knows. */
const lastClosed = async ({ all, record, now }: UserVerbContext): Promise<Date> => {
  const entry = await all
    .selectFrom('warnLog')
    .select('at')
    .where('recordId', '=', record.id)
    .where('toState', '=', 'CLOSED')
    .whereRef('fromState', '!=', 'toState')
    .orderBy('no', 'desc')
    .executeTakeFirst()
  return entry?.at ?? record.closedAt ?? now
}

export const reopen = (db: Db, actor: Actor, given: Reasoned) =>
  inTransaction(db, async (trx) => {
    const scene = await lockForUser(trx, actor, given.id)
    await authorizeVerb(scene, 'reopen', given.version)
    const { record, now } = scene
    const closed = await lastClosed(scene)
    if (now.getTime() - closed.getTime() > REOPEN_DAYS * DAY_MS) return continueInNewRecord(scene, given.reason)
    return applyOutcome(scene, 'reopen', {
      set: { ownerId: record.ownerId ?? actor.userId },
      payload: { reason: given.reason },
      ring: true,
    })
  })
