import type { WarnRule } from '@tocsin/contract/alarm/rule'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { faultPoint } from '../../../fault-injection.ts'
import {
  attachSignal,
  type SignalContext,
  suppressSignal,
  type SignalOutcome,
  openUnitOfWork,
  signalLogEntry,
  type RecordKey,
} from './unit-of-work.ts'
import { resolveSignalTimes, TRUSTED_SKEW_MS } from './signal-times.ts'
import { evaluateRules, predictMatch, updateWaits } from './evaluate-rules.ts'
import { isOpen, lockRecordsOfDevice } from './find-records.ts'
import { cancelColumns, orderSensitiveCodes, resetColumns } from './status-columns.ts'
import { matchFromRule, fallbackMatch, noRecordReason, raiseForDuress, matchUnparsable } from './match.ts'
import { type HistoryQuery, loadHistories } from './signal-history.ts'
import { loadSources, lockSchools } from './signal-source.ts'
import { raiseOrUpdateRecord, addOccurrence, recordKeyOf } from './raise.ts'
import { applyRecovery, rulesRecoveredBy, recoveryKeys } from './recover.ts'
import type { NormalizedSignal } from './signal.ts'
import { toAckStage, buildStageReceipt, isSilencedByCancel } from './ack-stage.ts'
import type { LockedRecord, DeviceReceipt } from './pending-writes.ts'

/** The answer to whoever brought a signal, which is accepted; a repeat gets the same. */
export type IngestResult = {
  signalId: number
  recordId: number | null
  recordNo: string | null
  duplicate: boolean
  /** The signal raised a record. */
  fresh: boolean
}

export type IngestRequest = {
  deviceId: number
  /** The signal, given when it came by the database's clock. */
  hear: (receivedAt: Date) => NormalizedSignal
  /** Reading of performance.now() when it came; absent for what is concluded now. */
  arrivedAt?: number
  /** The caller hands the receipt to the device himself; the row is there in case it does not arrive. */
  direct?: boolean
  /** The rule whose waiting ended: it decides alone. */
  forced?: WarnRule
}

const ACK_VALID_SEC = 86_400
const TIME_VALID_SEC = 60

/** A press made under duress reaches the record the device raised, whatever its class; else it raises one. */
const duress = async (intake: SignalContext, rules: readonly WarnRule[]): Promise<SignalOutcome> => {
  const { source, heard } = intake
  const subject = { ...source, zone: heard.ownZone }
  const rule = rules.find((one) => one.enabled && !one.shadow && one.matchCodes.includes(heard.code))
  const match = raiseForDuress(rule ? matchFromRule(subject, rule) : fallbackMatch(subject))
  const [record] = await lockRecordsOfDevice(intake)
  return record && isOpen(record) ? addOccurrence(intake, record, match) : raiseOrUpdateRecord(intake, match)
}

/** What it is about: a cancel of what is open and was heard last, a reset of all that the device calls for by hand. */
const meant = (raised: readonly LockedRecord[], verb: 'cancel' | 'reset'): readonly LockedRecord[] => {
  if (verb === 'cancel') return raised.filter(isOpen).slice(0, 1)
  const panics = raised.filter((one) => one.class === 'PANIC')
  const open = panics.filter(isOpen)
  return open.length > 0 ? open : panics.slice(0, 1)
}

/** A cancel or a manual reset: remarked on what the device raised, never an end of it (domain 6.8, GB 50394). */
const remark = async (intake: SignalContext, verb: 'cancel' | 'reset'): Promise<SignalOutcome> => {
  const { book, source } = intake
  const [record, ...others] = meant(await lockRecordsOfDevice(intake), verb)
  if (!record) return suppressSignal(intake, 'INFORMATION')
  // On a record shared with others each device speaks for itself only.
  const own = ({ deviceId }: LockedRecord) => deviceId === source.deviceId
  const change = (of: LockedRecord) => ({
    patch: own(of) ? (verb === 'cancel' ? cancelColumns(intake, of.id) : resetColumns(intake, of.id)) : {},
    entries: [signalLogEntry(intake, verb)],
  })
  const after = attachSignal(intake, record, change(record))
  // A signal belongs to one record only (invariant 1); the logs of the others tell of it too.
  const told = others.filter(own).map((other) => book.change(other.id, { at: source.now, ...change(other) }))
  return {
    record: after,
    fresh: false,
    events: [after, ...told].map(({ id }) => ({ type: 'alarm.changed', ref: id })),
  }
}

const byRules = async (intake: SignalContext, rules: readonly WarnRule[]): Promise<SignalOutcome> => {
  const recovering = rulesRecoveredBy(intake, rules)
  await updateWaits(intake, rules)
  const verdict = await evaluateRules(intake, rules)
  const landed = 'match' in verdict ? await raiseOrUpdateRecord(intake, verdict.match) : undefined
  const settled = recovering.length > 0 ? await applyRecovery(intake, recovering, landed) : landed
  if (settled) return settled
  const reasons = 'met' in verdict ? verdict.met : new Set<never>()
  return suppressSignal(intake, noRecordReason(intake.heard.code, reasons, recovering.length > 0))
}

/** What a signal becomes when nothing has to be asked for first; the records of its key are read ahead. */
const expected = ({ heard, source }: HistoryQuery, rules: readonly WarnRule[], forced?: WarnRule) => {
  const subject = { ...source, zone: heard.ownZone }
  if (forced) return matchFromRule(subject, forced)
  if (heard.kind === 'UNPARSABLE') return matchUnparsable(subject)
  return remarks.has(heard.code) ? undefined : predictMatch({ source, heard }, rules)
}

/** What is about a record that stands already, whatever its key. */
const remarks = new Set(['DURESS_CANCEL', 'CANCEL', 'MANUAL_RESET'])

const land = async (intake: SignalContext, rules: readonly WarnRule[], forced?: WarnRule): Promise<SignalOutcome> => {
  const { heard, source } = intake
  const subject = { ...source, zone: heard.ownZone }
  if (forced) return raiseOrUpdateRecord(intake, matchFromRule(subject, forced))
  if (heard.kind === 'UNPARSABLE') return raiseOrUpdateRecord(intake, matchUnparsable(subject))
  if (heard.code === 'DURESS_CANCEL') return duress(intake, rules)
  if (heard.code === 'CANCEL') return remark(intake, 'cancel')
  if (heard.code === 'MANUAL_RESET') return remark(intake, 'reset')
  return byRules(intake, rules)
}

type Answer = Pick<IngestResult, 'recordNo'>

/**
 * Of a press on a record that somebody works on already: help is on its way for this press too. Beside the receipt, not
 * in its place: only `accepted` ends the device's repeating.
 */
const furtherStage = ({ source, heard }: SignalContext, record: LockedRecord | null): DeviceReceipt[] => {
  if (
    record === null ||
    record.silent ||
    heard.ackId === null ||
    heard.kind !== 'ALARM' ||
    isSilencedByCancel(heard.code)
  )
    return []
  const stage = toAckStage(record)
  return stage === 'accepted'
    ? []
    : [buildStageReceipt(record, stage, { deviceId: source.deviceId, eventId: heard.ackId })]
}

const receipts = ({ source, heard, clock }: SignalContext, { recordNo }: Answer): DeviceReceipt[] => {
  const { deviceId } = source
  const ack = { eventId: heard.ackId, stage: 'accepted', ...(recordNo !== null && { recordNo }) }
  const time = { ts: source.now.getTime() }
  return [
    ...(heard.ackId === null
      ? []
      : [{ deviceId, channel: 'ack' as const, key: heard.ackId, payload: ack, seconds: ACK_VALID_SEC }]),
    ...(Math.abs(clock.skewMs ?? 0) > TRUSTED_SKEW_MS
      ? [{ deviceId, channel: 'time' as const, key: 'time', payload: time, seconds: TIME_VALID_SEC }]
      : []),
  ]
}

/** What every intake ends with: receipts for the device, its last sign of life, events for screens and gateways. */
const tell = (
  intake: SignalContext,
  answer: Answer,
  { record, events }: Pick<SignalOutcome, 'record' | 'events'>,
  direct = false,
) => {
  const { source, heard, clock } = intake
  const { deviceId, schoolId, deptId, now } = source
  const sheet = intake.book.sheet()
  const rows = [...receipts(intake, answer), ...furtherStage(intake, record)]
  sheet.receipts.push(...rows)
  if (heard.kind === 'ALARM' || heard.kind === 'UNPARSABLE')
    sheet.seen.push({ deviceId, at: now, skewMs: clock.skewMs })
  const seenBy = record ? { schoolId: record.schoolId, deptId: record.deptId } : { schoolId, deptId }
  sheet.events.push(...events.map((event) => ({ ...event, ...seenBy })))
  if (rows.some(({ key }) => key !== heard.ackId || !direct))
    sheet.events.push({ type: 'device.outbox', ref: deviceId, ...seenBy })
}

type Taken = { intake: SignalContext; answer: Omit<IngestResult, 'signalId'>; signalId: number | undefined }

const sameAgain = (intake: SignalContext, taking: IngestRequest): Taken | undefined => {
  const { same } = intake.past
  if (!same) return undefined
  const { id: signalId, recordId, no: recordNo } = same
  tell(intake, { recordNo }, { record: null, events: [] }, taking.direct)
  return { intake, signalId, answer: { recordId, recordNo, duplicate: true, fresh: false } }
}

const takeOne = async (intake: SignalContext, taking: IngestRequest, rules: readonly WarnRule[]): Promise<Taken> => {
  const again = sameAgain(intake, taking)
  if (again) return again
  const landed = await land(intake, rules, taking.forced)
  const { record, fresh } = landed
  const answer = { recordNo: record?.no ?? null }
  tell(intake, answer, landed, taking.direct)
  return { intake, signalId: undefined, answer: { ...answer, recordId: record?.id ?? null, duplicate: false, fresh } }
}

const about = (rules: readonly WarnRule[], code: string) =>
  rules.filter((rule) => rule.matchCodes.includes(code) || rule.recoverCodes.includes(code))

/** By the database's clock: what an outage of it kept waiting did not come when it was over. */
const cameAt = (now: Date, arrivedAt: number | undefined): Date =>
  arrivedAt === undefined ? now : new Date(now.getTime() - Math.round(performance.now() - arrivedAt))

/** What the device said and where it hangs, under the turns of everything that is shared. */
const hearAll = async (
  trx: Db,
  takings: readonly IngestRequest[],
  rules: readonly WarnRule[],
): Promise<HistoryQuery[]> => {
  const all = unscoped(trx, 'what a device says is taken in for nobody in particular')
  const ids = takings.map(({ deviceId }) => deviceId)
  const given = (await loadSources(all, ids)).flatMap((source, i) => {
    const receivedAt = cameAt(source.now, takings[i]?.arrivedAt)
    const heard = takings[i]?.hear(receivedAt)
    if (!heard) return []
    const { replay, skewMs: saidSkewMs, stamp } = heard
    const clock = resolveSignalTimes(stamp, { receivedAt, replay, saidSkewMs, knownSkewMs: source.skewMs })
    return [{ source, heard, clock, codes: orderSensitiveCodes(about(rules, heard.code)) }]
  })
  const shared = given.flatMap(({ source, heard }, i) => {
    const mine = [...about(rules, heard.code), ...(takings[i]?.forced ? [takings[i].forced] : [])]
    return mine.some(({ dedupBy }) => dedupBy === 'SCHOOL') ? (source.schoolId ?? []) : []
  })
  await lockSchools(all, shared)
  return given
}

/**
 * Takes signals of different devices in, one after the other, inside the caller's transaction: signal, record, log,
 * timers, receipts, events. What all of them need is read together and what follows from them is written together.
 */
export const ingestAll = async (
  trx: Db,
  takings: readonly IngestRequest[],
  rules: readonly WarnRule[],
): Promise<IngestResult[]> => {
  const all = unscoped(trx, 'what a device says is taken in for nobody in particular')
  const given = await hearAll(trx, takings, rules)
  const pasts = await loadHistories(all, given)
  const book = openUnitOfWork(trx, all)
  const wanted = given.flatMap((one, i): RecordKey[] => {
    if (pasts[i]?.same) return []
    const match = expected(one, rules, takings[i]?.forced)
    return [...(match ? [recordKeyOf(one, match)] : []), ...recoveryKeys(one, rules)]
  })
  await book.open(wanted)
  const taken: Taken[] = []
  for (const [i, taking] of takings.entries()) {
    const [one, past] = [given[i], pasts[i]]
    if (one && past) taken.push(await takeOne({ trx, all, book, ...one, past }, taking, rules))
  }
  await book.finish()
  faultPoint('afterInsert')
  return taken.map(({ intake, answer, signalId }) => ({
    signalId: signalId ?? book.signalOf(intake.source.deviceId),
    ...answer,
  }))
}

/** The same for one signal. */
export const ingestOne = async (trx: Db, taking: IngestRequest, rules: readonly WarnRule[]): Promise<IngestResult> => {
  const [taken] = await ingestAll(trx, [taking], rules)
  if (!taken) throw new Error(`nothing was taken in of device ${taking.deviceId}`)
  return taken
}
