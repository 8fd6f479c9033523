import type { MyShift } from '@tocsin/contract/security/shift'
import { whyNotShiftVerb } from '@tocsin/contract/security/shift-machine'

/** What the phone offers for a shift at a moment. */
export const listShiftActions = (
  shift: Pick<MyShift, 'state' | 'fromAt' | 'toAt' | 'publishedAt' | 'absenceReason'>,
  now: Date,
) => {
  const isHere = shift.state === 'CHECKED_IN'
  return {
    canStart: !whyNotShiftVerb('checkIn', shift, now),
    isHere,
    /** The end is still to come: leaving needs a reason. */
    isEarly: isHere && !whyNotShiftVerb('leaveEarly', shift, now),
  }
}
