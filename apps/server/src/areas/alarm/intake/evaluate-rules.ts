import type { WarnClass, WarnRule } from '@tocsin/contract/alarm/rule'
import { isAutoClosable } from '@tocsin/contract/alarm/state-machine'
import { cancelConditionTimer, restartSilenceTimer, startConditionTimer } from '#areas/alarm/timer/condition-timers'
import type { Db } from '#db/db'
import { ofExpectation } from './expected-presses.ts'
import { BURST_MS, helpCallCodes, type NormalizedSignal, panicCodes, UNPARSABLE } from './normalize-signal.ts'
import type { RuleLimits } from './rule-limits.ts'
import type { SignalContext } from './unit-of-work.ts'

/** Rules that another node changed are read again after this time at the latest. */
const CACHE_MS = 2000

type CachedRules = { readAt: number; edition: number; rules: Promise<WarnRule[]> }

const cachedRules = new WeakMap<Db, CachedRules>()
let edition = 0

/** Rules in the order of evaluation, lowest priority number first. Disabled rules are needed for recovery. */
const readRules = (db: Db): Promise<WarnRule[]> =>
  db.selectFrom('warnRule').selectAll().orderBy('priority').orderBy('id').execute()

/** All rules from a cache of at most 2 s. Inside a transaction they are read from the database. */
export const loadRules = (db: Db): Promise<WarnRule[]> => {
  if (db.isTransaction) return readRules(db)
  const known = cachedRules.get(db)
  if (known && known.edition === edition && performance.now() - known.readAt < CACHE_MS) return known.rules
  const rules = readRules(db)
  const entry = { readAt: performance.now(), edition, rules }
  cachedRules.set(db, entry)
  // A failed read is not cached, so that the next signal retries.
  rules.catch(() => cachedRules.get(db) === entry && cachedRules.delete(db))
  return rules
}

/** Makes the next call of loadRules read the database. */
export const invalidateRuleCache = (): void => {
  edition += 1
}

/** The rules that a code may start or end. */
export const rulesAbout = (rules: readonly WarnRule[], code: string): WarnRule[] =>
  rules.filter((rule) => rule.matchCodes.includes(code) || rule.recoverCodes.includes(code))

const informational: readonly string[] = ['BOOT', 'SELF_TEST', 'MANUAL_RESET', 'CANCEL']

/** Class, level and key of the record a signal leads to, from a rule or the built-in fallback (rule null). */
export type Match = {
  rule: WarnRule | null
  class: WarnClass
  level: number
  validation: number | null
  duress: boolean
  dedupKey: string
  reopenWindowSec: number
}

type Subject = { deviceId: number; schoolId: number | null; placeId: number | null; zone: string | null }
type KeyedRule = Pick<WarnRule, 'id' | 'class' | 'dedupBy' | 'autoRecover'>

const subjectOf = ({ deviceId, zone }: Pick<Subject, 'deviceId' | 'zone'>, by: WarnRule['dedupBy']): string =>
  by === 'ZONE' && zone !== null ? `zone:${deviceId}/${zone}` : `device:${deviceId}`

/** School and place of the press, either of which may be unknown. A device that was moved starts a record of its own. */
const placeOf = ({ schoolId, placeId }: Subject): string => `@${schoolId ?? ''}/${placeId ?? ''}`

const isOfSchool = ({ schoolId }: Pick<Subject, 'schoolId'>, { dedupBy }: Pick<KeyedRule, 'dedupBy'>): boolean =>
  dedupBy === 'SCHOOL' && schoolId !== null

/**
 * Whether the record belongs to the place of its device (decision 063). One of a whole school does not, nor one that ends by
 * itself with a condition that the device takes along.
 */
export const hasPlaceInKey = (subject: Pick<Subject, 'schoolId'>, rule: KeyedRule): boolean =>
  !isOfSchool(subject, rule) && !(isAutoClosable(rule.class) && rule.autoRecover)

/**
 * Subject, place and class (domain 6.1). For classes that close automatically the rule is part of the key: a recovered
 * battery must not end the record of an offline device.
 */
export const dedupKey = (subject: Subject, rule: KeyedRule): string => {
  const of = isOfSchool(subject, rule) ? `school:${subject.schoolId}` : subjectOf(subject, rule.dedupBy)
  return `${of}${hasPlaceInKey(subject, rule) ? placeOf(subject) : ''}|${keyOfClass(rule)}`
}

const keyOfClass = ({ id, class: name }: KeyedRule): string => (isAutoClosable(name) ? `${name}|${id}` : name)

const fallbackDefaults = { rule: null, class: 'PANIC', validation: null, duress: false, reopenWindowSec: 60 } as const

/** Whether a keyword is confident and loud enough for the rule (domain 6.7). A rule without limits accepts any signal. */
export const meetsConfidence = (
  { minConfidence, minDb }: Pick<WarnRule, 'minConfidence' | 'minDb'>,
  keyword: NormalizedSignal['keyword'],
): boolean =>
  (minConfidence === null || (keyword !== null && keyword.conf >= minConfidence)) &&
  (minDb === null || (keyword?.db != null && keyword.db >= minDb))

/** The match without a rule: a call for help raises a record even when no rule is configured. */
export const fallbackMatch = (subject: Subject): Match => ({
  ...fallbackDefaults,
  level: 2,
  dedupKey: `device:${subject.deviceId}${placeOf(subject)}|PANIC`,
})

/** The match of an unparsable message: visible, one record per device and place (domain 3.4). */
export const matchUnparsable = (subject: Subject): Match => ({
  ...fallbackDefaults,
  level: 2,
  dedupKey: `device:${subject.deviceId}${placeOf(subject)}|${UNPARSABLE}`,
})

export const matchFromRule = (subject: Subject, rule: WarnRule): Match => ({
  rule,
  class: rule.class,
  level: rule.level,
  validation: null,
  duress: false,
  dedupKey: dedupKey(subject, rule),
  reopenWindowSec: rule.reopenWindowSec,
})

/** A cancel under duress (domain 6.8): highest level and confirmed threat, whatever the rule says. */
export const raiseForDuress = (match: Match): Match => ({ ...match, level: 1, validation: 4, duress: true })

/** Eight presses in one message, or three messages within ten seconds (domain 6.2), make level 1. */
const BURST_PRESSES = 8
const BURST_SIGNALS = 3

/** The largest number of instants inside any window of `windowMs`. */
export const maxWithinWindow = (instants: readonly Date[], windowMs: number): number => {
  const times = instants.map((at) => at.getTime()).sort((a, b) => a - b)
  let from = 0
  return times.reduce((most, time, i) => {
    while (time - (times[from] ?? time) > windowMs) from += 1
    return Math.max(most, i - from + 1)
  }, 0)
}

/** @param presses times of the presses on the record, including this signal. */
export const isBurst = (signal: Pick<NormalizedSignal, 'code' | 'pressCount'>, presses: readonly Date[]): boolean =>
  panicCodes.includes(signal.code) &&
  ((signal.pressCount ?? 0) >= BURST_PRESSES || maxWithinWindow(presses, BURST_MS) >= BURST_SIGNALS)

export type NoRecordReason =
  | 'NO_RULE'
  | 'SHADOW'
  | 'BELOW_REPEAT'
  | 'WAITING'
  | 'RECOVERY'
  | 'INFORMATION'
  | 'OUT_OF_HOURS'

/** The reason why a signal led to no record. The reason closest to raising a record wins. */
export const noRecordReason = (
  code: string,
  reasons: ReadonlySet<NoRecordReason>,
  recovers: boolean,
): NoRecordReason => {
  const near = (['WAITING', 'BELOW_REPEAT', 'SHADOW', 'OUT_OF_HOURS'] as const).find((reason) => reasons.has(reason))
  if (near) return near
  if (recovers || reasons.has('RECOVERY')) return 'RECOVERY'
  return informational.includes(code) ? 'INFORMATION' : 'NO_RULE'
}

/**
 * Whether this signal completes n signals within m seconds on the subject of the rule, in any order of arrival. Signals
 * that a school shares are counted under the lock of the school.
 */
const isRepeated = async (
  { all, unitOfWork, source, signal, clock }: SignalContext,
  rule: WarnRule,
): Promise<boolean> => {
  const windowMs = (rule.withinSec ?? 0) * 1000
  const shared = rule.dedupBy === 'SCHOOL' && source.schoolId !== null
  if (shared) await unitOfWork.write()
  const at = clock.occurredAt.getTime()
  const near = await all
    .selectFrom('signal')
    .select('occurredAt')
    .where('code', 'in', rule.matchCodes)
    .where('mode', '=', signal.mode)
    .$if(shared, (q) => q.where('schoolId', '=', source.schoolId))
    .$if(!shared, (q) => q.where('deviceId', '=', source.deviceId))
    .$if(rule.dedupBy === 'ZONE', (q) => q.where('zone', 'is not distinct from', signal.zone))
    .where('receivedAt', '>', new Date(source.now.getTime() - windowMs - 86_400_000))
    .where('occurredAt', '>=', new Date(at - windowMs))
    .where('occurredAt', '<=', new Date(at + windowMs))
    .orderBy('receivedAt', 'desc')
    .limit(500)
    .execute()
  return maxWithinWindow([...near.map((row) => row.occurredAt), clock.occurredAt], windowMs) >= (rule.repeatCount ?? 1)
}

/**
 * Restarts the timers of NO_DATA rules and cancels those of DURATION rules that recover. A code in both lists of an old
 * rule starts the condition.
 */
export const updateWaits = async (context: SignalContext, rules: readonly WarnRule[]): Promise<void> => {
  const { code } = context.signal
  for (const rule of rules.filter((rule) => rule.enabled && !rule.shadow && !context.limits?.has(rule.id))) {
    const begins = rule.matchCodes.includes(code)
    if (rule.condition === 'NO_DATA' && begins) await restartSilenceTimer(context, rule)
    if (rule.condition === 'DURATION' && !begins && rule.recoverCodes.includes(code))
      await cancelConditionTimer(context, rule)
  }
}

const checkCondition = async (context: SignalContext, rule: WarnRule): Promise<true | NoRecordReason> => {
  if (rule.shadow) return 'SHADOW'
  if (rule.condition === 'REPEAT') return (await isRepeated(context, rule)) || 'BELOW_REPEAT'
  if (rule.condition === 'INSTANT') return true
  return (await startConditionTimer(context, rule)) ? 'WAITING' : 'RECOVERY'
}

export type RuleVerdict = { match: Match } | { reasons: ReadonlySet<NoRecordReason> }

type EvaluatedSignal = Pick<SignalContext, 'source' | 'signal'> & { limits?: RuleLimits }

/** The rules that may raise a record for this signal, in order, and the fallback when none of them does. */
const candidates = ({ signal, source, limits }: EvaluatedSignal, rules: readonly WarnRule[]) => {
  const about = rules.filter(
    (rule) => rule.enabled && rule.condition !== 'NO_DATA' && rule.matchCodes.includes(signal.code),
  )
  // Outside its schools and models a rule does not exist; outside its hours it exists and raises nothing.
  const known = about.filter(({ id }) => limits?.get(id) !== 'SCOPE')
  // A shadow rule has no effect: the signal is handled as if the rule did not exist.
  const isUnmatched = signal.kind === 'ALARM' && known.every(({ shadow }) => shadow)
  const fallback =
    isUnmatched || helpCallCodes.includes(signal.code) ? fallbackMatch({ ...source, zone: signal.ownZone }) : undefined
  const inHours = known.filter(({ id }) => !limits?.has(id))
  return {
    eligible: inHours.filter((rule) => meetsConfidence(rule, signal.keyword)),
    isOutOfHours: known.some((rule) => limits?.has(rule.id) && !rule.shadow),
    fallback,
  }
}

/**
 * The first rule whose condition is met decides. The built-in fallback handles a call for help that no rule accepts, and
 * any alarm without a rule.
 */
export const evaluateRules = async (context: SignalContext, rules: readonly WarnRule[]): Promise<RuleVerdict> => {
  const { signal, source } = context
  const { eligible, isOutOfHours, fallback } = candidates(context, rules)
  const reasons = new Set<NoRecordReason>(isOutOfHours ? ['OUT_OF_HOURS'] : [])
  for (const rule of eligible) {
    const result = await checkCondition(context, rule)
    if (result === true) return { match: matchFromRule({ ...source, zone: signal.ownZone }, rule) }
    reasons.add(result)
  }
  return fallback ? { match: fallback } : { reasons }
}

/** Counts the shadow rules whose condition the signal meets. A condition that waits is only known from the history. */
export const countShadowHits = async (context: SignalContext, rules: readonly WarnRule[]): Promise<void> => {
  const { source, signal, clock, unitOfWork } = context
  for (const rule of candidates(context, rules).eligible.filter(({ shadow }) => shadow)) {
    const isMet = rule.condition === 'REPEAT' ? await isRepeated(context, rule) : rule.condition === 'INSTANT'
    if (isMet)
      unitOfWork.writes().hits.push({
        ruleId: rule.id,
        ruleVersion: rule.version,
        deviceId: source.deviceId,
        eventId: signal.eventId,
        at: clock.occurredAt,
        subject: dedupKey({ ...source, zone: signal.ownZone }, rule),
        schoolId: source.schoolId,
        deptId: source.deptId,
      })
  }
}

/** The match of the first rule that needs no database read. */
const predictMatch = (evaluated: EvaluatedSignal, rules: readonly WarnRule[]): Match | undefined => {
  const { eligible, fallback } = candidates(evaluated, rules)
  const rule = eligible.find((item) => item.condition === 'INSTANT' && !item.shadow)
  const match = rule ? matchFromRule({ ...evaluated.source, zone: evaluated.signal.ownZone }, rule) : fallback
  return match && ofExpectation(evaluated, match)
}

/** Codes that concern an existing record, whatever its key. */
const existingRecordCodes = new Set(['DURESS_CANCEL', 'CANCEL', 'MANUAL_RESET'])

/** Predicts the match of a signal without database reads, so that the records of its key are locked together. */
export const predictOutcome = (
  { signal, source }: EvaluatedSignal,
  {
    rules,
    limits,
    forced,
  }: { rules: readonly WarnRule[]; limits: RuleLimits | undefined; forced: WarnRule | undefined },
) => {
  const subject = { ...source, zone: signal.ownZone }
  if (forced) return matchFromRule(subject, forced)
  if (signal.kind === 'UNPARSABLE') return matchUnparsable(subject)
  return existingRecordCodes.has(signal.code)
    ? undefined
    : predictMatch({ source, signal, ...(limits && { limits }) }, rules)
}
