import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { sql } from 'kysely'
import { cancel, replan } from '#timer/timer'
import type { Intake } from './book.ts'
import { byRule, clearEnough, fallback, humanCodes, type Match, mostWithin, type Reason } from './match.ts'

/** Timer kind of rules that wait; subject is the device, step the rule, epoch the mode. */
export const RULE = 'rule'
const epochs = { LIVE: 1, TEST: 2, DRILL: 3 } as const
export const ruleStep = (ruleId: number): string => `R${ruleId}`
export const modeOf = (epoch: number) => (['LIVE', 'TEST', 'DRILL'] as const)[epoch - 1] ?? 'LIVE'

const timerOf = ({ source, heard }: Intake, rule: WarnRule) => ({
  kind: RULE,
  subjectId: source.deviceId,
  step: ruleStep(rule.id),
  epoch: epochs[heard.mode],
})

/** The condition begins to last; while the wait runs, further signals do not prolong it. */
const startWaiting = async (intake: Intake, rule: WarnRule): Promise<void> => {
  const dueAt = sql<Date>`now() + make_interval(secs => ${rule.withinSec ?? 0})`
  await intake.trx
    .insertInto('timer')
    .values({ ...timerOf(intake, rule), dueAt })
    .onConflict((conflict) =>
      conflict
        .constraint('timer_step_key')
        .doUpdateSet({ dueAt, doneAt: null, outcome: null, leaseUntil: null, fence: sql`timer.fence + 1` })
        .where('timer.doneAt', 'is not', null),
    )
    .execute()
}

/**
 * Whether this signal completes n signals within m seconds on the rule's subject, in whatever order they came. What a
 * school shares is counted under its turn.
 */
const repeated = async ({ all, book, source, heard, clock }: Intake, rule: WarnRule): Promise<boolean> => {
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
  return mostWithin([...near.map((row) => row.occurredAt), clock.occurredAt], windowMs) >= (rule.repeatCount ?? 1)
}

/** Silence begins anew with every signal of the codes; a wait for a condition ends when it recovers. */
export const rearm = async (intake: Intake, rules: readonly WarnRule[]): Promise<void> => {
  const { heard, trx, source } = intake
  for (const rule of rules.filter((one) => one.enabled && !one.shadow)) {
    if (rule.condition === 'NO_DATA' && rule.matchCodes.includes(heard.code))
      await replan(trx, timerOf(intake, rule), rule.withinSec ?? 0)
    if (rule.condition === 'DURATION' && rule.recoverCodes.includes(heard.code))
      await cancel(trx, { kind: RULE, subjectId: source.deviceId }, [ruleStep(rule.id)])
  }
}

const met = async (intake: Intake, rule: WarnRule): Promise<true | Reason> => {
  if (rule.shadow) return 'SHADOW'
  if (rule.condition === 'REPEAT') return (await repeated(intake, rule)) || 'BELOW_REPEAT'
  if (rule.condition === 'INSTANT') return true
  await startWaiting(intake, rule)
  return 'WAITING'
}

export type Verdict = { match: Match } | { met: ReadonlySet<Reason> }

type About = Pick<Intake, 'source' | 'heard'>

/** The rules that may raise something of this signal, in order, and what it becomes when none does. */
const candidates = ({ heard, source }: About, rules: readonly WarnRule[]) => {
  const known = rules.filter(
    (rule) => rule.enabled && rule.condition !== 'NO_DATA' && rule.matchCodes.includes(heard.code),
  )
  // In shadow a rule is unseen: what no other one wants becomes what it would be without it.
  const untold = heard.kind === 'ALARM' && known.every(({ shadow }) => shadow)
  const otherwise = untold || humanCodes.includes(heard.code) ? fallback({ ...source, zone: heard.ownZone }) : undefined
  return { clear: known.filter((rule) => clearEnough(rule, heard.keyword)), otherwise }
}

/**
 * The first rule whose condition holds decides. A call for help that no rule takes falls to the built-in one; so does
 * any alarm for which there is no rule at all.
 */
export const judge = async (intake: Intake, rules: readonly WarnRule[]): Promise<Verdict> => {
  const { heard, source } = intake
  const { clear, otherwise } = candidates(intake, rules)
  const reasons = new Set<Reason>()
  for (const rule of clear) {
    const result = await met(intake, rule)
    if (result === true) return { match: byRule({ ...source, zone: heard.ownZone }, rule) }
    reasons.add(result)
  }
  return otherwise ? { match: otherwise } : { met: reasons }
}

/** What it will become unless a condition that must be asked for holds first. */
export const likely = (about: About, rules: readonly WarnRule[]): Match | undefined => {
  const { clear, otherwise } = candidates(about, rules)
  const rule = clear.find((one) => one.condition === 'INSTANT' && !one.shadow)
  return rule ? byRule({ ...about.source, zone: about.heard.ownZone }, rule) : otherwise
}
