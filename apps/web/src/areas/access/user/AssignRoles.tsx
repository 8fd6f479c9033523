import { permissions, UserRoles } from '@tocsin/contract/access/rights/permission'
import { UserRow, users } from '@tocsin/contract/access/user'
import { useQuery } from '@tanstack/react-query'
import { Skeleton, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { client, queryFor, inlineQuery, useApiMutation } from '#api/query.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { RoleSelect, useRoles } from './RoleSelect.tsx'

/** The roles of a user with their names; a disabled role is not among the options. */
export const useRolesOf = (userId: number, enabled = true) => {
  const { t } = useTranslation()
  // No cached data: the current roles must be known before they are replaced.
  const held = useQuery({ ...inlineQuery(permissions.listUserRoles, { query: { userId } }), gcTime: 0, enabled })
  const known = useRoles()
  const names = new Map(known.data?.map(({ id, name }) => [id, name]))
  const named = held.data?.map((id) => ({ id, name: names.get(id) ?? t('user.disabledRole', { id }) }))
  return {
    held: known.data && named,
    error: held.error ?? known.error,
    retry: () => void Promise.all([held.refetch(), known.refetch()]),
  }
}

/** The row of a user does not contain the roles. */
export const rolesNow = async (userId: number) => ({
  roleIds: await client.fetchQuery({ ...queryFor(permissions.listUserRoles, { query: { userId } }), staleTime: 0 }),
})

/** Replaces the roles of a user; the server checks that they are within the own permissions. */
export const AssignRoles = ({ user, onClose }: { user: UserRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const { held, error, retry } = useRolesOf(user.id)
  const assign = useApiMutation(permissions.assignUserRole, { also: [users.page], fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const body = toDraft(UserRoles, { ...values, userId: user.id, version: newer ?? user.version })
    await assign.mutateAsync({ body })
    notify.success(t('list.saved'))
  }
  const reading = async (current: unknown) => {
    const newer = readAs(UserRow)(current)
    return newer && { ...newer, of: UserRoles, values: await rolesNow(user.id) }
  }
  const pending = error && !held ? <ErrorState error={error} onRetry={retry} /> : <Skeleton active />
  return (
    <EditDrawer
      title={t('user.rolesOf', { name: user.nickname })}
      extra={<Tag>{user.username}</Tag>}
      initialValues={{ roleIds: held?.map(({ id }) => id) }}
      save={save}
      reading={reading}
      onClose={onClose}
      {...(!held && { pending })}
    >
      <Field of={UserRoles} name="roleIds" extra={t('user.rolesHelp')}>
        <RoleSelect present={held ?? []} />
      </Field>
    </EditDrawer>
  )
}
