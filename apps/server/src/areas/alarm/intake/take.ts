import type { WarnRule } from '@tocsin/contract/alarm/rule'
import type { AckStage } from '@tocsin/protocol/ack'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import { faultPoint } from '../../../fault.ts'
import { clocked, TRUSTED_SKEW_MS } from './clock.ts'
import { judge, rearm } from './condition.ts'
import { isOpen, lockRaised } from './find.ts'
import { cancelMark, orderedCodes, resetMark } from './mark.ts'
import { byRule, fallback, reasonFor, underDuress, unparsableMatch } from './match.ts'
import { type Earlier, readPast } from './past.ts'
import { findSource } from './place.ts'
import { raise, repeat } from './raise.ts'
import { recover, recoveredBy } from './recover.ts'
import type { Heard } from './signal.ts'
import { stageOf } from './stage.ts'
import { attach, finish, type Intake, keepAside, type Landed, type Locked, signalEntry } from './write.ts'

/** The answer to whoever brought a signal; a repeat gets the same. */
export type Ingested = {
  signalId: number
  recordId: number | null
  recordNo: string | null
  stage: AckStage
  duplicate: boolean
  /** The signal raised a record. */
  fresh: boolean
}

const ACK_VALID_SEC = 86_400
const TIME_VALID_SEC = 60

/** A press made under duress reaches the record the device raised, whatever its class; else it raises one. */
const duress = async (intake: Intake, rules: readonly WarnRule[]): Promise<Landed> => {
  const { source, heard } = intake
  const subject = { ...source, zone: heard.zone }
  const rule = rules.find((one) => one.enabled && !one.shadow && one.matchCodes.includes(heard.code))
  const match = underDuress(rule ? byRule(subject, rule) : fallback(subject))
  const [record] = await lockRaised(intake)
  return record && isOpen(record) ? repeat(intake, record, match) : raise(intake, match)
}

/** A cancel or a manual reset: remarked on what the device raised, never an end of it (domain 6.8, GB 50394). */
const remark = async (intake: Intake, verb: 'cancel' | 'reset'): Promise<Landed> => {
  const raised = await lockRaised(intake)
  const record = raised.find((one) => (verb === 'cancel' ? isOpen(one) : one.class === 'PANIC'))
  if (!record) return keepAside(intake, 'INFORMATION')
  // On a record shared with others each device speaks for itself only.
  const own = record.deviceId === intake.source.deviceId
  const mark = verb === 'cancel' ? cancelMark(intake, record.id) : resetMark(intake, record.id)
  const done = await attach(intake, record, { patch: own ? mark : {}, entries: [signalEntry(intake, verb)] })
  return { ...done, fresh: false, events: [{ type: 'alarm.changed', ref: record.id }] }
}

const byRules = async (intake: Intake, rules: readonly WarnRule[]): Promise<Landed> => {
  const recovering = recoveredBy(intake, rules)
  await rearm(intake, rules)
  const verdict = await judge(intake, rules)
  const landed = 'match' in verdict ? await raise(intake, verdict.match) : undefined
  const settled = recovering.length > 0 ? await recover(intake, recovering, landed) : landed
  if (settled) return settled
  const reasons = 'met' in verdict ? verdict.met : new Set<never>()
  return keepAside(intake, reasonFor(intake.heard.code, reasons, recovering.length > 0))
}

const land = (intake: Intake, rules: readonly WarnRule[], forced?: WarnRule): Promise<Landed> => {
  const { heard, source } = intake
  const subject = { ...source, zone: heard.zone }
  if (forced) return raise(intake, byRule(subject, forced))
  if (heard.kind === 'UNPARSABLE') return raise(intake, unparsableMatch(subject))
  if (heard.code === 'DURESS_CANCEL') return duress(intake, rules)
  if (heard.code === 'CANCEL') return remark(intake, 'cancel')
  if (heard.code === 'MANUAL_RESET') return remark(intake, 'reset')
  return byRules(intake, rules)
}

type Told = Pick<Intake, 'source' | 'heard' | 'clock'>

const receipts = ({ source, heard, clock }: Told, stage: AckStage, recordNo: string | null) => [
  ...(heard.ackId === null
    ? []
    : [
        {
          channel: 'ack' as const,
          key: heard.ackId,
          payload: { eventId: heard.ackId, stage, ...(recordNo !== null && { recordNo }) },
          seconds: ACK_VALID_SEC,
        },
      ]),
  ...(Math.abs(clock.skewMs ?? 0) > TRUSTED_SKEW_MS
    ? [{ channel: 'time' as const, key: 'time', payload: { ts: source.now.getTime() }, seconds: TIME_VALID_SEC }]
    : []),
]

const told = async (intake: Intake, record: Locked | null, events: Landed['events']): Promise<AckStage> => {
  const { source, heard } = intake
  const stage = record ? stageOf(record) : 'accepted'
  const outbox = receipts(intake, stage, record?.no ?? null)
  const wake = outbox.length > 0 ? [{ type: 'device.outbox' as const, ref: source.deviceId }] : []
  await finish(intake, {
    outbox,
    events: [...events, ...wake],
    schoolId: record ? record.schoolId : source.schoolId,
    deptId: record ? record.deptId : source.deptId,
    seen: heard.kind === 'ALARM' || heard.kind === 'UNPARSABLE',
  })
  return stage
}

const sameAgain = async (intake: Intake, { id, recordId }: Earlier): Promise<Ingested> => {
  const record =
    recordId === null
      ? null
      : await intake.all.selectFrom('warnRecord').selectAll().where('id', '=', recordId).executeTakeFirstOrThrow()
  const stage = await told(intake, record, [])
  return { signalId: id, recordId, recordNo: record?.no ?? null, stage, duplicate: true, fresh: false }
}

export type Taking = {
  deviceId: number
  /** The signal, given the database's clock at its receipt. */
  hear: (now: Date) => Heard
  rules: readonly WarnRule[]
  /** The rule whose waiting ended: it decides alone. */
  forced?: WarnRule
}

/** Takes one signal in, inside the caller's transaction: signal, record, log, timers, receipts, events. */
export const take = async (trx: Db, { deviceId, hear, rules, forced }: Taking): Promise<Ingested> => {
  const all = everything(trx, 'what a device says is taken in for nobody in particular')
  const source = await findSource(all, deviceId)
  const heard = hear(source.now)
  const { replay, upNow } = heard
  const clock = clocked(heard.stamp, { receivedAt: source.now, replay, upNow, knownSkewMs: source.skewMs })
  const about = rules.filter((rule) => [...rule.matchCodes, ...rule.recoverCodes].includes(heard.code))
  const past = await readPast(all, { source, heard, clock }, orderedCodes(about))
  const intake = { trx, all, source, heard, clock, past }
  if (past.same) return sameAgain(intake, past.same)
  const { signalId, record, fresh, events } = await land(intake, rules, forced)
  faultPoint('afterInsert')
  const stage = await told(intake, record, events)
  return { signalId, recordId: record?.id ?? null, recordNo: record?.no ?? null, stage, duplicate: false, fresh }
}
