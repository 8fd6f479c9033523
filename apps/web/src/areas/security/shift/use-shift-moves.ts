import { startOfDay } from '@tocsin/contract/security/hours'
import { type CalendarPost, type ShiftRow, shifts } from '@tocsin/contract/security/shift'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { notify } from '#ui/notify.ts'

/** The same hours on another day. */
const onDay = ({ fromAt, toAt }: ShiftRow, day: Date) => {
  const from = startOfDay(day).getTime() + (fromAt.getTime() - startOfDay(fromAt).getTime())
  return { fromAt: new Date(from), toAt: new Date(from + toAt.getTime() - fromAt.getTime()) }
}

/** Moving and copying shifts of the calendar, by pointer and by keyboard. */
export const useShiftMoves = () => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission('security:shift:create')
  const mayUpdate = useHasPermission('security:shift:update')
  const [dragged, setDragged] = useState<ShiftRow>()
  const [copied, setCopied] = useState<ShiftRow>()
  const create = useApiMutation(shifts.create)
  const update = useApiMutation(shifts.update)
  const isSameOwner = (shift: ShiftRow, post: CalendarPost) =>
    shift.schoolId === post.schoolId && shift.deptId === post.deptId
  const place = (shift: ShiftRow, post: CalendarPost, day: Date) => {
    const { employeeId } = shift
    create.mutate(
      { body: { postId: post.id, employeeId, ...onDay(shift, day) } },
      { onSuccess: () => notify.success(t('duty.shiftCopied')) },
    )
  }
  return {
    mayMove: mayCreate && mayUpdate,
    drag: setDragged,
    isTarget: (post: CalendarPost) => dragged !== undefined && isSameOwner(dragged, post),
    /** Moves what is dragged; with `isCopy` the original stays. */
    drop: (post: CalendarPost, day: Date, isCopy: boolean) => {
      const shift = dragged
      setDragged(undefined)
      if (!shift || !isSameOwner(shift, post)) return
      if (isCopy || shift.state !== 'PLANNED') return place(shift, post, day)
      const { id, version } = shift
      update.mutate(
        { body: { id, version, postId: post.id, ...onDay(shift, day) } },
        { onSuccess: () => notify.success(t('duty.shiftMoved')) },
      )
    },
    copy: (shift: ShiftRow) => {
      if (!mayCreate) return
      setCopied(shift)
      notify.success(t('duty.shiftTaken'))
    },
    paste: (post: CalendarPost, day: Date) => {
      if (copied && isSameOwner(copied, post)) place(copied, post, day)
    },
  }
}
export type ShiftMoves = ReturnType<typeof useShiftMoves>
