import { LEAD_PERMISSION, stateMachine, type Person, whyNotAllowed } from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { warnRecords } from '@tocsin/contract/alarm/records'
import { type Code, codes } from '@tocsin/contract/codes'

/** The verbs of users: those with a call of their own. */
export type PersonVerb = keyof typeof stateMachine & keyof typeof warnRecords

/** In the order of the work, like the buttons. */
export const verbOrder = [
  'claim',
  'take',
  'verify',
  'dispatch',
  'sendMore',
  'arrive',
  'escalate',
  'resolve',
  'confirmFalse',
  'refuseFalse',
  'false',
  'close',
  'reject',
  'reopen',
  'returned',
  'note',
  'reassign',
  'merge',
  'shelve',
  'unshelve',
  'release',
] as const satisfies readonly PersonVerb[]

/** Verbs without arguments run on one click. */
export const oneClickVerbs: ReadonlySet<PersonVerb> = new Set([
  'claim',
  'take',
  'release',
  'arrive',
  'confirmFalse',
  'unshelve',
])

export type ActionSubject = Pick<
  WarnRecordRow,
  'state' | 'class' | 'level' | 'ownerId' | 'falseBy' | 'resolverId' | 'validation' | 'resetAt' | 'shelvedUntil'
>

/** Temporary reasons: the button stays visible with the reason. For any other reason the verb is hidden. */
const passing: ReadonlySet<Code> = new Set([codes.notOwner, codes.secondPerson])

/** GB 50394 5.2.4: a panic device latches until a person resets it; a shift lead may skip that with a reason. */
export const needsOverride = ({ class: kind, resetAt }: Pick<ActionSubject, 'class' | 'resetAt'>): boolean =>
  kind === 'PANIC' && resetAt === null

/** Server checks beyond the table, known here before the form is filled in. */
const whyNotResolvable = (record: ActionSubject, person: Person): Code | undefined => {
  if (record.state === 'CLAIMED' && record.validation === null) return codes.notVerified
  if (person.may(LEAD_PERMISSION)) return undefined
  if (record.state === 'ESCALATED') return codes.leadOnly
  return needsOverride(record) ? codes.needsReset : undefined
}

/** An alternative form of the same verb, or one without a purpose now. */
const isPointless = (verb: PersonVerb, { shelvedUntil }: ActionSubject): boolean =>
  (verb === 'shelve' && shelvedUntil !== null) || (verb === 'unshelve' && shelvedUntil === null)

/** Enabled (`free`), disabled with a reason (a code), or hidden. */
export type ActionState = 'free' | 'hidden' | Code

export const actionState = (verb: PersonVerb, record: ActionSubject, person: Person): ActionState => {
  if (isPointless(verb, record)) return 'hidden'
  const code = whyNotAllowed(verb, record, person)
  if (code) return passing.has(code) ? code : 'hidden'
  return (verb === 'resolve' ? whyNotResolvable(record, person) : undefined) ?? 'free'
}

/** The system escalated the alarm because nobody claimed it; claiming it now is a takeover. */
export const isUnownedEscalation = ({ state, ownerId }: Pick<ActionSubject, 'state' | 'ownerId'>): boolean =>
  state === 'ESCALATED' && ownerId === null

/**
 * For one key with two verbs, the one that the state requires: an unowned escalated record is taken over; a further
 * dispatch adds people.
 */
export const meantVerb = (verb: PersonVerb, record: Pick<ActionSubject, 'state' | 'ownerId'>): PersonVerb => {
  if (verb === 'claim' && isUnownedEscalation(record)) return 'take'
  const isHandled = record.state === 'HANDLING' || record.state === 'ESCALATED'
  return verb === 'dispatch' && isHandled ? 'sendMore' : verb
}

const none: ReadonlySet<PersonVerb> = new Set()

/** The state of a button; a form that was `begun` can always be opened. */
export const actionStates = (record: ActionSubject, person: Person, begun = none) =>
  verbOrder.flatMap((verb) => {
    const found = begun.has(verb) ? 'free' : actionState(verb, record, person)
    return found === 'hidden' ? [] : [{ verb, why: found === 'free' ? undefined : found }]
  })

const usualVerb = (
  record: Pick<WarnRecordRow, 'state' | 'validation' | 'onSiteAt' | 'falseBy' | 'ownerId'>,
): PersonVerb | undefined => {
  if (record.falseBy !== null && record.state !== 'RESOLVED') return 'confirmFalse'
  switch (record.state) {
    case 'NEW':
      return 'claim'
    case 'CLAIMED':
      if (record.validation === null) return 'verify'
      return record.validation === 4 ? 'escalate' : 'dispatch'
    case 'HANDLING':
      return record.onSiteAt === null ? 'arrive' : 'resolve'
    case 'ESCALATED':
      return isUnownedEscalation(record) ? 'take' : 'resolve'
    case 'RESOLVED':
      return 'close'
    case 'CLOSED':
      return undefined
  }
}

/** The usual next verb, if the user may apply it now. */
export const mainVerb = (
  record: Parameters<typeof usualVerb>[0],
  list: readonly { verb: PersonVerb; why: Code | undefined }[],
): PersonVerb | undefined => {
  const next = usualVerb(record)
  return list.some(({ verb, why }) => verb === next && why === undefined) ? next : undefined
}
