import { shifts } from '@tocsin/contract/security/shift'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { notify } from '#ui/notify.ts'
import type { WeekOwner } from './list-owners.ts'
import { OwnerWeekDialog } from './OwnerWeekDialog.tsx'

/** Copying and publishing the week of one owner of the calendar, which a dialog asks for where there are several. */
export const useWeekVerbs = (week: Date, owners: readonly WeekOwner[]) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'copy' | 'publish'>()
  const copy = useApiMutation(shifts.copyWeek)
  const publish = useApiMutation(shifts.publish)
  const isBusy = copy.isPending || publish.isPending
  const close = () => setOpen(undefined)
  const copyOf = ({ schoolId, deptId }: WeekOwner) =>
    copy.mutate(
      { body: { week, schoolId, deptId } },
      {
        onSuccess: (counts) => {
          notify.success(t('duty.filled', counts))
          close()
        },
      },
    )
  const publishOf = ({ schoolId, deptId }: WeekOwner, reason: string) =>
    publish.mutate(
      { body: { week, schoolId, deptId, ...(reason && { reason }) } },
      {
        onSuccess: (n) => {
          notify.success(t('duty.published', { n }))
          close()
        },
      },
    )
  const [only] = owners.length === 1 ? owners : []
  return {
    isBusy,
    /** Without an owner in the calendar there is nothing to act on. */
    canAct: owners.length > 0,
    copyWeek: () => (only ? copyOf(only) : setOpen('copy')),
    publishWeek: () => setOpen('publish'),
    dialog: open && (
      <OwnerWeekDialog
        title={t(open === 'copy' ? 'duty.copyWeek' : 'duty.publishWeek')}
        owners={owners}
        asksReason={open === 'publish'}
        isBusy={isBusy}
        onConfirm={open === 'copy' ? copyOf : publishOf}
        onClose={close}
      />
    ),
  }
}
