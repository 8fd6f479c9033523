import { type Code, codes } from '../../codes.ts'

export const procedureStatuses = ['DRAFT', 'PUBLISHED', 'RETIRED'] as const
export type ProcedureStatus = (typeof procedureStatuses)[number]

export const PROCEDURE_CREATE = 'device:procedure:create'
export const PROCEDURE_UPDATE = 'device:procedure:update'
export const PROCEDURE_PUBLISH = 'device:procedure:publish'
/** Response plans hold for every school: publishing and retiring them needs this besides PROCEDURE_PUBLISH (051). */
export const PROCEDURE_PLAN = 'device:procedure:plan'
export const PROCEDURE_RUN = 'device:procedure:run'

type Transition = {
  from: readonly ProcedureStatus[]
  to: ProcedureStatus | 'same' | 'gone'
  permission: string
  /** Besides the permission: any user; any user but the last editor of the draft. */
  who: 'anybody' | 'notEditor'
  /** The draft must differ from the version in force. */
  needsChange?: true
}

/** What a person can do with a procedure: the server rejects by it, screens show buttons by it, tests walk it. */
export const procedureMachine = {
  publish: {
    from: ['DRAFT', 'PUBLISHED', 'RETIRED'],
    to: 'PUBLISHED',
    permission: PROCEDURE_PUBLISH,
    who: 'notEditor',
    needsChange: true,
  },
  update: { from: ['DRAFT', 'PUBLISHED', 'RETIRED'], to: 'same', permission: PROCEDURE_UPDATE, who: 'anybody' },
  retire: { from: ['PUBLISHED'], to: 'RETIRED', permission: PROCEDURE_PUBLISH, who: 'anybody' },
  delete: { from: ['DRAFT'], to: 'gone', permission: PROCEDURE_UPDATE, who: 'anybody' },
} as const satisfies Record<string, Transition>

export type ProcedureVerb = keyof typeof procedureMachine
export const procedureVerbs = Object.keys(procedureMachine) as ProcedureVerb[]
export const procedureRule = (verb: ProcedureVerb): Transition => procedureMachine[verb]

type Person = { userId: number; hasPermission: (permission: string) => boolean }
type ProcedureSubject = {
  kind: 'RESPONSE' | 'WORK'
  status: ProcedureStatus
  editedBy: number | null
  changed: boolean
}

/** @returns why the person cannot apply the verb now; undefined when they can. */
export const whyNotProcedure = (verb: ProcedureVerb, subject: ProcedureSubject, person: Person): Code | undefined => {
  const { from, permission, who, needsChange } = procedureRule(verb)
  if (!person.hasPermission(permission)) return codes.forbidden
  const decidesForce = permission === PROCEDURE_PUBLISH
  if (decidesForce && subject.kind === 'RESPONSE' && !person.hasPermission(PROCEDURE_PLAN)) return codes.forbidden
  if (!from.includes(subject.status)) return codes.procedureState
  // A retired procedure can be put in force again as it was.
  if (needsChange && !subject.changed && subject.status === 'PUBLISHED') return codes.procedureUnchanged
  if (who === 'notEditor' && subject.editedBy === person.userId) return codes.procedurePublisher
  return undefined
}

export const runStates = ['RUNNING', 'DONE', 'FAILED', 'ABORTED'] as const
export type RunState = (typeof runStates)[number]

type RunTransition = {
  from: readonly RunState[]
  to: RunState | 'same'
  asks: 'step' | 'nothing' | 'reason'
  /** All mandatory steps must be done. */
  needsSteps?: true
}

/** FSM L of domain 2.3 for work at a device. */
export const runMachine = {
  step: { from: ['RUNNING'], to: 'same', asks: 'step' },
  finish: { from: ['RUNNING'], to: 'DONE', asks: 'nothing', needsSteps: true },
  fail: { from: ['RUNNING'], to: 'FAILED', asks: 'reason' },
  abort: { from: ['RUNNING'], to: 'ABORTED', asks: 'reason' },
} as const satisfies Record<string, RunTransition>

export type RunVerb = keyof typeof runMachine
export const runVerbs = Object.keys(runMachine) as RunVerb[]
export const runRule = (verb: RunVerb): RunTransition => runMachine[verb]

type RunSubject = { state: RunState; missing: number }

/** @returns why the verb is not possible now. `missing`: mandatory steps that are not done. */
export const whyNotRun = (verb: RunVerb, { state, missing }: RunSubject): Code | undefined => {
  const { from, needsSteps } = runRule(verb)
  if (!from.includes(state)) return codes.runState
  return needsSteps && missing > 0 ? codes.runStepsOpen : undefined
}
