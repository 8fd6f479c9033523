import { LEASE_SEC, stateMachine } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { issueText } from '@tocsin/contract/issue'
import { sql } from 'kysely'
import { loadRecordRows } from '#areas/alarm/record/record-row'
import { loadAssignees } from '#areas/alarm/record/assignees'
import { scheduleLeaseExpiry, scheduleStep } from '#areas/alarm/timer/schedule-timers'
import type { Db } from '#db/db'
import { ValidationError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'
import { type LockedRecord, type UserVerbContext, lockForUser, rejectWithRecord } from './verb-context.ts'
import { inTransaction, authorizeVerb, applyOutcome, executeVerb } from './execute-verb.ts'

/** The clock of the database decides how long a claim lasts. */
const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SEC})`

const lapsed = ({ record, now }: UserVerbContext): boolean => record.leaseUntil !== null && record.leaseUntil <= now

const take = (context: UserVerbContext, payload: Record<string, unknown> = {}): Promise<LockedRecord> =>
  applyOutcome(context, 'claim', {
    set: { ownerId: context.by.userId, leaseSessionId: context.by.sessionId, leaseUntil: leaseEnd },
    reached: ['claimedAt'],
    payload,
    stage: 'claimed',
  })

/** The same person at another desk, or a repeated request: the lease moves or is extended. */
const takeOverRecord = async (context: UserVerbContext): Promise<LockedRecord> => {
  const { all, record, by } = context
  if (record.leaseSessionId !== by.sessionId)
    return applyOutcome(context, 'claim', {
      to: 'CLAIMED',
      set: { leaseSessionId: by.sessionId, leaseUntil: leaseEnd },
      payload: { takenOver: true },
    })
  return all
    .updateTable('warnRecord')
    .set({ leaseUntil: leaseEnd })
    .where('id', '=', record.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const ownerName = async ({ trx, record }: UserVerbContext): Promise<string> =>
  (await loadRecordRows(trx, [record]))[0]?.ownerName ?? ''

/**
 * The row lock lets one of any number of desks win; the others learn who. An expired lease whose timer is late counts
 * as lost.
 */
const claimLocked = async (context: UserVerbContext): Promise<LockedRecord> => {
  const { record, by } = context
  if (record.state === 'CLAIMED' && record.ownerId === by.userId) return takeOverRecord(context)
  if (record.state === 'CLAIMED' && lapsed(context)) {
    const lost = await applyOutcome({ ...context, by: 'system' }, 'loseLease', {
      payload: { reason: 'LEASE' },
      ring: true,
    })
    return take({ ...context, record: lost })
  }
  if (record.ownerId !== null && record.open)
    throw await rejectWithRecord(context, codes.alreadyClaimed, { owner: await ownerName(context) })
  await authorizeVerb(context, 'claim')
  return take(context)
}

export const claim = (db: Db, actor: Actor, { id }: { id: number }) =>
  inTransaction(db, async (trx) => claimLocked(await lockForUser(trx, actor, id)))

/** Takes over an escalated record without an owner. One of several wins; the others learn who. */
export const claimEscalated = (db: Db, actor: Actor, { id }: { id: number }) =>
  inTransaction(db, async (trx) => {
    const context = await lockForUser(trx, actor, id)
    const { ownerId, state } = context.record
    if (state === 'ESCALATED' && ownerId !== null && hasPermission(actor)(stateMachine.take.permission)) {
      if (ownerId === actor.userId) return context.record
      throw await rejectWithRecord(context, codes.alreadyClaimed, { owner: await ownerName(context) })
    }
    await authorizeVerb(context, 'take')
    return applyOutcome(context, 'take', { set: { ownerId: actor.userId }, reached: ['claimedAt'], stage: 'claimed' })
  })

export const release = (db: Db, actor: Actor, { id }: { id: number }) =>
  inTransaction(db, async (trx) => {
    const context = await lockForUser(trx, actor, id)
    const { state, lastOwnerId } = context.record
    if (state === 'NEW' && lastOwnerId === actor.userId) throw await rejectWithRecord(context, codes.leaseLost)
    await authorizeVerb(context, 'release')
    return applyOutcome(context, 'release', { ring: true })
  })

/** A release within this time is a mistake; later it needs a reason (domain 2.8). */
const REASON_AFTER_MS = 20_000

const notChooseable = () => {
  const label = { title: '转交给', titleEn: 'Give to' }
  const error = { field: 'userId', rule: 'choice', label } as const
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}

type Reassign = { id: number; version: number; userId: number; reason?: string | undefined }

export const reassign = (db: Db, actor: Actor, input: Reassign) =>
  executeVerb(db, actor, ['reassign', input], async (context) => {
    const { trx, record, now } = context
    const long = record.claimedAt !== null && now.getTime() - record.claimedAt.getTime() > REASON_AFTER_MS
    if (long && !input.reason) throw await rejectWithRecord(context, codes.reasonNeeded)
    const chosen = (await loadAssignees(trx, record.id)).find(({ id }) => id === input.userId)
    if (!chosen) throw notChooseable()
    if (record.state === 'CLAIMED') {
      await scheduleLeaseExpiry(trx, record)
      await scheduleStep(trx, record, 'T2')
    }
    return {
      set: {
        ownerId: chosen.id,
        lastOwnerId: record.ownerId ?? record.lastOwnerId,
        // The first desk of the new owner that answers gets the lease. If none does, the record rings again.
        ...(record.state === 'CLAIMED' && { leaseSessionId: null, leaseUntil: leaseEnd }),
      },
      reached: ['claimedAt'],
      payload: { userId: chosen.id, name: chosen.name, reason: input.reason ?? null },
      ring: true,
    }
  })
