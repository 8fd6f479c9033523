import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { restartSilenceTimer, startConditionTimer, cancelConditionTimer } from '#areas/alarm/timer/condition-timers'
import type { SignalContext } from './unit-of-work.ts'
import {
  matchFromRule,
  meetsConfidence,
  fallbackMatch,
  helpCallCodes,
  type Match,
  maxWithinWindow,
  type NoRecordReason,
} from './match.ts'

/**
 * Whether this signal completes n signals within m seconds on the rule's subject, in whatever order they came. What a
 * school shares is counted under its turn.
 */
const repeated = async ({ all, book, source, heard, clock }: SignalContext, rule: WarnRule): Promise<boolean> => {
  const windowMs = (rule.withinSec ?? 0) * 1000
  const shared = rule.dedupBy === 'SCHOOL' && source.schoolId !== null
  if (shared) await book.write()
  const at = clock.occurredAt.getTime()
  const near = await all
    .selectFrom('signal')
    .select('occurredAt')
    .where('code', 'in', rule.matchCodes)
    .where('mode', '=', heard.mode)
    .$if(shared, (q) => q.where('schoolId', '=', source.schoolId))
    .$if(!shared, (q) => q.where('deviceId', '=', source.deviceId))
    .$if(rule.dedupBy === 'ZONE', (q) => q.where('zone', 'is not distinct from', heard.zone))
    .where('receivedAt', '>', new Date(source.now.getTime() - windowMs - 86_400_000))
    .where('occurredAt', '>=', new Date(at - windowMs))
    .where('occurredAt', '<=', new Date(at + windowMs))
    .orderBy('receivedAt', 'desc')
    .limit(500)
    .execute()
  return maxWithinWindow([...near.map((row) => row.occurredAt), clock.occurredAt], windowMs) >= (rule.repeatCount ?? 1)
}

/**
 * Silence begins anew with every signal of the codes; a wait for a condition ends when it recovers. A code that an older
 * rule has among both begins it.
 */
export const updateWaits = async (intake: SignalContext, rules: readonly WarnRule[]): Promise<void> => {
  const { code } = intake.heard
  for (const rule of rules.filter((one) => one.enabled && !one.shadow)) {
    const begins = rule.matchCodes.includes(code)
    if (rule.condition === 'NO_DATA' && begins) await restartSilenceTimer(intake, rule)
    if (rule.condition === 'DURATION' && !begins && rule.recoverCodes.includes(code))
      await cancelConditionTimer(intake, rule)
  }
}

const met = async (intake: SignalContext, rule: WarnRule): Promise<true | NoRecordReason> => {
  if (rule.shadow) return 'SHADOW'
  if (rule.condition === 'REPEAT') return (await repeated(intake, rule)) || 'BELOW_REPEAT'
  if (rule.condition === 'INSTANT') return true
  return (await startConditionTimer(intake, rule)) ? 'WAITING' : 'RECOVERY'
}

export type RuleVerdict = { match: Match } | { met: ReadonlySet<NoRecordReason> }

type Judged = Pick<SignalContext, 'source' | 'heard'>

/** The rules that may raise something of this signal, in order, and what it becomes when none does. */
const candidates = ({ heard, source }: Judged, rules: readonly WarnRule[]) => {
  const known = rules.filter(
    (rule) => rule.enabled && rule.condition !== 'NO_DATA' && rule.matchCodes.includes(heard.code),
  )
  // In shadow a rule is unseen: what no other one wants becomes what it would be without it.
  const untold = heard.kind === 'ALARM' && known.every(({ shadow }) => shadow)
  const otherwise =
    untold || helpCallCodes.includes(heard.code) ? fallbackMatch({ ...source, zone: heard.ownZone }) : undefined
  return { clear: known.filter((rule) => meetsConfidence(rule, heard.keyword)), otherwise }
}

/**
 * The first rule whose condition holds decides. A call for help that no rule takes falls to the built-in one; so does
 * any alarm for which there is no rule at all.
 */
export const evaluateRules = async (intake: SignalContext, rules: readonly WarnRule[]): Promise<RuleVerdict> => {
  const { heard, source } = intake
  const { clear, otherwise } = candidates(intake, rules)
  const reasons = new Set<NoRecordReason>()
  for (const rule of clear) {
    const result = await met(intake, rule)
    if (result === true) return { match: matchFromRule({ ...source, zone: heard.ownZone }, rule) }
    reasons.add(result)
  }
  return otherwise ? { match: otherwise } : { met: reasons }
}

/** What it will become unless a condition that must be asked for holds first. */
export const predictMatch = (judged: Judged, rules: readonly WarnRule[]): Match | undefined => {
  const { clear, otherwise } = candidates(judged, rules)
  const rule = clear.find((one) => one.condition === 'INSTANT' && !one.shadow)
  return rule ? matchFromRule({ ...judged.source, zone: judged.heard.ownZone }, rule) : otherwise
}
