import { type UserRow, users } from '@tocsin/contract/access/user'
import { Switch, Tag, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { StatusTag } from '#ui/cell/Status.tsx'

export const UserStatus = ({ user: { pending, status } }: { user: Pick<UserRow, 'pending' | 'status'> }) => {
  const { t } = useTranslation()
  return pending ? <Tag color="orange">{t('user.pending')}</Tag> : <StatusTag enabled={status} />
}

/** Enables or disables a user after a question; disabling ends the user's sessions. */
export const StatusSwitch = ({ user }: { user: UserRow }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('system:user:update')
  const isMe = useSession((session) => session.user?.id === user.id)
  const change = useApiMutation(users.updateStatus)
  if (user.pending || !mayUpdate) return <UserStatus user={user} />
  const ask = async (status: boolean) => {
    const title = t(status ? 'user.enableAsk' : 'user.disableAsk', { name: user.nickname })
    const text = status ? '' : t('user.disableEffect')
    if (!(await confirm({ title, ...(text && { text }), danger: !status }))) return
    const body = { id: user.id, status, version: user.version }
    change.mutate({ body }, { onSuccess: () => notify.success(t('list.saved')) })
  }
  return (
    <Tooltip title={isMe ? t('user.notYourself') : undefined}>
      <Switch
        size="small"
        checked={user.status}
        disabled={isMe}
        aria-label={t('user.statusOf', { name: user.nickname })}
        onClick={(_, event) => event.stopPropagation()}
        // A disabled control could not get the focus back after the question.
        onChange={(status) => !change.isPending && void ask(status)}
      />
    </Tooltip>
  )
}
