import { type Code, codes } from '../codes.ts'
import type { lifecycles } from './device.ts'

type Lifecycle = (typeof lifecycles)[number]

/** Condition beside the stage: installed, or not installed. */
type Guard = 'installed' | 'notInstalled' | 'none'
/** Required input of a verb. */
type Asked = 'reason' | 'until' | 'school'

type Transition = {
  from: readonly Lifecycle[]
  to: Lifecycle
  permission: string
  guard: Guard
  asks: readonly Asked[]
  /** Part of a verb of the installation: no call of its own. */
  byInstallation?: true
}

const beforeLost = [
  'IN_STOCK',
  'ALLOCATED',
  'INSTALLING',
  'COMMISSIONING',
  'IN_SERVICE',
  'UNDER_REPAIR',
  'SUSPENDED',
] as const

const INSTALL = 'device:school-device:install'

/** FSM A (domain 2.6) as data: the server rejects by it, screens show buttons by it, tests walk it. */
export const lifecycleMachine = {
  allocate: {
    from: ['IN_STOCK'],
    to: 'ALLOCATED',
    permission: 'device:device:allocate',
    guard: 'notInstalled',
    asks: ['school'],
  },
  restock: {
    from: ['ALLOCATED', 'UNDER_REPAIR'],
    to: 'IN_STOCK',
    permission: 'device:device:allocate',
    guard: 'notInstalled',
    asks: [],
  },
  plan: { from: ['ALLOCATED'], to: 'INSTALLING', permission: INSTALL, guard: 'none', asks: [], byInstallation: true },
  install: {
    from: ['INSTALLING'],
    to: 'COMMISSIONING',
    permission: INSTALL,
    guard: 'none',
    asks: [],
    byInstallation: true,
  },
  accept: {
    from: ['COMMISSIONING'],
    to: 'IN_SERVICE',
    permission: 'device:school-device:accept',
    guard: 'none',
    asks: [],
    byInstallation: true,
  },
  // Another room must be tested and accepted again.
  move: {
    from: ['COMMISSIONING', 'IN_SERVICE'],
    to: 'COMMISSIONING',
    permission: INSTALL,
    guard: 'none',
    asks: [],
    byInstallation: true,
  },
  remove: {
    from: ['INSTALLING', 'COMMISSIONING', 'IN_SERVICE', 'SUSPENDED'],
    to: 'IN_STOCK',
    permission: 'device:school-device:remove',
    guard: 'none',
    asks: [],
    byInstallation: true,
  },
  removeForRepair: {
    from: ['UNDER_REPAIR'],
    to: 'UNDER_REPAIR',
    permission: 'device:school-device:remove',
    guard: 'none',
    asks: [],
    byInstallation: true,
  },
  suspend: {
    from: ['IN_SERVICE'],
    to: 'SUSPENDED',
    permission: 'device:school-device:suspend',
    guard: 'installed',
    asks: ['reason', 'until'],
  },
  resume: {
    from: ['SUSPENDED'],
    to: 'IN_SERVICE',
    permission: 'device:school-device:suspend',
    guard: 'installed',
    asks: [],
  },
  repair: {
    from: ['IN_SERVICE'],
    to: 'UNDER_REPAIR',
    permission: 'device:device:repair',
    guard: 'none',
    asks: ['reason'],
  },
  repaired: {
    from: ['UNDER_REPAIR'],
    to: 'IN_SERVICE',
    permission: 'device:device:repair',
    guard: 'installed',
    asks: [],
  },
  lost: { from: beforeLost, to: 'LOST', permission: 'device:device:lost', guard: 'none', asks: ['reason'] },
  found: { from: ['LOST'], to: 'IN_STOCK', permission: 'device:device:lost', guard: 'notInstalled', asks: [] },
  retire: {
    from: ['IN_STOCK', 'UNDER_REPAIR', 'SUSPENDED', 'LOST'],
    to: 'RETIRED',
    permission: 'device:device:retire',
    guard: 'notInstalled',
    asks: ['reason'],
  },
} as const satisfies Record<string, Transition>

export type LifecycleVerb = keyof typeof lifecycleMachine
export const lifecycleVerbs = Object.keys(lifecycleMachine) as LifecycleVerb[]

/** Verbs that have a button of their own, in the order of the machine. */
export const deviceVerbNames = lifecycleVerbs.filter((verb) => !('byInstallation' in lifecycleMachine[verb]))

/** Maximum days of a suspension of a panic device (domain 2.6). */
export const MAX_PANIC_SUSPENSION_DAYS = 30
export const MAX_SUSPENSION_DAYS = 365

export type LifecycleSubject = { lifecycle: Lifecycle; installed: boolean }

export const lifecycleRule = (verb: LifecycleVerb): Transition => lifecycleMachine[verb]

/** Why a device cannot take this transition now, for any user; undefined when allowed. */
export const whyNotTransition = (verb: LifecycleVerb, subject: LifecycleSubject): Code | undefined => {
  const { from, guard } = lifecycleRule(verb)
  if (!from.includes(subject.lifecycle)) return codes.deviceState
  if (guard === 'installed' && !subject.installed) return codes.deviceNotInstalled
  if (guard === 'notInstalled' && subject.installed) return codes.deviceInstalled
  return undefined
}
