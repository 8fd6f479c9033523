import { type Code, codes } from '../codes.ts'

export const employeeStatuses = ['ACTIVE', 'LEAVE', 'LEFT'] as const
export type EmployeeStatus = (typeof employeeStatuses)[number]

type Transition = { from: readonly EmployeeStatus[]; to: EmployeeStatus; permission: string; asksReason: boolean }

const UPDATE = 'school:employee:update'

/** The states of a person as data: the server rejects by it, screens show buttons by it, a test walks it. */
export const employeeMachine = {
  absent: { from: ['ACTIVE'], to: 'LEAVE', permission: UPDATE, asksReason: false },
  back: { from: ['LEAVE'], to: 'ACTIVE', permission: UPDATE, asksReason: false },
  leave: { from: ['ACTIVE', 'LEAVE'], to: 'LEFT', permission: 'school:employee:leave', asksReason: true },
  rejoin: { from: ['LEFT'], to: 'ACTIVE', permission: 'school:employee:leave', asksReason: false },
} as const satisfies Record<string, Transition>

export type EmployeeVerb = keyof typeof employeeMachine
export const employeeVerbNames = Object.keys(employeeMachine) as EmployeeVerb[]

export const employeeRule = (verb: EmployeeVerb): Transition => employeeMachine[verb]

/** Why an employee of this status cannot take the transition; undefined when allowed. */
export const whyNotEmployeeVerb = (verb: EmployeeVerb, status: EmployeeStatus): Code | undefined =>
  employeeRule(verb).from.includes(status) ? undefined : codes.employeeState
