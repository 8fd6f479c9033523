import { type Code, codes } from '../../codes.ts'

export const rolloutStates = ['DRAFT', 'APPROVED', 'RING', 'PAUSED', 'COMPLETED', 'HALTED'] as const
export type RolloutState = (typeof rolloutStates)[number]
/** A device is in at most one such rollout per kind of package. */
export const openRolloutStates = ['DRAFT', 'APPROVED', 'RING', 'PAUSED'] as const satisfies RolloutState[]

/** Share of the devices that a ring reaches in all, in percent. */
export const rings = [1, 10, 50, 100] as const
export const LAST_RING = rings.length

export const ROLLOUT_CREATE = 'device:rollout:create'
export const ROLLOUT_APPROVE = 'device:rollout:approve'
export const ROLLOUT_CONTROL = 'device:rollout:control'

type Transition = {
  from: readonly RolloutState[]
  to: RolloutState | 'gone'
  permission: string
  who: 'anybody' | 'notCreator' | 'system'
  asks?: 'reason'
}

/** FSM K of domain 2.12: the server rejects by it, screens show buttons by it, tests walk it. */
export const rolloutMachine = {
  approve: { from: ['DRAFT'], to: 'APPROVED', permission: ROLLOUT_APPROVE, who: 'notCreator' },
  start: { from: ['APPROVED'], to: 'RING', permission: ROLLOUT_CONTROL, who: 'anybody' },
  resume: { from: ['PAUSED'], to: 'RING', permission: ROLLOUT_CONTROL, who: 'anybody' },
  pause: { from: ['RING'], to: 'PAUSED', permission: ROLLOUT_CONTROL, who: 'anybody' },
  abort: {
    from: ['APPROVED', 'RING', 'PAUSED'],
    to: 'HALTED',
    permission: ROLLOUT_CONTROL,
    who: 'anybody',
    asks: 'reason',
  },
  rollBack: {
    from: ['PAUSED', 'COMPLETED', 'HALTED'],
    to: 'HALTED',
    permission: ROLLOUT_CONTROL,
    who: 'anybody',
    asks: 'reason',
  },
  delete: { from: ['DRAFT'], to: 'gone', permission: ROLLOUT_CREATE, who: 'anybody' },
  halt: { from: ['RING'], to: 'HALTED', permission: '', who: 'system' },
  complete: { from: ['RING'], to: 'COMPLETED', permission: '', who: 'system' },
} as const satisfies Record<string, Transition>

export type RolloutVerb = keyof typeof rolloutMachine
export type PersonRolloutVerb = Exclude<RolloutVerb, 'halt' | 'complete'>
export const personRolloutVerbs = [
  'approve',
  'start',
  'resume',
  'pause',
  'rollBack',
  'abort',
  'delete',
] as const satisfies PersonRolloutVerb[]
export const rolloutRule = (verb: RolloutVerb): Transition => rolloutMachine[verb]

/** `unseen`: devices of the rollout that the person does not see. */
type Subject = { state: RolloutState; creator: number | null; unseen: number }
type Person = { userId: number; hasPermission: (permission: string) => boolean }

/** @returns why the person cannot apply the verb now; undefined when they can. */
export const whyNotRollout = (verb: PersonRolloutVerb, subject: Subject, person: Person): Code | undefined => {
  const { from, permission, who } = rolloutRule(verb)
  if (!person.hasPermission(permission)) return codes.forbidden
  if (subject.unseen > 0) return codes.rolloutUnseen
  if (!from.includes(subject.state)) return codes.rolloutState
  return who === 'notCreator' && subject.creator === person.userId ? codes.rolloutApprover : undefined
}

/** What a device reports, and the state before the first report. */
export const rolloutDeviceStates = [
  'QUEUED',
  'INITIATED',
  'DOWNLOADING',
  'DOWNLOADED',
  'VERIFIED',
  'UPDATING',
  'UPDATED',
  'FAILED',
  'ROLLED_BACK',
] as const
export type RolloutDeviceState = (typeof rolloutDeviceStates)[number]
export const endedDeviceStates = ['UPDATED', 'FAILED', 'ROLLED_BACK'] as const satisfies RolloutDeviceState[]

const order = (state: RolloutDeviceState): number => rolloutDeviceStates.indexOf(state)

/** A report only moves a device forward: an older one that arrives late changes nothing. */
export const isForward = (from: RolloutDeviceState, to: RolloutDeviceState): boolean =>
  from !== 'ROLLED_BACK' && order(to) > order(from)

/** The gate: failed and offline devices of all that were started, in percent. */
export const badShare = ({ started, failed, offline }: { started: number; failed: number; offline: number }): number =>
  started === 0 ? 0 : ((failed + offline) / started) * 100
