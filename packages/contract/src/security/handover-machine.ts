import { type Code, codes } from '../codes.ts'

export const handoverStates = ['DRAFT', 'GIVEN', 'DONE', 'CANCELLED'] as const
export type HandoverState = (typeof handoverStates)[number]
export const openHandoverStates = ['DRAFT', 'GIVEN'] as const satisfies HandoverState[]

const SIGN = 'security:handover:sign'

type Transition = {
  from: readonly HandoverState[]
  to: HandoverState | 'same'
  permission: string
  /** Besides the permission: the person who leaves, or anybody else. */
  who: 'giver' | 'other'
  /** Whether every open alarm must have an owner who stays. */
  needsOwners: boolean
  asks: readonly 'note'[]
}

/** The handover as data: the server rejects by it, screens show buttons by it, a test walks it. */
export const handoverMachine = {
  note: { from: ['DRAFT'], to: 'same', permission: SIGN, who: 'giver', needsOwners: false, asks: ['note'] },
  give: { from: ['DRAFT'], to: 'GIVEN', permission: SIGN, who: 'giver', needsOwners: true, asks: [] },
  take: { from: ['GIVEN'], to: 'DONE', permission: SIGN, who: 'other', needsOwners: true, asks: ['note'] },
  cancel: {
    from: openHandoverStates,
    to: 'CANCELLED',
    permission: SIGN,
    who: 'giver',
    needsOwners: false,
    asks: [],
  },
} as const satisfies Record<string, Transition>

export type HandoverVerb = keyof typeof handoverMachine
export const handoverVerbs = Object.keys(handoverMachine) as HandoverVerb[]
export const handoverRule = (verb: HandoverVerb): Transition => handoverMachine[verb]

type HandoverFacts = {
  state: HandoverState
  /** Whether the person who asks is the one who leaves. */
  isGiver: boolean
  /** Open alarms without an owner who stays. */
  lacking: number
}

/** Why a handover cannot take this transition now; undefined when it can. */
export const whyNotHandoverVerb = (
  verb: HandoverVerb,
  { state, isGiver, lacking }: HandoverFacts,
): Code | undefined => {
  const { from, who, needsOwners } = handoverRule(verb)
  if (!from.includes(state)) return codes.handoverState
  if (who === 'giver' && !isGiver) return codes.handoverNotYours
  if (who === 'other' && isGiver) return codes.handoverSelf
  return needsOwners && lacking > 0 ? codes.handoverUnowned : undefined
}
