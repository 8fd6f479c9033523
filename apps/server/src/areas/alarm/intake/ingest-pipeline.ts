import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { isOnlyExpectedPress } from '@tocsin/contract/alarm/state-machine'
import { TRUSTED_SKEW_MS } from '@tocsin/contract/device/device'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { faultPoint } from '../../../fault-injection.ts'
import { buildStageReceipt, isSilencedByCancel, toAckStage } from '#areas/alarm/verb/device-ack'
import {
  countShadowHits,
  evaluateRules,
  fallbackMatch,
  matchFromRule,
  matchUnparsable,
  noRecordReason,
  predictOutcome,
  raiseForDuress,
  rulesAbout,
  updateWaits,
} from './evaluate-rules.ts'
import { announceLatch, deviceStateRows, noteCancel, noteReset } from './button-state.ts'
import { ofExpectation, withExpectedPresses } from './expected-presses.ts'
import { locateReplays } from './locate-replays.ts'
import { type HistoryQuery, loadHistories } from './signal-history.ts'
import { loadSources, lockSchools, type SignalExtent, widenSource } from './signal-source.ts'
import { type NormalizedSignal, withReusedEventId } from './normalize-signal.ts'
import { arrivalTime, isClockKnown, resolveSignalTimes } from './signal-times.ts'
import { type DeviceReceipt, isOpen, type LockedRecord } from './pending-writes.ts'
import { loadRuleLimits } from './rule-limits.ts'
import { lockRecordsOfDevice, recordKeyOf } from './find-records.ts'
import { addOccurrence, raiseOrUpdateRecord } from './raise-or-update.ts'
import { applyRecovery, orderSensitiveCodes, recoveryKeys, rulesRecoveredBy } from './recover.ts'
import {
  openUnitOfWork,
  type RecordKey,
  type SignalContext,
  type SignalOutcome,
  suppressSignal,
} from './unit-of-work.ts'

/** The answer to the caller that delivered a signal. A duplicate delivery gets the same answer. */
export type IngestResult = {
  signalId: number
  recordId: number | null
  recordNo: string | null
  duplicate: boolean
  /** The signal raised a record. */
  created: boolean
}

export type IngestRequest = {
  deviceId: number
  /** Builds the signal from its time of arrival by the database clock. */
  normalize: (receivedAt: Date) => NormalizedSignal
  /** Reading of performance.now() on arrival; absent when the server raises the signal now. */
  arrivedAt?: number
  /** The caller sends the receipt to the device; the outbox row is the fallback when that fails. */
  direct?: boolean
  /** The rule whose timer ended. Only this rule decides. */
  forced?: WarnRule
  /** When the condition of that rule began, which may have been at an earlier place. */
  beganAt?: Date
  /** The signal concerns more than the device that sends it. */
  extent?: SignalExtent
}

const ACK_VALID_SEC = 86_400
const TIME_VALID_SEC = 60

/** Adds a duress signal to the open record of the device, whatever its class; raises a record where none is open. */
const handleDuress = async (context: SignalContext, rules: readonly WarnRule[]): Promise<SignalOutcome> => {
  const { source, signal } = context
  const subject = { ...source, zone: signal.ownZone }
  const rule = rules.find((rule) => rule.enabled && !rule.shadow && rule.matchCodes.includes(signal.code))
  const match = raiseForDuress(rule ? matchFromRule(subject, rule) : fallbackMatch(subject))
  // An expected press does not ring, so that the duress must not join it.
  const record = (await lockRecordsOfDevice(context)).find((found) => isOpen(found) && !isOnlyExpectedPress(found))
  return record ? addOccurrence(context, record, match) : raiseOrUpdateRecord(context, match)
}

const applyRules = async (context: SignalContext, rules: readonly WarnRule[]): Promise<SignalOutcome> => {
  const recovering = rulesRecoveredBy(context, rules)
  await updateWaits(context, rules)
  const verdict = await evaluateRules(context, rules)
  await countShadowHits(context, rules)
  const outcome =
    'match' in verdict ? await raiseOrUpdateRecord(context, ofExpectation(context, verdict.match)) : undefined
  const recovered = recovering.length > 0 ? await applyRecovery(context, recovering, outcome) : outcome
  if (recovered) return recovered
  const reasons = 'reasons' in verdict ? verdict.reasons : new Set<never>()
  return suppressSignal(context, noRecordReason(context.signal.code, reasons, recovering.length > 0))
}

const decideOutcome = async (
  context: SignalContext,
  rules: readonly WarnRule[],
  forced?: WarnRule,
): Promise<SignalOutcome> => {
  const { signal, source } = context
  const subject = { ...source, zone: signal.ownZone }
  if (forced) return raiseOrUpdateRecord(context, matchFromRule(subject, forced))
  if (signal.kind === 'UNPARSABLE') return raiseOrUpdateRecord(context, matchUnparsable(subject))
  if (signal.code === 'DURESS_CANCEL') return handleDuress(context, rules)
  if (signal.code === 'CANCEL') return noteCancel(context)
  if (signal.code === 'MANUAL_RESET') return noteReset(context)
  return applyRules(context, rules)
}

type Acceptance = Pick<IngestResult, 'recordNo'>

/**
 * The stage of a record that is being handled already, for a further press on it. It is sent beside the receipt, because
 * only `accepted` stops the repeats of the device.
 */
const currentStageReceipt = ({ source, signal }: SignalContext, record: LockedRecord | null): DeviceReceipt[] => {
  if (
    record === null ||
    record.silent ||
    // The device hangs elsewhere now, where nothing of this record may show.
    source.installedTo !== null ||
    signal.ackId === null ||
    signal.kind !== 'ALARM' ||
    isSilencedByCancel(signal.code)
  )
    return []
  const stage = toAckStage(record)
  return stage === 'accepted'
    ? []
    : [buildStageReceipt(record, stage, { deviceId: source.deviceId, eventId: signal.ackId })]
}

const acceptanceReceipts = ({ source, signal, clock }: SignalContext, { recordNo }: Acceptance): DeviceReceipt[] => {
  const { deviceId } = source
  const ack = { eventId: signal.ackId, stage: 'accepted', ...(recordNo !== null && { recordNo }) }
  const time = { ts: source.now.getTime() }
  return [
    ...(signal.ackId === null
      ? []
      : [{ deviceId, channel: 'ack' as const, key: signal.ackId, payload: ack, seconds: ACK_VALID_SEC }]),
    ...(Math.abs(clock.skewMs ?? 0) > TRUSTED_SKEW_MS
      ? [{ deviceId, channel: 'time' as const, key: 'time', payload: time, seconds: TIME_VALID_SEC }]
      : []),
  ]
}

/** Queues the receipts for the device, its last activity and the events for screens and gateways. */
const queueNotifications = (
  context: SignalContext,
  answer: Acceptance,
  { record, events }: Pick<SignalOutcome, 'record' | 'events'>,
  direct = false,
) => {
  const { source, signal } = context
  const { deviceId, schoolId, deptId } = source
  const writes = context.unitOfWork.writes()
  const rows = [...acceptanceReceipts(context, answer), ...currentStageReceipt(context, record)]
  writes.receipts.push(...rows)
  writes.seen.push(...deviceStateRows(context, record))
  const seenBy = record ? { schoolId: record.schoolId, deptId: record.deptId } : { schoolId, deptId }
  writes.events.push(...events.map((event) => ({ ...event, ...seenBy })))
  if (rows.some(({ key }) => key !== signal.ackId || !direct))
    writes.events.push({ type: 'device.outbox', ref: deviceId, ...seenBy })
}

type ProcessedSignal = { context: SignalContext; answer: Omit<IngestResult, 'signalId'>; signalId: number | undefined }

const answerDuplicate = (context: SignalContext, request: IngestRequest): ProcessedSignal | undefined => {
  const { duplicate } = context.history
  if (!duplicate) return undefined
  const { id: signalId, recordId, no: recordNo } = duplicate
  queueNotifications(context, { recordNo }, { record: null, events: [] }, request.direct)
  return { context, signalId, answer: { recordId, recordNo, duplicate: true, created: false } }
}

const processSignal = async (
  context: SignalContext,
  request: IngestRequest,
  rules: readonly WarnRule[],
): Promise<ProcessedSignal> => {
  const duplicate = answerDuplicate(context, request)
  if (duplicate) return duplicate
  const outcome = await decideOutcome(context, rules, request.forced)
  const { record, created } = outcome
  const answer = { recordNo: record?.no ?? null }
  await announceLatch(context, record)
  queueNotifications(context, answer, outcome, request.direct)
  return {
    context,
    signalId: undefined,
    answer: { ...answer, recordId: record?.id ?? null, duplicate: false, created },
  }
}

/** Loads the source and times of each signal under the locks of its device and, for shared rules, its school. */
const loadContexts = async (
  trx: Db,
  requests: readonly IngestRequest[],
  rules: readonly WarnRule[],
): Promise<HistoryQuery[]> => {
  const all = unscoped(trx, 'signals of devices are ingested by the system')
  const ids = requests.map(({ deviceId }) => deviceId)
  const present = (await loadSources(all, ids)).flatMap((found, i) => {
    const source = widenSource(found, requests[i]?.extent)
    const receivedAt = arrivalTime(source.now, requests[i]?.arrivedAt)
    const normalized = requests[i]?.normalize(receivedAt)
    if (!normalized) return []
    const { replay, skewMs: reportedSkewMs, stamp } = normalized
    const knownSkewMs = isClockKnown(source, stamp) ? source.skewMs : null
    const clock = resolveSignalTimes(stamp, { receivedAt, replay, reportedSkewMs, knownSkewMs })
    return [{ source, signal: normalized, clock, beganAt: requests[i]?.beganAt }]
  })
  const expected = await withExpectedPresses(all, present)
  const coded = expected.map((query) => ({
    ...query,
    codes: orderSensitiveCodes(rulesAbout(rules, query.signal.code)),
  }))
  const queries = await locateReplays(all, coded)
  const shared = queries.flatMap(({ source, signal }, i) => {
    const relevant = [...rulesAbout(rules, signal.code), ...(requests[i]?.forced ? [requests[i].forced] : [])]
    return relevant.some(({ dedupBy }) => dedupBy === 'SCHOOL') ? (source.schoolId ?? []) : []
  })
  await lockSchools(all, shared)
  return queries
}

/**
 * Ingests signals of different devices, one after the other, inside the caller's transaction: signal, record, log,
 * timers, receipts, events. Reads and writes are batched over all signals.
 */
export const ingestAll = async (
  trx: Db,
  requests: readonly IngestRequest[],
  rules: readonly WarnRule[],
): Promise<IngestResult[]> => {
  const all = unscoped(trx, 'signals of devices are ingested by the system')
  const queries = await loadContexts(trx, requests, rules)
  const histories = await loadHistories(all, queries)
  const limits = await loadRuleLimits(trx, queries, rules)
  const unitOfWork = openUnitOfWork(trx, all)
  const keys = queries.flatMap((query, i): RecordKey[] => {
    if (histories[i]?.duplicate) return []
    const match = predictOutcome(query, { rules, limits: limits[i], forced: requests[i]?.forced })
    return [...(match ? [recordKeyOf(query, match)] : []), ...recoveryKeys(query, rules)]
  })
  await unitOfWork.open(keys)
  const processed: ProcessedSignal[] = []
  for (const [i, request] of requests.entries()) {
    const [first, history] = [queries[i], histories[i]]
    if (!first || !history) continue
    const signal = history.eventIdReused ? withReusedEventId(first.signal) : first.signal
    const context = { trx, all, unitOfWork, ...first, signal, history, ...(limits[i] && { limits: limits[i] }) }
    processed.push(await processSignal(context, request, rules))
  }
  await unitOfWork.finish()
  faultPoint('afterInsert')
  return processed.map(({ context, answer, signalId }) => ({
    signalId: signalId ?? unitOfWork.signalOf(context.source.deviceId),
    ...answer,
  }))
}

/** Ingests one signal inside the caller's transaction. */
export const ingestOne = async (trx: Db, request: IngestRequest, rules: readonly WarnRule[]): Promise<IngestResult> => {
  const [processed] = await ingestAll(trx, [request], rules)
  if (!processed) throw new Error(`no signal was ingested for device ${request.deviceId}`)
  return processed
}
