import { type UserRow, users } from '@tocsin/contract/system/user'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#api/query.ts'
import { useCan, useSession } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { RowActions } from '../RowActions.tsx'

/** What a row can open. */
export type What = 'detail' | 'edit' | 'roles' | 'reset'

const useRemove = (user: UserRow) => {
  const { t } = useTranslation()
  const remove = useWrite(users.delete)
  return async () => {
    const text = `${user.nickname} (${user.username})`
    if (!(await confirm({ title: t('list.deleteAsk'), text, danger: true }))) return
    remove.mutate({ query: { id: user.id } }, { onSuccess: () => notify.success(t('list.deleted')) })
  }
}

export const UserRowActions = ({ user, onOpen }: { user: UserRow; onOpen: (what: What) => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useCan('system:user:update')
  const mayRoles = useCan('system:permission:assign-user-role')
  const mayReset = useCan('system:user:update-password')
  const mayDelete = useCan('system:user:delete')
  const isMe = useSession((session) => session.user?.id === user.id)
  const remove = useRemove(user)
  const why = isMe ? t('user.notYourself') : undefined
  return (
    <RowActions
      items={[
        { key: 'detail', label: t('list.detail'), run: () => onOpen('detail') },
        mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen('edit') },
        mayRoles && { key: 'roles', label: t('user.assignRoles'), run: () => onOpen('roles') },
        mayReset && { key: 'reset', label: t('user.reset'), run: () => onOpen('reset'), why },
        mayDelete && { key: 'delete', label: t('list.delete'), run: () => void remove(), danger: true, why },
      ]}
    />
  )
}
