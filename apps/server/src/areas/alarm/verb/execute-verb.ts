import {
  isConfirmed,
  stateMachine,
  whyNotAllowed,
  type RecordState,
  type Rule,
  type Verb,
} from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { codes } from '@tocsin/contract/codes'
import type { AckStage } from '@tocsin/protocol/ack'
import type { UpdateObject } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { updateChecklistForState } from '#areas/alarm/checklist/response-run'
import { chainEntries } from '#areas/alarm/record-log'
import { loadRecordRows } from '#areas/alarm/record/record-row'
import { endNotifications } from '#areas/alarm/notification/end-notifications'
import { cancelSteps } from '#areas/alarm/timer/schedule-timers'
import { retryTransaction } from '#db/retry'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { type TransactionHook, runHooks } from '#db/transaction-hook'
import type { AllTables } from '#db/tables'
import { type Actor, hasPermission } from '#http/route'
import { convertToLive, passOnKey } from './convert-to-live.ts'
import { notifyDevices } from './device-ack.ts'
import { type Milestone, milestones } from '@tocsin/contract/alarm/milestone'
import { isSampledForReview } from './sample.ts'
import {
  type LockedRecord,
  type UserVerbContext,
  lockForUser,
  rejectWithRecord,
  type VerbContext,
} from './verb-context.ts'
import { updateTimersForState } from './timers.ts'

/** Never before an earlier milestone, even when the clocks of two nodes differ or a clock is set back (invariant 5). */
const nextMilestoneTime = (record: Pick<LockedRecord, Milestone>, now: Date): Date =>
  new Date(Math.max(now.getTime(), ...milestones.map((name) => record[name]?.getTime() ?? 0)))

/** The columns to write: those of the reached milestones that are still empty (invariant 5). */
const newMilestones = (record: Pick<LockedRecord, Milestone>, now: Date, reached: readonly Milestone[]) => {
  const at = nextMilestoneTime(record, now)
  return Object.fromEntries(reached.filter((name) => record[name] === null).map((name) => [name, at]))
}

type Columns = UpdateObject<AllTables, 'warnRecord'>

/**
 * The decision of a verb. State, version, milestones, owner, log, timers, device messages and events follow from it.
 */
export type Outcome = {
  /** The target state, when it depends: `false` of level 1 and 2 waits for a second person. */
  to?: RecordState
  set?: Columns
  reached?: readonly Milestone[]
  /** The arguments as the log stores them; plain JSON. */
  payload?: Record<string, unknown>
  /** The stage sent to the devices that pressed; null when the end of this record is no end for them. */
  stage?: AckStage | null
  /** Every desk rings again. */
  ring?: boolean
}

export type DecideVerb = (context: UserVerbContext) => Promise<Outcome> | Outcome

const milestoneOf: Partial<Record<RecordState, Milestone[]>> = {
  ESCALATED: ['escalatedAt'],
  RESOLVED: ['resolvedAt'],
  CLOSED: ['closedAt'],
}

const hookOf: Partial<Record<RecordState, TransactionHook<{ recordId: number }>>> = {
  ESCALATED: alarmHooks.escalated,
  RESOLVED: alarmHooks.resolved,
  CLOSED: alarmHooks.closed,
}

export const clearedProposal = { falseBy: null, disposition: null, causeCode: null, note: null } as const

const ownerAfter = ({ by, record }: VerbContext, verb: Verb, to: RecordState) => {
  if (to === 'NEW') return { ownerId: null, lastOwnerId: record.ownerId ?? record.lastOwnerId }
  const taken = record.ownerId === null && by !== 'system' && stateMachine[verb].who === 'owner'
  return taken ? { ownerId: by.userId } : {}
}

/** Columns that follow from the change of state alone. */
const stateColumns = ({ record, now }: VerbContext, to: RecordState): Columns => {
  if (to === record.state) return {}
  const reopened = to === 'HANDLING' && (record.state === 'RESOLVED' || record.state === 'CLOSED')
  return {
    state: to,
    ...(record.state === 'CLAIMED' && { leaseSessionId: null, leaseUntil: null }),
    ...(to === 'ESCALATED' && clearedProposal),
    ...(to === 'RESOLVED' && { endedAt: now }),
    ...((to === 'RESOLVED' || to === 'CLOSED') && { shelvedUntil: null, resetAt: record.resetAt }),
    ...(to === 'CLOSED' && { sampled: isSampledForReview(record) }),
    // Ended on a lead's decision, and the device was never reset.
    ...(reopened && record.class === 'PANIC' && record.resetAt === null && { condition: 'ACTIVE' as const }),
    ...(reopened && { ...clearedProposal, resolverId: null, mergedIntoId: null, epoch: record.epoch + 1 }),
  }
}

/** The state that the verb leads to; a confirmed validation counts like handling. */
const realityOf = (verb: Verb, { to, set }: Outcome): Rule['to'] =>
  typeof set?.validation === 'number' && isConfirmed(set.validation) ? 'HANDLING' : (to ?? stateMachine[verb].to)

/**
 * Writes record, log and event in one statement. The record of the context is the result, so that its log continues
 * from there.
 */
const write = async (context: VerbContext, verb: Verb, outcome: Outcome): Promise<LockedRecord> => {
  const { all, by, record, now } = context
  const rule: Rule = stateMachine[verb]
  const to = outcome.to ?? (rule.to === 'same' ? record.state : rule.to)
  const owner = ownerAfter(context, verb, to)
  const reached: Milestone[] = [
    ...(owner.ownerId ? (['claimedAt'] as const) : []),
    ...(to === record.state ? [] : (milestoneOf[to] ?? [])),
    ...(outcome.reached ?? []),
  ]
  const log = chainEntries(record, now, [
    {
      kind: verb === 'note' ? 'NOTE' : 'TRANSITION',
      verb,
      actor: by === 'system' ? by : { id: by.userId, name: by.nickname },
      from: record.state,
      to,
      payload: outcome.payload ?? {},
    },
  ])
  const { id, schoolId, deptId } = record
  return all
    .with('logged', (db) => db.insertInto('warnLog').values(log.rows))
    .with('told', (db) =>
      db.insertInto('event').values({
        type: outcome.ring && !record.commissioning ? 'alarm.again' : 'alarm.changed',
        ref: id,
        schoolId,
        deptId,
      }),
    )
    .updateTable('warnRecord')
    .set({
      ...stateColumns(context, to),
      ...owner,
      ...outcome.set,
      ...newMilestones(record, now, reached),
      ...log.head,
      version: record.version + 1,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The owner acted: this is the first action that T2 waits for. */
const isFirstAction = ({ by, record }: VerbContext, verb: Verb, after: LockedRecord): boolean =>
  after.state === 'CLAIMED' &&
  by !== 'system' &&
  by.userId === record.ownerId &&
  verb !== 'claim' &&
  verb !== 'reassign'

/**
 * Executes one decided verb in the caller's transaction: record, log, timers, device messages, event. The only place
 * that writes a record's state after it was raised.
 */
export const applyOutcome = async (given: VerbContext, verb: Verb, outcome: Outcome): Promise<LockedRecord> => {
  const context = await convertToLive(given, realityOf(verb, outcome))
  const { trx, record } = context
  const after = await write(context, verb, outcome)
  if (record.open && !after.open) await passOnKey(trx, record)
  await updateTimersForState(trx, record, after)
  await updateChecklistForState(trx, record, after)
  await endNotifications(context, after)
  if (isFirstAction(context, verb, after)) await cancelSteps(trx, record.id, 'T2')
  const ended = after.state === 'RESOLVED' && record.state !== 'RESOLVED' ? 'closed' : null
  const stage = outcome.stage === undefined ? ended : outcome.stage
  if (stage) await notifyDevices(context, stage)
  const became = after.state === record.state ? undefined : hookOf[after.state]
  if (became) await runHooks(trx, became, { recordId: record.id })
  return after
}

/** Rejects what the table, the permission or a newer version forbids (DESIGN 5: stale returns the current row). */
export const authorizeVerb = async (context: UserVerbContext, verb: Verb, version?: number): Promise<void> => {
  const { record, by } = context
  if (version !== undefined && version !== record.version) throw await rejectWithRecord(context, codes.stale)
  const code = whyNotAllowed(verb, record, { userId: by.userId, may: hasPermission(by) })
  if (code) throw await rejectWithRecord(context, code, code === codes.wrongState ? { state: record.state } : undefined)
}

/** Runs a verb on records in one transaction and returns the record as lists show it. */
export const inTransaction = async (db: Db, run: (trx: Db) => Promise<LockedRecord>): Promise<WarnRecordRow> => {
  const row = await retryTransaction(() =>
    db.transaction().execute(async (trx) => (await loadRecordRows(trx, [await run(trx)]))[0]),
  )
  wakeSequencer()
  if (!row) throw new Error('a locked record has no row')
  return row
}

export type VerbInput = { id: number; version?: number }

/** The only command function: load under lock, check, decide, execute. */
export const executeVerb = (
  db: Db,
  actor: Actor,
  [verb, input]: [Verb, VerbInput],
  decide: DecideVerb,
): Promise<WarnRecordRow> =>
  inTransaction(db, async (trx) => {
    const locked = await lockForUser(trx, actor, input.id)
    await authorizeVerb(locked, verb, input.version)
    const context = await convertToLive(locked, stateMachine[verb].to)
    return applyOutcome(context, verb, await decide(context))
  })
