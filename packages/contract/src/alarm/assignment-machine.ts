import { type Code, codes } from '../codes.ts'

export const assignmentStates = [
  'ASSIGNED',
  'RECEIVED',
  'EN_ROUTE',
  'ON_SCENE',
  'CLEARED',
  'DECLINED',
  'RECALLED',
  'TIMED_OUT',
] as const
export type AssignmentState = (typeof assignmentStates)[number]

/** States with somebody on the way or at work. */
export const openAssignmentStates = ['ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE'] as const
/** The same, with assignees who have not answered in time: they may still go, and are notified of the end. */
export const activeAssignmentStates = [...openAssignmentStates, 'TIMED_OUT'] as const
const beforeScene = ['ASSIGNED', 'TIMED_OUT', 'RECEIVED', 'EN_ROUTE'] as const

/** Reasons why somebody cannot go. */
export const declineReasons = ['BUSY', 'FAR', 'OFF_DUTY', 'UNABLE'] as const
export type DeclineReason = (typeof declineReasons)[number]

/** Permission for the page of the own tasks; users with it can be sent. */
export const TASK_QUERY = 'warn:task:query'
/** Steps of a task: the own ones, or those of others for users who may send. */
export const TASK_UPDATE = 'warn:task:update'
export const SEND = 'warn:record:dispatch'
/** The same for units, which are sent to incidents. */
export const SEND_UNIT = 'police:situation:dispatch'

/**
 * Who may apply the verb: the assignee, or a desk on the assignee's behalf; only users who may send; only the system.
 */
type AssignmentActor = 'responder' | 'sender' | 'system'
type Transition = {
  from: readonly AssignmentState[]
  to: AssignmentState | 'same'
  who: AssignmentActor
  permission: string
  asks: readonly ('reason' | 'note')[]
}

/**
 * FSM F2 (domain 2.9) as data: the server rejects by it, phone and desk show buttons by it, tests walk it. Leaving or
 * arriving without an explicit receipt implies the receipt.
 */
export const assignmentMachine = {
  receive: {
    from: ['ASSIGNED', 'TIMED_OUT'],
    to: 'RECEIVED',
    who: 'responder',
    permission: TASK_UPDATE,
    asks: [],
  },
  depart: {
    from: ['ASSIGNED', 'TIMED_OUT', 'RECEIVED'],
    to: 'EN_ROUTE',
    who: 'responder',
    permission: TASK_UPDATE,
    asks: [],
  },
  arrive: { from: beforeScene, to: 'ON_SCENE', who: 'responder', permission: TASK_UPDATE, asks: [] },
  clear: { from: ['ON_SCENE'], to: 'CLEARED', who: 'responder', permission: TASK_UPDATE, asks: [] },
  decline: {
    from: ['ASSIGNED', 'TIMED_OUT', 'RECEIVED'],
    to: 'DECLINED',
    who: 'responder',
    permission: TASK_UPDATE,
    asks: ['reason'],
  },
  support: { from: activeAssignmentStates, to: 'same', who: 'responder', permission: TASK_UPDATE, asks: ['note'] },
  report: { from: activeAssignmentStates, to: 'same', who: 'responder', permission: TASK_UPDATE, asks: ['note'] },
  recall: { from: activeAssignmentStates, to: 'RECALLED', who: 'sender', permission: SEND, asks: ['note'] },
  timeOut: { from: ['ASSIGNED'], to: 'TIMED_OUT', who: 'system', permission: '', asks: [] },
} as const satisfies Record<string, Transition>
export type AssignmentVerb = keyof typeof assignmentMachine
export type ResponderVerb = Exclude<AssignmentVerb, 'timeOut' | 'recall'>

type Person = {
  userId: number
  may: (permission: string) => boolean
  /** Police units of the user. */
  unitIds?: readonly number[]
}
type Subject = { state: AssignmentState; responderUserId: number | null; unitId: number | null }

/** The assignee is the user, or a unit of the user. */
export const isOwnTask = ({ responderUserId, unitId }: Omit<Subject, 'state'>, person: Omit<Person, 'may'>): boolean =>
  responderUserId === person.userId || (unitId !== null && (person.unitIds ?? []).includes(unitId))

/** Why the user cannot apply the verb now; undefined when allowed. */
export const whyNotStep = (verb: AssignmentVerb, subject: Subject, person: Person): Code | undefined => {
  const rule: Transition = assignmentMachine[verb]
  if (rule.who === 'system' || !person.may(rule.permission)) return codes.forbidden
  const isOwn = rule.who === 'responder' && isOwnTask(subject, person)
  if (!isOwn && !person.may(subject.unitId === null ? SEND : SEND_UNIT)) return codes.forbidden
  return rule.from.includes(subject.state) ? undefined : codes.assignmentState
}

/** The one large button of the phone. */
export const nextStep = (state: AssignmentState): 'depart' | 'arrive' | 'clear' | undefined => {
  if (state === 'EN_ROUTE') return 'arrive'
  if (state === 'ON_SCENE') return 'clear'
  return state === 'ASSIGNED' || state === 'TIMED_OUT' || state === 'RECEIVED' ? 'depart' : undefined
}

/** The desk is notified after so long without a receipt, and then gets a suggestion of another person (domain 2.9). */
export const RECEIPT_SEC = 30
export const TIME_OUT_SEC = 60
/** And then the policy's last resort is told, unless somebody else of the same alarm or incident has answered. */
export const UNANSWERED_SEC = 120

export const responderStates = ['FREE', 'ASSIGNED', 'EN_ROUTE', 'ON_SCENE', 'OFF'] as const
export type ResponderState = (typeof responderStates)[number]

/** A person's activity, from being on duty and from the most advanced open assignment. */
export const toResponderState = (onDuty: boolean, open: AssignmentState | null): ResponderState => {
  if (open === 'ON_SCENE' || open === 'EN_ROUTE') return open
  if (open === 'ASSIGNED' || open === 'RECEIVED') return 'ASSIGNED'
  return onDuty ? 'FREE' : 'OFF'
}
