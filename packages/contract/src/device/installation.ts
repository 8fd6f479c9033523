import { type Code, codes } from '../codes.ts'
import type { LifecycleVerb } from './lifecycle.ts'
import type { installationStatuses } from './device.ts'

type Status = (typeof installationStatuses)[number]

type Transition = {
  from: readonly Status[]
  to: Status
  permission: string
  /** The transition of the device in the same transaction: the first that its stage allows. */
  device: readonly LifecycleVerb[]
}

const INSTALL = 'device:school-device:install'
const SUSPEND = 'device:school-device:suspend'

/** Verbs of an installation. `move` ends it and starts another one at the other place. */
export const installationMachine = {
  install: { from: ['PLANNED'], to: 'INSTALLED', permission: INSTALL, device: ['install'] },
  accept: { from: ['INSTALLED'], to: 'ACCEPTED', permission: 'device:school-device:accept', device: ['accept'] },
  suspend: { from: ['ACCEPTED'], to: 'SUSPENDED', permission: SUSPEND, device: ['suspend'] },
  resume: { from: ['SUSPENDED'], to: 'ACCEPTED', permission: SUSPEND, device: ['resume'] },
  move: { from: ['INSTALLED', 'ACCEPTED'], to: 'REMOVED', permission: INSTALL, device: ['move'] },
  remove: {
    from: ['PLANNED', 'INSTALLED', 'ACCEPTED', 'SUSPENDED'],
    to: 'REMOVED',
    permission: 'device:school-device:remove',
    device: ['remove', 'removeForRepair'],
  },
} as const satisfies Record<string, Transition>

export type InstallationVerb = keyof typeof installationMachine
export const installationVerbs = Object.keys(installationMachine) as InstallationVerb[]

export const installationRule = (verb: InstallationVerb): Transition => installationMachine[verb]

export type InstallationSubject = { status: Status; installedBy: number | null; proven: boolean }

/** Why a user cannot apply the verb to an installation now; undefined when allowed. */
export const whyNotInstallation = (
  verb: InstallationVerb,
  subject: InstallationSubject,
  userId: number,
): Code | undefined => {
  if (!installationRule(verb).from.includes(subject.status)) return codes.installationState
  if (verb !== 'accept') return undefined
  if (subject.installedBy === userId) return codes.acceptorInstalled
  return subject.proven ? undefined : codes.notProven
}
