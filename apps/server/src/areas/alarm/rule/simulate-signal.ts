import type { WarnRule } from '@tocsin/contract/alarm/rule'
import type { RuleFinding, SimulatedSignal, Simulation } from '@tocsin/contract/alarm/rule-trial'
import { codes } from '@tocsin/contract/codes'
import { AlarmCode } from '@tocsin/protocol/alarm'
import { fallbackMatch, loadRules, meetsConfidence } from '#areas/alarm/intake/evaluate-rules'
import { helpCallCodes } from '#areas/alarm/intake/normalize-signal'
import { limitOf, loadSubject, type RuleSubject } from '#areas/alarm/intake/rule-limits'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

/** What a rule makes of a signal, before the rules in front of it count. */
const judge = (rule: WarnRule, signal: SimulatedSignal, subject: RuleSubject): RuleFinding => {
  if (!rule.enabled) return 'DISABLED'
  if (!rule.matchCodes.includes(signal.code)) return 'CODE'
  if (rule.condition === 'NO_DATA') return 'NO_DATA'
  const limit = limitOf(rule, subject)
  if (limit) return limit
  const { confidence = null, db = null, count = 1 } = signal
  if (!meetsConfidence(rule, confidence === null ? null : { conf: confidence, db })) return 'CONFIDENCE'
  if (rule.condition === 'REPEAT' && count < (rule.repeatCount ?? 1)) return 'REPEAT'
  if (rule.shadow) return 'SHADOW'
  return rule.condition === 'DURATION' ? 'WAIT' : 'DECIDES'
}

/** Takes one signal through all rules as the intake would, without storing anything. */
export const simulateSignal = async (db: Db, actor: Actor, signal: SimulatedSignal): Promise<Simulation> => {
  const device = await scoped(db, actor)
    .selectFrom('device')
    .leftJoin('school', 'school.id', 'device.schoolId')
    .select(['device.id as deviceId', 'device.schoolId', 'device.deptId', 'school.deptId as schoolDeptId'])
    .where('device.id', '=', signal.deviceId)
    .executeTakeFirst()
  if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
  const located = { ...device, deptId: device.schoolDeptId ?? device.deptId }
  const subject = await loadSubject(db, located, signal.at ?? new Date())
  let decided: WarnRule | undefined
  const rows: Simulation['rules'] = []
  let isKnown = false
  for (const rule of await loadRules(db)) {
    const own = judge(rule, signal, subject)
    const finding = own === 'DECIDES' && decided ? 'EARLIER' : own
    if (finding === 'DECIDES') decided = rule
    isKnown ||= !['DISABLED', 'CODE', 'NO_DATA', 'SCOPE', 'SHADOW'].includes(own)
    const { id: ruleId, name, nameEn, priority, level } = rule
    rows.push({ ruleId, name, nameEn, priority, class: rule.class, level, finding })
  }
  if (decided) return { outcome: 'RULE', class: decided.class, level: decided.level, rules: rows }
  const isFallback = helpCallCodes.includes(signal.code) || (AlarmCode.safeParse(signal.code).success && !isKnown)
  const fallback = isFallback ? fallbackMatch({ ...located, placeId: null, zone: null }) : null
  return {
    outcome: fallback ? 'FALLBACK' : 'NONE',
    class: fallback?.class ?? null,
    level: fallback?.level ?? null,
    rules: rows,
  }
}
