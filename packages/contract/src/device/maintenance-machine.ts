import { type Code, codes } from '../codes.ts'

export const maintenanceStates = ['OPEN', 'ASSIGNED', 'ON_SITE', 'DONE', 'VERIFIED', 'REOPENED', 'CANCELLED'] as const
export type MaintenanceState = (typeof maintenanceStates)[number]

/** States with work left: a device has at most one such order per cause. */
export const openMaintenanceStates = ['OPEN', 'ASSIGNED', 'ON_SITE', 'DONE', 'REOPENED'] as const
export const isMaintenanceOpen = (state: MaintenanceState): boolean =>
  openMaintenanceStates.some((open) => open === state)

export const MAINTENANCE_ASSIGN = 'device:maintenance:assign'
export const MAINTENANCE_WORK = 'device:maintenance:work'
export const MAINTENANCE_VERIFY = 'device:maintenance:verify'

/** Besides the permission: the assignee or a user who can assign; any user but the one who finished the work; any user. */
type MaintenanceActor = 'assignee' | 'notWorker' | 'anybody'
type Question = 'assignee' | 'reason' | 'work' | 'note'
type Transition = {
  from: readonly MaintenanceState[]
  to: MaintenanceState | 'same'
  permission: string
  who: MaintenanceActor
  asks: Question
  /** The note can be left out. */
  optional?: true
}

/** FSM M (domain 2.2) as data: the server rejects by it, screens show buttons by it, tests walk it. */
export const maintenanceMachine = {
  arrive: {
    from: ['ASSIGNED', 'REOPENED'],
    to: 'ON_SITE',
    permission: MAINTENANCE_WORK,
    who: 'assignee',
    asks: 'note',
    optional: true,
  },
  finish: { from: ['ON_SITE'], to: 'DONE', permission: MAINTENANCE_WORK, who: 'assignee', asks: 'work' },
  verify: {
    from: ['DONE'],
    to: 'VERIFIED',
    permission: MAINTENANCE_VERIFY,
    who: 'notWorker',
    asks: 'note',
    optional: true,
  },
  assign: {
    from: ['OPEN', 'ASSIGNED', 'REOPENED'],
    to: 'ASSIGNED',
    permission: MAINTENANCE_ASSIGN,
    who: 'anybody',
    asks: 'assignee',
  },
  reopen: {
    from: ['DONE', 'VERIFIED'],
    to: 'REOPENED',
    permission: MAINTENANCE_VERIFY,
    who: 'anybody',
    asks: 'reason',
  },
  note: {
    from: ['OPEN', 'ASSIGNED', 'ON_SITE', 'DONE', 'REOPENED'],
    to: 'same',
    permission: MAINTENANCE_WORK,
    who: 'anybody',
    asks: 'note',
  },
  cancel: {
    from: ['OPEN', 'ASSIGNED', 'ON_SITE', 'REOPENED'],
    to: 'CANCELLED',
    permission: MAINTENANCE_ASSIGN,
    who: 'anybody',
    asks: 'reason',
  },
} as const satisfies Record<string, Transition>

export type MaintenanceVerb = keyof typeof maintenanceMachine
export const maintenanceVerbs = Object.keys(maintenanceMachine) as MaintenanceVerb[]
export const maintenanceRule = (verb: MaintenanceVerb): Transition => maintenanceMachine[verb]

type Subject = { state: MaintenanceState; assigneeId: number | null; finishedBy: number | null }
type Person = { userId: number; hasPermission: (permission: string) => boolean }

/** @returns why the person cannot apply the verb now; undefined when they can. */
export const whyNotMaintenance = (verb: MaintenanceVerb, subject: Subject, person: Person): Code | undefined => {
  const { from, permission, who } = maintenanceRule(verb)
  if (!person.hasPermission(permission)) return codes.forbidden
  if (!from.includes(subject.state)) return codes.maintenanceState
  if (who === 'assignee' && subject.assigneeId !== person.userId && !person.hasPermission(MAINTENANCE_ASSIGN))
    return codes.maintenanceAssignee
  if (who === 'notWorker' && subject.finishedBy === person.userId) return codes.maintenanceVerifier
  return undefined
}
