import { EMPLOYEE_POST, UserRow, users } from '@tocsin/contract/access/user'
import { useQuery } from '@tanstack/react-query'
import { Flex, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { useRolesOf } from './AssignRoles.tsx'
import { UserStatus } from './StatusSwitch.tsx'

const facts = [
  column(UserRow, 'id'),
  column(UserRow, 'username'),
  column(UserRow, 'nickname'),
  column(UserRow, 'userType', { word: 'userType' }),
  column(UserRow, 'deptName'),
  column(UserRow, 'postIds', { show: (ids) => <DictTag type={EMPLOYEE_POST} value={ids.map(String)} /> }),
  column(UserRow, 'status', { show: (_, user) => <UserStatus user={user} /> }),
  column(UserRow, 'sex', { word: 'sex' }),
  column(UserRow, 'mobile'),
  column(UserRow, 'email'),
  column(UserRow, 'loginDate'),
  column(UserRow, 'loginIp'),
  column(UserRow, 'createTime'),
  column(UserRow, 'remark'),
]

const Roles = ({ userId }: { userId: number }) => {
  const { t } = useTranslation()
  const { held, error, retry } = useRolesOf(userId)
  if (error && !held) return <ErrorState error={error} onRetry={retry} />
  return (
    <Flex vertical gap="small">
      <Typography.Text strong>{t('user.roles')}</Typography.Text>
      <Flex wrap gap={4}>
        {held?.length === 0 && <Typography.Text type="secondary">{t('user.noRoles')}</Typography.Text>}
        {held?.map(({ id, name }) => (
          <Tag key={id}>{name}</Tag>
        ))}
      </Flex>
    </Flex>
  )
}

/** The row of the list, until the server returns the current one. */
export const UserDetail = ({ user, onClose }: { user: UserRow; onClose: () => void }) => {
  const mayRoles = useHasPermission('system:permission:assign-user-role')
  const enabled = useHasPermission('system:user:query')
  const { data = user, error, refetch } = useQuery({ ...inlineQuery(users.get, { query: { id: user.id } }), enabled })
  return (
    <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={data.nickname}>
      <Flex vertical gap="large">
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <DescriptionList row={data} columns={facts} />
        )}
        {mayRoles && <Roles userId={user.id} />}
      </Flex>
    </ReadDrawer>
  )
}
