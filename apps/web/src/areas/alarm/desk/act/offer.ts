import { LEAD, machine, type Person, refusal } from '@tocsin/contract/alarm/machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import type { warnRecords } from '@tocsin/contract/alarm/records'
import { type Code, codes } from '@tocsin/contract/codes'

/** What a person can do to a record: the verbs that have a call of their own. */
export type PersonVerb = keyof typeof machine & keyof typeof warnRecords

/** In the order of the work, as the buttons stand. */
export const verbOrder = [
  'claim',
  'take',
  'verify',
  'dispatch',
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

/** Those without arguments are carried out by one press. */
export const direct: ReadonlySet<PersonVerb> = new Set([
  'claim',
  'take',
  'release',
  'arrive',
  'confirmFalse',
  'unshelve',
])

export type Offered = Pick<
  WarnRecordRow,
  'state' | 'class' | 'level' | 'ownerId' | 'falseBy' | 'resolverId' | 'validation' | 'resetAt' | 'shelvedUntil'
>

/** Reasons that pass: the button stays in sight and says why not now. Any other: it is not this person's or record's. */
const passing: ReadonlySet<Code> = new Set([codes.notOwner, codes.secondPerson])

/** GB 50394 5.2.4: a panic device latches until a person resets it; a shift lead may go past that with a reason. */
export const needsOverride = ({ class: kind, resetAt }: Pick<Offered, 'class' | 'resetAt'>): boolean =>
  kind === 'PANIC' && resetAt === null

/** What the server will ask beyond the table, known here before the form is filled in. */
const resolveRefusal = (record: Offered, person: Person): Code | undefined => {
  if (record.state === 'CLAIMED' && record.validation === null) return codes.notVerified
  if (person.may(LEAD)) return undefined
  if (record.state === 'ESCALATED') return codes.leadOnly
  return needsOverride(record) ? codes.needsReset : undefined
}

/** The same verb in another spelling, or one that has nothing to do now. */
const senseless = (verb: PersonVerb, { shelvedUntil }: Offered): boolean =>
  (verb === 'shelve' && shelvedUntil !== null) || (verb === 'unshelve' && shelvedUntil === null)

/** May be pressed (`free`), stands there and says why not (a code), or is not offered at all. */
export type Offer = 'free' | 'hidden' | Code

export const offer = (verb: PersonVerb, record: Offered, person: Person): Offer => {
  if (senseless(verb, record)) return 'hidden'
  const code = refusal(verb, record, person)
  if (code) return passing.has(code) ? code : 'hidden'
  return (verb === 'resolve' ? resolveRefusal(record, person) : undefined) ?? 'free'
}

/** The system escalated it because nobody came: claiming it means taking it over. */
export const isOrphan = ({ state, ownerId }: Pick<Offered, 'state' | 'ownerId'>): boolean =>
  state === 'ESCALATED' && ownerId === null

const none: ReadonlySet<PersonVerb> = new Set()

/** What stands as a button, and why it cannot be pressed; a form that was `begun` can be opened in any case. */
export const offers = (record: Offered, person: Person, begun = none) =>
  verbOrder.flatMap((verb) => {
    const found = begun.has(verb) ? 'free' : offer(verb, record, person)
    return found === 'hidden' ? [] : [{ verb, why: found === 'free' ? undefined : found }]
  })

const step = (
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
      return isOrphan(record) ? 'take' : 'resolve'
    case 'RESOLVED':
      return 'close'
    case 'CLOSED':
      return undefined
  }
}

/** The verb that usually comes next, where the person may do it now. */
export const mainVerb = (
  record: Parameters<typeof step>[0],
  list: readonly { verb: PersonVerb; why: Code | undefined }[],
): PersonVerb | undefined => {
  const next = step(record)
  return list.some(({ verb, why }) => verb === next && why === undefined) ? next : undefined
}
