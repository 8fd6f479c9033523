import { type Code, codes } from '../codes.ts'

export const situationStates = [
  'RECEIVED',
  'DISPATCHED',
  'IN_PROGRESS',
  'FED_BACK',
  'CLOSED',
  'ARCHIVED',
  'REJECTED',
  'TRANSFERRED',
  'MERGED',
  'CANCELLED',
] as const
export type SituationState = (typeof situationStates)[number]
/** States in which the police must still act. */
export const openSituationStates = [
  'RECEIVED',
  'DISPATCHED',
  'IN_PROGRESS',
  'FED_BACK',
] as const satisfies SituationState[]

/** Conditions beside the state. */
type Guard = 'none' | 'alarm' | 'noAlarm' | 'unclaimed' | 'station'

type Transition = {
  from: readonly SituationState[]
  to: SituationState | 'same'
  /** Empty: only the system applies it. */
  permission: string
  guard: Guard
}

const open = openSituationStates
const beforeFeedback = ['RECEIVED', 'DISPATCHED', 'IN_PROGRESS'] as const
const may = (verb: string) => `police:situation:${verb}`

/** FSM F (domain 2.9) as data: the server rejects by it, screens show buttons by it, tests walk it. */
export const situationMachine = {
  claim: { from: ['RECEIVED'], to: 'same', permission: may('receive'), guard: 'unclaimed' },
  dispatch: { from: ['RECEIVED'], to: 'DISPATCHED', permission: may('dispatch'), guard: 'station' },
  addUnit: {
    from: ['DISPATCHED', 'IN_PROGRESS', 'FED_BACK'],
    to: 'same',
    permission: may('dispatch'),
    guard: 'none',
  },
  recall: { from: open, to: 'same', permission: may('dispatch'), guard: 'none' },
  feedback: {
    from: ['DISPATCHED', 'IN_PROGRESS', 'FED_BACK'],
    to: 'FED_BACK',
    permission: may('feedback'),
    guard: 'none',
  },
  close: { from: ['FED_BACK'], to: 'CLOSED', permission: may('close'), guard: 'none' },
  note: { from: open, to: 'same', permission: may('feedback'), guard: 'none' },
  transfer: { from: beforeFeedback, to: 'TRANSFERRED', permission: may('transfer'), guard: 'none' },
  reject: { from: beforeFeedback, to: 'REJECTED', permission: may('receive'), guard: 'alarm' },
  merge: { from: beforeFeedback, to: 'MERGED', permission: may('merge'), guard: 'none' },
  unmerge: { from: ['MERGED'], to: 'RECEIVED', permission: may('merge'), guard: 'none' },
  cancel: { from: ['RECEIVED', 'DISPATCHED'], to: 'CANCELLED', permission: may('receive'), guard: 'noAlarm' },
  reopen: { from: ['CLOSED', 'ARCHIVED'], to: 'IN_PROGRESS', permission: may('reopen'), guard: 'none' },
  /** The first unit departs. */
  progress: { from: ['DISPATCHED'], to: 'IN_PROGRESS', permission: '', guard: 'none' },
  archive: { from: ['CLOSED'], to: 'ARCHIVED', permission: '', guard: 'none' },
  /** The school hands the same alarm over once more; a merged incident only when the one it was merged into is over. */
  again: { from: ['REJECTED', 'CLOSED', 'ARCHIVED', 'MERGED'], to: 'RECEIVED', permission: '', guard: 'none' },
} as const satisfies Record<string, Transition>

export type SituationVerb = keyof typeof situationMachine
export const situationVerbs = Object.keys(situationMachine) as SituationVerb[]
export const situationRule = (verb: SituationVerb): Transition => situationMachine[verb]

export const ARCHIVE_AFTER_SEC = 86_400
export const REOPEN_SITUATION_DAYS = 30

export type SituationSubject = {
  state: SituationState
  ownerId: number | null
  warnRecordId: number | null
  stationDeptId: number | null
}

const guardError = (guard: Guard, { ownerId, warnRecordId, stationDeptId }: SituationSubject): Code | undefined => {
  if (guard === 'unclaimed' && ownerId !== null) return codes.situationClaimed
  if (guard === 'alarm' && warnRecordId === null) return codes.situationNoAlarm
  if (guard === 'noAlarm' && warnRecordId !== null) return codes.situationHasAlarm
  if (guard === 'station' && stationDeptId === null) return codes.situationNoStation
  return undefined
}

/**
 * Why a user cannot apply the verb now; undefined when allowed. The server checks the guards about units and feedback.
 */
export const whyNotSituation = (
  verb: SituationVerb,
  subject: SituationSubject,
  mayDo: (permission: string) => boolean,
): Code | undefined => {
  const { from, permission, guard } = situationRule(verb)
  if (permission === '' || !mayDo(permission)) return codes.forbidden
  if (!from.includes(subject.state)) return codes.situationState
  return guardError(guard, subject)
}
