import { REOPEN_DAYS } from '@tocsin/contract/alarm/state-machine'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { continueInNewRecord } from './continue-record.ts'
import { type UserVerbContext, lockForUser } from './verb-context.ts'
import { inTransaction, authorizeVerb, applyOutcome, executeVerb } from './execute-verb.ts'

type OnRecord = { id: number; version: number }
type Reasoned = OnRecord & { reason: string }

export const close = (db: Db, actor: Actor, input: OnRecord & { note?: string | null | undefined }) =>
  executeVerb(db, actor, ['close', input], () => ({ payload: { note: input.note ?? null } }))

/** Not good enough: the owner goes on with it; a record that nobody owned becomes the lead's. */
export const reject = (db: Db, actor: Actor, input: Reasoned) =>
  executeVerb(db, actor, ['reject', input], ({ record }) => ({
    set: { ownerId: record.ownerId ?? actor.userId },
    payload: { reason: input.reason },
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

export const reopen = (db: Db, actor: Actor, input: Reasoned) =>
  inTransaction(db, async (trx) => {
    const context = await lockForUser(trx, actor, input.id)
    await authorizeVerb(context, 'reopen', input.version)
    const { record, now } = context
    const closed = await lastClosed(context)
    if (now.getTime() - closed.getTime() > REOPEN_DAYS * DAY_MS) return continueInNewRecord(context, input.reason)
    return applyOutcome(context, 'reopen', {
      set: { ownerId: record.ownerId ?? actor.userId },
      payload: { reason: input.reason },
      ring: true,
    })
  })
