import { type Code, codes } from '../codes.ts'
import type { School } from './school.ts'

type Status = School['status']

/** Conditions of the school beside its status. */
type Guard = 'ready' | 'empty' | 'none'

type Transition = {
  from: readonly Status[]
  to: Status
  permission: string
  guard: Guard
  asks: readonly 'reason'[]
}

const permission = 'school:school:status'

/** The life of a school as data: the server rejects by it, screens show buttons by it, a test walks it. */
export const schoolMachine = {
  activate: { from: ['PREPARING'], to: 'ACTIVE', permission, guard: 'ready', asks: [] },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', permission, guard: 'none', asks: ['reason'] },
  resume: { from: ['SUSPENDED'], to: 'ACTIVE', permission, guard: 'ready', asks: [] },
  close: { from: ['SUSPENDED'], to: 'CLOSED', permission, guard: 'empty', asks: ['reason'] },
} as const satisfies Record<string, Transition>

export type SchoolVerb = keyof typeof schoolMachine
export const schoolVerbs = Object.keys(schoolMachine) as SchoolVerb[]
export const schoolRule = (verb: SchoolVerb): Transition => schoolMachine[verb]

/** Input of the guards: open dependencies, and requirements of an alarm from here. */
export type SchoolFacts = { status: Status; devices: number; alarms: number; hasStation: boolean; contacts: number }

/** Why a school cannot take this transition now, for any user; undefined when allowed. */
export const whyNotSchoolTransition = (verb: SchoolVerb, facts: SchoolFacts): Code | undefined => {
  const { from, guard } = schoolRule(verb)
  if (!from.includes(facts.status)) return codes.schoolState
  if (guard === 'ready' && (!facts.hasStation || facts.contacts === 0)) return codes.schoolNotReady
  if (guard === 'empty' && facts.devices + facts.alarms > 0) return codes.schoolNotEmpty
  return undefined
}
