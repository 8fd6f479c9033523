import type { WarnRule } from '@tocsin/contract/alarm/rule'
import type { Intake } from './book.ts'
import { cancellable } from './match.ts'
import { type Earlier, lastWord } from './past.ts'
import type { Patch } from './write.ts'

/** Codes whose order with a signal decides what a record says of itself. */
export const orderedCodes = (rules: readonly WarnRule[]): string[] => [
  ...cancellable,
  'CANCEL',
  'MANUAL_RESET',
  ...rules.flatMap(({ matchCodes, recoverCodes }) => [...matchCodes, ...recoverCodes]),
]

/** Of one aspect: what the device said last about it, among codes that concern this record. */
const last = ({ heard, past }: Intake, recordId: number | null, codes: readonly string[]) => {
  const ofRecord = ({ code, recordId: on }: Earlier) => codes.includes(code) && (on === null || on === recordId)
  return lastWord(heard, past.later.filter(ofRecord))
}

type Marks = Pick<Patch, 'presserCancelled' | 'resetAt' | 'condition'>

/** Codes without what takes them back. */
const presses = cancellable

export const cancelMark = (intake: Intake, recordId: number | null): Marks => ({
  presserCancelled: last(intake, recordId, [...presses, 'CANCEL']).code === 'CANCEL',
})

export const resetMark = (intake: Intake, recordId: number | null): Marks => {
  const { code, occurredAt } = last(intake, recordId, [...presses, 'MANUAL_RESET'])
  // Whoever reset the device was there: what it called for is over as far as the device knows.
  return code === 'MANUAL_RESET'
    ? { resetAt: occurredAt ?? intake.clock.occurredAt, condition: 'RECOVERED' }
    : { resetAt: null }
}

export type Recovers = Pick<WarnRule, 'matchCodes' | 'recoverCodes'>

export const conditionMark = (intake: Intake, recordId: number | null, rule: Recovers | null): Marks => {
  const { code } = last(intake, recordId, [...(rule?.matchCodes ?? []), ...(rule?.recoverCodes ?? [])])
  return { condition: rule?.recoverCodes.includes(code) ? 'RECOVERED' : 'ACTIVE' }
}

/**
 * Whether the presser cancelled, the device was reset and the condition is over, is what the device said last about
 * each, in its own order: a press after the cancel takes the cancel back, whichever arrives first.
 * @param recordId null when the record is about to be raised.
 */
export const marksOf = (intake: Intake, recordId: number | null, rule: Recovers | null): Marks => ({
  ...conditionMark(intake, recordId, rule),
  ...(presses.includes(intake.heard.code) && { ...cancelMark(intake, recordId), ...resetMark(intake, recordId) }),
})
