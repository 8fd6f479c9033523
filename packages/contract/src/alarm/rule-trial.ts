import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { type EnumLabels, field } from '../field.ts'
import { warnClasses, WarnRuleDraft } from './rule.ts'

/** Stored signals that a rule is tried on. */
export const TRIAL_DAYS = 90
/** Signals of one trial at most, the latest; `isCut` says that there are more. */
export const MAX_TRIAL_SIGNALS = 50_000
const LATEST = 20
export const MAX_TRIAL_ALARMS = LATEST

/** An alarm that the rule would have raised, and what became of its signal. `isReal` is null while nobody decided. */
export const TrialAlarm = z.strictObject({
  at: field(Millis, '时间', 'Time'),
  sn: field(z.string(), '设备序列号', 'Serial number'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  code: field(z.string(), '信号', 'Signal'),
  recordNo: field(z.string().nullable(), '警情', 'Alarm'),
  isReal: field(z.boolean().nullable(), '属实', 'Real'),
})
export type TrialAlarm = z.output<typeof TrialAlarm>

/** What a rule would have raised: `alarms`, of which `real` were; `signals` matched. Alarms are of the caller's view. */
export const RuleTrial = z.strictObject({
  since: Millis,
  signals: z.int(),
  alarms: z.int(),
  real: z.int(),
  isCut: z.boolean(),
  latest: z.array(TrialAlarm),
})
export type RuleTrial = z.output<typeof RuleTrial>

/** Why a rule raises an alarm for a signal or does not. */
export const ruleFindings = [
  'DECIDES',
  'SHADOW',
  'EARLIER',
  'DISABLED',
  'CODE',
  'SCOPE',
  'HOURS',
  'CONFIDENCE',
  'REPEAT',
  'WAIT',
  'NO_DATA',
] as const
export type RuleFinding = (typeof ruleFindings)[number]

export const RuleVerdictRow = z.strictObject({
  ruleId: Id,
  name: field(z.string(), '规则名称', 'Rule name'),
  nameEn: z.string().nullable(),
  priority: field(z.int(), '优先级', 'Priority'),
  class: field(z.enum(warnClasses), '类别', 'Class'),
  level: field(z.int(), '级别', 'Level'),
  finding: field(z.enum(ruleFindings), '结果', 'Result'),
})
export type RuleVerdictRow = z.output<typeof RuleVerdictRow>

/** `RULE`: one decides. `FALLBACK`: a call for help, or an alarm without a rule, always raises. `NONE`: nothing rings. */
export const simulationOutcomes = ['RULE', 'FALLBACK', 'NONE'] as const
export const Simulation = z.strictObject({
  outcome: z.enum(simulationOutcomes),
  class: z.enum(warnClasses).nullable(),
  level: z.int().nullable(),
  rules: z.array(RuleVerdictRow),
})
export type Simulation = z.output<typeof Simulation>

export const SimulatedSignal = z.strictObject({
  deviceId: field(Id, '设备', 'Device'),
  code: field(z.string().regex(/^[A-Z0-9_]{2,30}$/), '信号', 'Signal'),
  at: field(Millis.optional(), '时间', 'Time'),
  /** How many signals of the code arrive within the time of a rule. */
  count: field(z.int().min(1).max(100).optional(), '次数', 'Times'),
  confidence: field(z.number().min(0).max(1).nullable().optional(), '可信度', 'Confidence'),
  db: field(z.number().min(0).max(200).nullable().optional(), '声级（分贝）', 'Loudness (dB)'),
})
export type SimulatedSignal = z.output<typeof SimulatedSignal>

/** One edition of a rule: who saved it, and each field that differs from the one before; values as JSON. */
export const RuleVersion = z.strictObject({
  version: field(z.int(), '版本', 'Version'),
  at: field(Millis, '时间', 'Time'),
  byName: field(z.string().nullable(), '修改人', 'Changed by'),
  changes: field(
    z.array(z.strictObject({ field: z.string(), before: z.string().nullable(), after: z.string() })),
    '变化',
    'Changes',
  ),
})
export type RuleVersion = z.output<typeof RuleVersion>

const ruleFinding: EnumLabels<RuleFinding> = {
  DECIDES: ['产生警情', 'Raises the alarm'],
  SHADOW: ['影子运行，只计数', 'Shadow: counted only'],
  EARLIER: ['匹配，但前面的规则已决定', 'Matches, but an earlier rule decided'],
  DISABLED: ['已停用', 'Disabled'],
  CODE: ['代码不符', 'Other codes'],
  SCOPE: ['不在适用范围', 'Outside its schools or models'],
  HOURS: ['不在适用时间', 'Outside its hours'],
  CONFIDENCE: ['可信度或声级不够', 'Not confident or loud enough'],
  REPEAT: ['次数不够', 'Too few repeats'],
  WAIT: ['持续够时长才触发', 'Raises after its time, if it lasts'],
  NO_DATA: ['只在没有信号时触发', 'Raises only without signals'],
}
export const trialLabels = { ruleFinding }

const OfRule = z.strictObject({ ruleId: field(queryId, '接警规则', 'Alarm rule') })

const read = { kind: 'json', permission: 'warn:rule:query', scope: 'school' } as const

export const ruleTrials = {
  preview: endpoint({
    ...read,
    method: 'POST',
    path: '/warn/rule/preview',
    summary: '规则在过去 90 天会产生的警情',
    summaryEn: 'What a rule would have raised in the last 90 days',
    body: WarnRuleDraft,
    data: RuleTrial,
  }),
  shadow: endpoint({
    ...read,
    method: 'GET',
    path: '/warn/rule/shadow',
    summary: '影子规则的实时结果',
    summaryEn: 'What a shadow rule would have raised since it runs',
    query: OfRule,
    data: RuleTrial,
  }),
  simulate: endpoint({
    ...read,
    method: 'POST',
    path: '/warn/rule/simulate',
    summary: '用一条信号试所有规则',
    summaryEn: 'One signal through all rules, with the result of each',
    body: SimulatedSignal,
    data: Simulation,
  }),
  versions: endpoint({
    ...read,
    scope: 'none',
    method: 'GET',
    path: '/warn/rule/versions',
    summary: '规则的版本与变化',
    summaryEn: 'The versions of a rule and who changed what',
    query: OfRule,
    data: z.array(RuleVersion),
  }),
}
