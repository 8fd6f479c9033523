import { shifts } from '@tocsin/contract/security/shift'
import { whyNotShiftVerb } from '@tocsin/contract/security/shift-machine'
import { call } from '#api/call.ts'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { serverNow } from '#api/server-clock.ts'
import { hasPermission } from '#api/session.ts'
import { i18n } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'

/** The start of a shift at the desk is the check-in of a seat; without a planned seat it only starts the sound. */
export const checkInAtDesk = async (): Promise<void> => {
  if (!hasPermission('security:shift:check-in')) return
  try {
    const list = await call(shifts.mine)
    const now = new Date(serverNow())
    const seat = list.find((shift) => shift.postType === 'SEAT' && !whyNotShiftVerb('checkIn', shift, now))
    if (!seat) return
    await call(shifts.checkIn, { body: { id: seat.id, version: seat.version, method: 'DESK' } })
    notify.success(i18n.t('desk.checkedIn', { post: seat.postName }))
  } catch (error) {
    if (error instanceof ApiError) showError(error)
  }
}
