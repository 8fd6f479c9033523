import type { RoleRow } from '@tocsin/contract/access/rights/role'
import { UserRow, users } from '@tocsin/contract/access/user'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { EmptyList, Rows } from '#ui/list/rows/Rows.tsx'
import { StatusTag } from '#ui/cell/Status.tsx'

const columns = [
  column(UserRow, 'nickname', { main: true }),
  column(UserRow, 'username'),
  column(UserRow, 'deptName'),
  column(UserRow, 'status', { show: (enabled) => <StatusTag enabled={enabled} /> }),
]
const pageSize = 10

/** The users of a role that the current user can see. */
export const RoleMembers = ({ role, onClose }: { role: RoleRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const [pageNo, setPageNo] = useState(1)
  const { data, error, isPending, refetch } = useQuery({
    ...inlineQuery(users.page, { query: { roleId: role.id, pageNo, pageSize } }),
    placeholderData: keepPreviousData,
  })
  const next = <Link to="/system/user">{t('role.toUsers')}</Link>
  return (
    <AppDrawer onClose={onClose} size="min(720px, 100vw)" title={t('role.membersOf', { name: role.name })}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Flex vertical gap="middle">
          <Rows
            rows={data?.list ?? []}
            columns={columns}
            rowKey={({ id }) => id}
            actions={undefined}
            onOpen={undefined}
            expand={undefined}
            loading={isPending}
            empty={
              isPending ? <EmptyList text={t('shell.loading')} /> : <EmptyList text={t('role.noMembers')} next={next} />
            }
          />
          {data && data.total > pageSize && (
            <Pagination
              align="end"
              current={pageNo}
              pageSize={pageSize}
              total={data.total}
              showSizeChanger={false}
              onChange={setPageNo}
            />
          )}
        </Flex>
      )}
    </AppDrawer>
  )
}
