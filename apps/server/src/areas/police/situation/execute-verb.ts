import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import { codes } from '@tocsin/contract/codes'
import type { ReportKind } from '@tocsin/contract/police/report-kind'
import type { SituationRow } from '@tocsin/contract/police/situation'
import {
  ARCHIVE_AFTER_SEC,
  openSituationStates,
  situationRule,
  type SituationState,
  type SituationVerb,
  whyNotSituation,
} from '@tocsin/contract/police/situation-machine'
import { situations } from '@tocsin/contract/police/situations'
import { type Updateable, sql } from 'kysely'
import { z } from 'zod'
import { lockRecords } from '#areas/alarm/verb/verb-context'
import { writeAudit } from '#areas/audit/audit'
import { runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { setFileReferences } from '#areas/files/store-file'
import { cancelDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { cancelTimers, scheduleTimer } from '#timer/timer'
import { planLimit, SITUATION_TIMER } from './limits.ts'
import { appendSituationLog, emitSituation } from './situation-log.ts'
import { loadSituationRow, type StoredSituation } from './situation-rows.ts'

export const ARCHIVE_STEP = 'ARCHIVE'

/** An incident under its row lock, and the database's clock. */
export type LockedSituation = { trx: Db; situation: StoredSituation; now: Date }
export type SituationContext = LockedSituation & { caller: Caller }

/** The decision of a verb; state, version, milestones, timeline, timers and events follow from it. */
export type SituationOutcome = {
  to?: SituationState
  set?: Updateable<AllTables['policeSituation']>
  reached?: readonly SituationMilestone[]
  text?: string | null
  unitName?: string | null
  fileIds?: readonly number[]
  reportKind?: ReportKind
}

const milestones = [
  'receivedAt',
  'claimedAt',
  'dispatchedAt',
  'signedAt',
  'departedAt',
  'arrivedAt',
  'fedBackAt',
  'closedAt',
] as const
export type SituationMilestone = (typeof milestones)[number]

/** Write-once and never before an earlier one, whatever the clocks of two nodes show (invariant 5). */
export const newMilestones = (situation: StoredSituation, now: Date, reached: readonly SituationMilestone[]) => {
  const at = new Date(Math.max(now.getTime(), ...milestones.map((name) => situation[name]?.getTime() ?? 0)))
  return Object.fromEntries(reached.filter((name) => situation[name] === null).map((name) => [name, at]))
}

const all = (trx: Db) => unscoped(trx, 'the incident was found in sight, or acts for the system')

/** Alarms of an incident and of those merged into it: their rows are locked before the incident (decision 016). */
const recordsOf = async (trx: Db, ids: readonly number[]): Promise<number[]> => {
  const rows = await all(trx)
    .selectFrom('policeSituation')
    .select('warnRecordId')
    .where((eb) => eb.or([eb('id', 'in', ids), eb('mergedIntoId', 'in', ids)]))
    .where('warnRecordId', 'is not', null)
    .execute()
  return rows.flatMap(({ warnRecordId }) => warnRecordId ?? [])
}

/** Locks alarms, then assignments, then incidents, each in the order of their ids. */
export const lockSituations = async (trx: Db, ids: readonly number[]): Promise<LockedSituation[]> => {
  if (ids.length === 0) return []
  const records = await recordsOf(trx, ids)
  if (records.length > 0) await lockRecords(trx, records, true)
  await all(trx)
    .selectFrom('assignment')
    .select('id')
    .where('situationId', 'in', ids)
    .where('state', 'in', activeAssignmentStates)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const rows = await all(trx)
    .selectFrom('policeSituation')
    .selectAll()
    .select(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ now, ...situation }) => ({ trx, situation, now }))
}

/** Locks a visible incident, and the visible ones of `others`; an invisible one is reported as missing. */
export const lockForCaller = async (
  trx: Db,
  caller: Caller,
  id: number,
  others: readonly number[] = [],
): Promise<{ context: SituationContext; others: LockedSituation[] }> => {
  const wanted = [...new Set([id, ...others])]
  const seen = await scoped(trx, caller.actor)
    .selectFrom('policeSituation')
    .select('id')
    .where('id', 'in', wanted)
    .execute()
  const locked = await lockSituations(
    trx,
    seen.map((row) => row.id),
  )
  const found = locked.find(({ situation }) => situation.id === id)
  if (!found) throw new BusinessError(codes.notFound, { what: '警单' })
  return { context: { ...found, caller }, others: locked.filter((item) => item !== found) }
}

const reject = async ({ trx, situation }: LockedSituation, code: (typeof codes)[keyof typeof codes]) => {
  const current = z.encode(situations.page.data.shape.list.element, await loadSituationRow(trx, situation.id))
  const params = code === codes.situationState ? { state: situation.state } : undefined
  return new BusinessError(code, params, { current })
}

/** Rejects what the table, the permission or a newer version forbids. */
export const authorizeSituation = async (
  context: SituationContext,
  verb: SituationVerb,
  version: number,
): Promise<void> => {
  const { situation, caller } = context
  if (version !== situation.version) throw await reject(context, codes.stale)
  const code = whyNotSituation(verb, situation, hasPermission(caller.actor))
  if (code) throw await reject(context, code)
}

const planArchive = async (trx: Db, before: StoredSituation, after: StoredSituation): Promise<void> => {
  const key = { kind: SITUATION_TIMER, subjectId: after.id }
  if (after.state === 'CLOSED' && before.state !== 'CLOSED')
    await scheduleTimer(trx, { ...key, step: ARCHIVE_STEP, epoch: 1 }, ARCHIVE_AFTER_SEC)
  else if (before.state === 'CLOSED' && after.state !== 'CLOSED') await cancelTimers(trx, key, [ARCHIVE_STEP])
}

export const isOpenSituation = ({ state }: Pick<StoredSituation, 'state'>): boolean =>
  openSituationStates.some((open) => open === state)

const restarting: readonly SituationVerb[] = ['again', 'reopen', 'unmerge']

/**
 * The limits count from now on when the incident comes back, and at each claim and dispatch after that, whose
 * milestones are those of the first time.
 */
const restartLimits = (
  situation: StoredSituation,
  now: Date,
  verb: SituationVerb,
  reached: readonly SituationMilestone[] = [],
) => {
  const last = reached.at(-1)
  const isRepeated = (last === 'claimedAt' || last === 'dispatchedAt') && situation[last] !== null
  return restarting.includes(verb) || isRepeated ? { limitsFrom: now } : {}
}

/**
 * Applies a decided verb in the caller's transaction: row, timeline, audit of a user, timers, event. The only place
 * that writes the state of an incident after its creation.
 */
export const applySituation = async (
  { trx, situation: before, now }: LockedSituation,
  caller: Caller | null,
  verb: SituationVerb,
  outcome: SituationOutcome = {},
): Promise<StoredSituation> => {
  const rule = situationRule(verb)
  const to = outcome.to ?? (rule.to === 'same' ? before.state : rule.to)
  const after = await all(trx)
    .updateTable('policeSituation')
    .set({
      ...outcome.set,
      ...newMilestones(before, now, outcome.reached ?? []),
      ...restartLimits(before, now, verb, outcome.reached),
      state: to,
      version: before.version + 1,
      updateTime: now,
      ...(caller && { updater: caller.actor.userId }),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { text = null, unitName = null, fileIds = [], reportKind = null } = outcome
  const entry = { verb, actor: caller?.actor ?? null, from: before.state, to, unitName, text, fileIds, reportKind }
  const logId = await appendSituationLog(trx, before, entry)
  if (caller) {
    if (fileIds.length > 0)
      await setFileReferences(trx, caller.actor, { subject: 'police_situation_log', subjectId: logId }, fileIds)
    await writeAudit(trx, {
      ...caller,
      action: rule.permission,
      subject: 'police_situation',
      subjectId: before.id,
      before: toAuditState(before),
      after: toAuditState(after),
    })
  }
  await planArchive(trx, before, after)
  await planLimit(trx, after.id)
  if (isOpenSituation(before) && !isOpenSituation(after))
    await cancelDeliveries(trx, { type: 'SITUATION', id: after.id }, 'ENDED')
  await emitSituation(trx, after)
  return after
}

export type SituationInput = { id: number; version: number }
type Work = {
  /** Checks the verb against the locked incident and returns the change. */
  decide?: (context: SituationContext) => Promise<SituationOutcome> | SituationOutcome
  /** Runs afterwards in the same transaction. */
  after?: (context: SituationContext) => Promise<unknown>
}

/** The one command function: load under lock, authorize, decide, apply. */
export const executeSituation = (
  db: Db,
  caller: Caller,
  [verb, input]: [SituationVerb, SituationInput],
  { decide, after }: Work,
): Promise<SituationRow> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { context } = await lockForCaller(trx, caller, input.id)
    await authorizeSituation(context, verb, input.version)
    const situation = await applySituation(context, caller, verb, await decide?.(context))
    await after?.({ ...context, situation })
    return loadSituationRow(trx, input.id)
  })
