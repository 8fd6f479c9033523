import { type Code, codes } from '../codes.ts'

export const shiftStates = ['PLANNED', 'CHECKED_IN', 'LATE', 'ABSENT', 'LEFT_EARLY', 'DONE'] as const
export type ShiftState = (typeof shiftStates)[number]

type Transition = {
  from: readonly ShiftState[]
  to: ShiftState
  /** Absent: a timer does it. */
  permission?: string
  asks: readonly 'reason'[]
  /** Whether it is possible before the planned end, after it, or always. */
  time: 'beforeEnd' | 'afterEnd' | 'always'
}

/** FSM N (domain 2.5) as data: the server rejects by it, screens show buttons by it, a test walks it. */
export const shiftMachine = {
  checkIn: {
    from: ['PLANNED', 'LATE', 'ABSENT'],
    to: 'CHECKED_IN',
    permission: 'security:shift:check-in',
    asks: [],
    time: 'beforeEnd',
  },
  checkOut: { from: ['CHECKED_IN'], to: 'DONE', permission: 'security:shift:check-in', asks: [], time: 'afterEnd' },
  leaveEarly: {
    from: ['CHECKED_IN'],
    to: 'LEFT_EARLY',
    permission: 'security:shift:check-in',
    asks: ['reason'],
    time: 'beforeEnd',
  },
  excuse: {
    from: ['PLANNED', 'LATE', 'ABSENT'],
    to: 'ABSENT',
    permission: 'security:shift:update',
    asks: ['reason'],
    time: 'always',
  },
  markLate: { from: ['PLANNED'], to: 'LATE', asks: [], time: 'always' },
  markAbsent: { from: ['LATE'], to: 'ABSENT', asks: [], time: 'always' },
  endUnattended: { from: ['CHECKED_IN'], to: 'DONE', asks: [], time: 'afterEnd' },
} as const satisfies Record<string, Transition>

export type ShiftVerb = keyof typeof shiftMachine
export const shiftVerbs = Object.keys(shiftMachine) as ShiftVerb[]
export const shiftRule = (verb: ShiftVerb): Transition => shiftMachine[verb]

/** Check-in is possible so long before the shift begins. */
export const CHECK_IN_EARLY_MIN = 30
export const LATE_AFTER_MIN = 5
export const ABSENT_AFTER_MIN = 30
/** Leaving so shortly before the end is on time. */
export const END_GRACE_MIN = 5
/** A shift without a check-out ends so long after its planned end. */
export const UNATTENDED_END_MIN = 120
/** Minimum rest between two shifts of a person. */
export const MIN_REST_HOURS = 8
/** Farther from the post than this, a check-in by position needs a reason. */
export const MAX_CHECK_IN_METRES = 200

type ShiftFacts = {
  state: ShiftState
  fromAt: Date
  toAt: Date
  publishedAt: Date | null
  absenceReason: string | null
}

const MINUTE_MS = 60_000

/** Why a shift cannot take this transition at an instant, for any user; undefined when allowed. */
export const whyNotShiftVerb = (verb: ShiftVerb, shift: ShiftFacts, now: Date): Code | undefined => {
  const { from, time } = shiftRule(verb)
  if (shift.publishedAt === null) return codes.shiftUnpublished
  if (!from.includes(shift.state)) return codes.shiftState
  // A stand-in replaces an excused person.
  if (shift.absenceReason !== null) return codes.shiftState
  const ends = shift.toAt.getTime() - (verb === 'checkIn' ? 0 : END_GRACE_MIN * MINUTE_MS)
  if (time === 'beforeEnd' && now.getTime() >= ends) return codes.shiftOver
  if (time === 'afterEnd' && now.getTime() < ends) return codes.shiftNotOver
  const opens = shift.fromAt.getTime() - CHECK_IN_EARLY_MIN * MINUTE_MS
  if (verb === 'checkIn' && now.getTime() < opens) return codes.shiftTooEarly
  return undefined
}
