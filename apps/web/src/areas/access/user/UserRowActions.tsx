import { registrations } from '@tocsin/contract/access/sign-in/register'
import { secondFactors } from '@tocsin/contract/access/sign-in/second-factor'
import { type UserRow, users } from '@tocsin/contract/access/user'
import { useTranslation } from 'react-i18next'
import { client, queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { RowActions } from '#ui/list/RowActions.tsx'

export const userDisplayName = ({ nickname, username }: UserRow) => `${nickname} (${username})`

/** The overlays of a row. */
export type OpenDialog = 'detail' | 'edit' | 'roles' | 'reset'

type Props = {
  user: UserRow
  onOpen: (dialog: OpenDialog) => void
  /** A user was approved, and role assignment comes next; the updated row, because the list may no longer have it. */
  onApproved: (now: UserRow) => void
}

/**
 * Approves or rejects an applicant. A user who may assign roles is led to them: without roles the applicant sees
 * little.
 */
const useApproval = ({ user, onApproved }: Props) => {
  const { t } = useTranslation()
  const mayRoles = useHasPermission('system:permission:assign-user-role')
  const mayRead = useHasPermission('system:user:query')
  const leads = mayRoles && mayRead
  const approve = useApiMutation(registrations.approve, { done: () => notify.success(t('user.approved')) })
  const reject = useApiMutation(registrations.reject, { done: () => notify.success(t('user.rejected')) })
  const body = { id: user.id, version: user.version }
  const text = userDisplayName(user)
  return {
    approve: async () => {
      const effect = t(leads ? 'user.approveNext' : 'user.approveEffect', { name: text })
      if (!(await confirm({ title: t('user.approveAsk'), text: effect }))) return
      // The mutation shows its own error. The list of applicants no longer has this row.
      const led = approve.mutateAsync({ body }).then(async () => {
        if (!leads) return
        onApproved(await client.fetchQuery({ ...queryFor(users.get, { query: { id: user.id } }), staleTime: 0 }))
      })
      await led.catch(() => undefined)
    },
    reject: async () => {
      if (!(await confirm({ title: t('user.rejectAsk'), text, danger: true }))) return
      reject.mutate({ body })
    },
  }
}

const useResetFactor = (user: UserRow) => {
  const { t } = useTranslation()
  const reset = useApiMutation(secondFactors.reset, { done: () => notify.success(t('list.saved')) })
  return async () => {
    const title = t('user.factorAsk', { name: user.nickname })
    if (!(await confirm({ title, text: t('user.factorEffect'), danger: true }))) return
    reset.mutate({ body: { id: user.id } })
  }
}

export const UserRowActions = (props: Props) => {
  const { user, onOpen } = props
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('system:user:update')
  const mayRoles = useHasPermission('system:permission:assign-user-role')
  const mayReset = useHasPermission('system:user:update-password')
  const mayDelete = useHasPermission('system:user:delete')
  const mayApprove = useHasPermission('system:user:approve') && user.pending
  const mayFactor = useHasPermission('system:user:reset-second-factor') && !user.pending
  const approval = useApproval(props)
  const resetFactor = useResetFactor(user)
  const isMe = useSession((session) => session.user?.id === user.id)
  const remove = useDeletion(users.delete)
  const why = isMe ? t('user.notYourself') : undefined
  return (
    <RowActions
      items={[
        { key: 'detail', label: t('list.detail'), run: () => onOpen('detail') },
        mayApprove && { key: 'approve', label: t('user.approve'), run: () => void approval.approve() },
        mayApprove && { key: 'reject', label: t('user.reject'), run: () => void approval.reject(), danger: true },
        mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen('edit') },
        mayRoles && { key: 'roles', label: t('user.assignRoles'), run: () => onOpen('roles') },
        mayReset && { key: 'reset', label: t('user.reset'), run: () => onOpen('reset'), why },
        mayFactor && { key: 'factor', label: t('user.factor'), run: () => void resetFactor(), why },
        mayDelete && {
          key: 'delete',
          label: t('list.delete'),
          run: () => void remove(user.id, userDisplayName(user)),
          danger: true,
          why,
        },
      ]}
    />
  )
}
