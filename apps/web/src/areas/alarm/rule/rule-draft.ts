import { autoClosableClasses } from '@tocsin/contract/alarm/state-machine'
import type { WarnRule, WarnRuleDraft } from '@tocsin/contract/alarm/rule'

/** The defaults of a new rule: disabled, harmless, and complete except for name and codes. */
export const newRule: Partial<WarnRuleDraft> = {
  enabled: false,
  shadow: false,
  priority: 100,
  matchCodes: [],
  condition: 'INSTANT',
  class: 'PANIC',
  level: 1,
  dedupBy: 'DEVICE',
  reopenWindowSec: 60,
  recoverCodes: [],
  autoRecover: false,
  deptIds: [],
  schoolIds: [],
  modelIds: [],
  schedule: 'ALWAYS',
}

export type RuleProblem = {
  name: keyof WarnRuleDraft
  text: 'alarm.repeatNeeds' | 'alarm.withinNeeds' | 'alarm.recoverNeeds'
}

export const mayEndItself = (given: WarnRuleDraft['class']): boolean =>
  (autoClosableClasses as readonly string[]).includes(given)

/** Rules over several fields; the server checks them too. */
export const ruleProblems = (rule: WarnRuleDraft): RuleProblem[] => {
  const problems: RuleProblem[] = []
  const missing = (name: 'repeatCount' | 'withinSec') => rule[name] === null || rule[name] === undefined
  if (rule.condition === 'REPEAT') {
    if (missing('repeatCount')) problems.push({ name: 'repeatCount', text: 'alarm.repeatNeeds' })
    if (missing('withinSec')) problems.push({ name: 'withinSec', text: 'alarm.repeatNeeds' })
  } else if (rule.condition !== 'INSTANT' && missing('withinSec')) {
    problems.push({ name: 'withinSec', text: 'alarm.withinNeeds' })
  }
  if (rule.autoRecover && !mayEndItself(rule.class)) problems.push({ name: 'autoRecover', text: 'alarm.recoverNeeds' })
  return problems
}

/** Fields that the condition does not use are cleared. */
export const dropUnusedFields = (rule: WarnRuleDraft): WarnRuleDraft => ({
  ...rule,
  repeatCount: rule.condition === 'REPEAT' ? rule.repeatCount : null,
  withinSec: rule.condition === 'INSTANT' ? null : rule.withinSec,
})

/** A saved rule as a draft, for a trial. */
export const toTrialDraft = (rule: WarnRule): WarnRuleDraft => {
  const { id: _id, version: _version, createTime: _created, creator: _creator, ...rest } = rule
  const { updateTime: _updated, updater: _updater, ...draft } = rest
  return draft
}
