import { REOPEN_DAYS } from '@tocsin/contract/alarm/state-machine'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'
import { continueInNewRecord } from './continue-record.ts'
import { assertChecklistDone } from '#areas/alarm/checklist/response-run'
import { attachEvidence, type Evidence } from '#areas/alarm/record/evidence'
import { type UserVerbContext, lockForUser } from './verb-context.ts'
import { inTransaction, authorizeVerb, applyOutcome, executeVerb } from './execute-verb.ts'

type OnRecord = { id: number; version: number }
type Reasoned = OnRecord & { reason: string }
type Closing = OnRecord & { note?: string | null | undefined; attachments?: Evidence }

export const close = (db: Db, actor: Actor, input: Closing) =>
  executeVerb(db, actor, ['close', input], async ({ trx, record }) => {
    await assertChecklistDone(trx, record.id, record.disposition)
    const kept = await attachEvidence(trx, { recordId: input.id, actor, files: input.attachments })
    return { payload: { note: input.note ?? null, ...kept } }
  })

/** Returns the record to its owner; one without an owner goes to the lead. */
export const reject = (db: Db, actor: Actor, input: Reasoned) =>
  executeVerb(db, actor, ['reject', input], ({ record }) => ({
    set: { ownerId: record.ownerId ?? actor.userId },
    payload: { reason: input.reason },
    ring: true,
  }))

const DAY_MS = 86_400_000

/** The milestone keeps the first closing. The days count from the last one, which the log contains. */
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
