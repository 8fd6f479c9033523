import type { Code } from '../codes.ts'
import { codes } from '../codes.ts'
import type { WarnClass } from './rule.ts'

export const recordStates = ['NEW', 'CLAIMED', 'HANDLING', 'ESCALATED', 'RESOLVED', 'CLOSED'] as const
export type RecordState = (typeof recordStates)[number]
export const openStates = ['NEW', 'CLAIMED', 'HANDLING', 'ESCALATED'] as const satisfies RecordState[]
export const modes = ['LIVE', 'TEST', 'DRILL'] as const
export type Mode = (typeof modes)[number]

export const dispositions = [
  'REAL_HANDLED',
  'REAL_POLICE',
  'FALSE_ACCIDENTAL',
  'FALSE_DEVICE',
  'FALSE_KEYWORD',
  'FALSE_MALICIOUS',
  'TEST',
  'DRILL',
  'DUPLICATE',
  'AUTO_RECOVERED',
  'NO_PERSON_FOUND',
] as const
export type Disposition = (typeof dispositions)[number]
/** Dispositions for resolving, and for marking false. */
export const resolveDispositions = ['REAL_HANDLED', 'REAL_POLICE', 'NO_PERSON_FOUND'] as const
export const falseDispositions = [
  'FALSE_ACCIDENTAL',
  'FALSE_DEVICE',
  'FALSE_KEYWORD',
  'FALSE_MALICIOUS',
  'TEST',
  'DRILL',
] as const

/** Only these classes may end without a person (domain 2.14, invariant 3). */
export const autoClosableClasses = ['DEVICE_HEALTH', 'SECURITY_DUTY'] as const satisfies WarnClass[]
export const isAutoClosable = (of: WarnClass): boolean => autoClosableClasses.some((name) => name === of)

/**
 * Whether the state of the target is allowed for the merged record: a panic is neither shelved nor ended without a
 * person, and no call for help ends by itself, in whichever record it is counted.
 */
export const canMergeInto = (child: WarnClass, target: WarnClass): boolean =>
  (child !== 'PANIC' || target === 'PANIC') && (isAutoClosable(child) || !isAutoClosable(target))

/**
 * `any`: any user with the permission. `owner`: the owner; on an unowned record the caller becomes the owner and must
 * be allowed to claim. `ownerOrLead`: the owner or a shift lead; on an unowned record a user who may claim. `other`:
 * another user than the one of the step before.
 */
export type VerbActor = 'any' | 'owner' | 'ownerOrLead' | 'lead' | 'other' | 'system'
export type Rule = { from: readonly RecordState[]; to: RecordState | 'same'; who: VerbActor; permission: string }

const open = openStates

/** Domain 2.8 as data: the server enforces it, screens offer actions by it. */
export const stateMachine = {
  claim: { from: ['NEW'], to: 'CLAIMED', who: 'any', permission: 'warn:record:claim' },
  // A record that the system escalated because nobody came still has no owner: any user who may claim it can.
  take: { from: ['ESCALATED'], to: 'same', who: 'any', permission: 'warn:record:claim' },
  release: { from: ['CLAIMED'], to: 'NEW', who: 'owner', permission: 'warn:record:release' },
  reassign: {
    from: ['CLAIMED', 'HANDLING', 'ESCALATED'],
    to: 'same',
    who: 'ownerOrLead',
    permission: 'warn:record:reassign',
  },
  verify: { from: ['CLAIMED', 'HANDLING'], to: 'same', who: 'owner', permission: 'warn:record:verify' },
  dispatch: { from: ['NEW', 'CLAIMED'], to: 'HANDLING', who: 'owner', permission: 'warn:record:dispatch' },
  sendMore: {
    from: ['HANDLING', 'ESCALATED'],
    to: 'same',
    who: 'ownerOrLead',
    permission: 'warn:record:dispatch',
  },
  arrive: { from: ['HANDLING', 'ESCALATED'], to: 'same', who: 'any', permission: 'warn:record:dispatch' },
  note: { from: [...open, 'RESOLVED'], to: 'same', who: 'any', permission: 'warn:record:dispatch' },
  escalate: {
    from: ['NEW', 'CLAIMED', 'HANDLING'],
    to: 'ESCALATED',
    who: 'owner',
    permission: 'warn:record:escalate',
  },
  returned: { from: ['ESCALATED'], to: 'HANDLING', who: 'lead', permission: 'warn:record:escalate' },
  resolve: {
    from: ['CLAIMED', 'HANDLING', 'ESCALATED'],
    to: 'RESOLVED',
    who: 'ownerOrLead',
    permission: 'warn:record:resolve',
  },
  false: { from: ['NEW', 'CLAIMED', 'HANDLING'], to: 'RESOLVED', who: 'owner', permission: 'warn:record:false' },
  confirmFalse: {
    from: ['NEW', 'CLAIMED', 'HANDLING'],
    to: 'RESOLVED',
    who: 'other',
    permission: 'warn:record:false',
  },
  refuseFalse: { from: ['NEW', 'CLAIMED', 'HANDLING'], to: 'same', who: 'any', permission: 'warn:record:false' },
  merge: { from: ['NEW', 'CLAIMED', 'HANDLING'], to: 'RESOLVED', who: 'owner', permission: 'warn:record:merge' },
  close: { from: ['RESOLVED'], to: 'CLOSED', who: 'other', permission: 'warn:record:close' },
  reject: { from: ['RESOLVED'], to: 'HANDLING', who: 'lead', permission: 'warn:record:close' },
  reopen: { from: ['CLOSED'], to: 'HANDLING', who: 'lead', permission: 'warn:record:reopen' },
  shelve: { from: open, to: 'same', who: 'lead', permission: 'warn:record:shelve' },
  unshelve: { from: open, to: 'same', who: 'lead', permission: 'warn:record:shelve' },
  loseLease: { from: ['CLAIMED'], to: 'NEW', who: 'system', permission: '' },
  escalateBySystem: { from: ['NEW', 'CLAIMED', 'HANDLING'], to: 'ESCALATED', who: 'system', permission: '' },
  recover: { from: ['NEW', 'CLAIMED'], to: 'RESOLVED', who: 'system', permission: '' },
  ringAgain: { from: ['RESOLVED'], to: 'NEW', who: 'system', permission: '' },
  endTest: { from: ['NEW', 'CLAIMED'], to: 'RESOLVED', who: 'system', permission: '' },
  closeBySystem: { from: ['RESOLVED'], to: 'CLOSED', who: 'system', permission: '' },
} as const satisfies Record<string, Rule>
export type Verb = keyof typeof stateMachine

/** The permission to act as shift lead. */
export const LEAD_PERMISSION = 'warn:record:lead'

export type Subject = {
  state: RecordState
  class: WarnClass
  level: number
  ownerId: number | null
  falseBy: number | null
  resolverId: number | null
}
export type Person = { userId: number; may: (permission: string) => boolean }

const whyNotOwner = (subject: Subject, person: Person): Code | undefined =>
  subject.ownerId === null || subject.ownerId === person.userId ? undefined : codes.notOwner

/** Levels 1 and 2 need a second person to resolve and to close (domain 2.8). */
export const needsSecondReviewer = (subject: Pick<Subject, 'level'>): boolean => subject.level <= 2

/** Whether a record may be closed without review: a person's call for help is never closed by itself (DESIGN 7). */
export const canCloseWithoutReview = (subject: Pick<Subject, 'class' | 'level'>): boolean =>
  isAutoClosable(subject.class) && !needsSecondReviewer(subject)

/** Whether people found a person in need behind an alarm (ANSI/TMA AVS-01). */
export const isConfirmed = (validation: number | null): boolean => (validation ?? 0) >= 2

/**
 * A press that a button test or an installation expected, as long as nobody found it to be more. Only such a record ends by
 * itself and has no limits; a test that only the device announces has them (DESIGN 6).
 */
export const isOnlyExpectedPress = (subject: {
  commissioning: boolean
  testPlanId: number | null
  validation: number | null
}): boolean => (subject.commissioning || subject.testPlanId !== null) && !isConfirmed(subject.validation)

const whyNotPermitted = (verb: Verb, subject: Subject, person: Person): Code | undefined => {
  switch (stateMachine[verb].who) {
    case 'owner':
      if (subject.ownerId === null && !person.may(stateMachine.claim.permission)) return codes.forbidden
      return whyNotOwner(subject, person)
    case 'ownerOrLead':
      if (person.may(LEAD_PERMISSION)) return undefined
      if (subject.ownerId === null && !person.may(stateMachine.claim.permission)) return codes.forbidden
      return whyNotOwner(subject, person)
    case 'lead':
      return person.may(LEAD_PERMISSION) ? undefined : codes.forbidden
    case 'other': {
      const before = verb === 'close' ? subject.resolverId : subject.falseBy
      if (!needsSecondReviewer(subject)) return undefined
      if (before === person.userId) return codes.secondPerson
      // Only a lead reviews urgent records (domain 2.8).
      return verb === 'close' && !person.may(LEAD_PERMISSION) ? codes.leadReviews : undefined
    }
    case 'system':
      return codes.forbidden
    default:
      return undefined
  }
}

/** Why a user cannot apply the verb now; undefined when allowed. The server checks the guards that need arguments. */
export const whyNotAllowed = (verb: Verb, subject: Subject, person: Person): Code | undefined => {
  const rule: Rule = stateMachine[verb]
  if (!person.may(rule.permission)) return codes.forbidden
  if (!rule.from.includes(subject.state)) return codes.wrongState
  if (verb === 'confirmFalse' || verb === 'refuseFalse') {
    if (subject.falseBy === null) return codes.wrongState
  } else if (verb === 'false' && subject.falseBy !== null) return codes.wrongState
  if (verb === 'take' && subject.ownerId !== null) return codes.wrongState
  if ((verb === 'shelve' || verb === 'unshelve') && subject.class === 'PANIC') return codes.notForPanic
  return whyNotPermitted(verb, subject, person)
}

/** Timer defaults in seconds for levels 1 to 4 (domain 2.8); null: this level has no such timer. */
export const timerDefaults = {
  T1: [10, 30, 120, 900],
  T2: [30, 60, 300, 1800],
  T3: [15, 15, 15, 15],
  T4: [120, 180, 600, null],
  T5: [1800, 3600, 14_400, 86_400],
} as const satisfies Record<string, readonly (number | null)[]>
export type TimerStep = keyof typeof timerDefaults

export const LEASE_SEC = 30
export const AUTO_CLOSE_SEC = 86_400
export const REOPEN_DAYS = 7
export const SHELVE_MAX_SEC = 8 * 3600
