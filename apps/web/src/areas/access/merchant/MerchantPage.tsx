import { MerchantUserQuery, MerchantUserRow, merchantUsers } from '@tocsin/contract/access/user'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { HasPerm } from '#ui/permission/HasPerm.tsx'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { Filter, DateRangeFilter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { createdEnds, withCreated } from '#ui/list/created-range.ts'
import { RowActions } from '#ui/list/RowActions.tsx'
import { StatusSelect, StatusTag } from '#ui/cell/Status.tsx'
import { MerchantDrawer } from './MerchantDrawer.tsx'

const MerchantFilters = MerchantUserQuery.omit({ createTime: true }).extend(createdEnds)

const columns = [
  column(MerchantUserRow, 'username', { main: true }),
  column(MerchantUserRow, 'nickname'),
  column(MerchantUserRow, 'schoolName'),
  column(MerchantUserRow, 'jobTitle'),
  column(MerchantUserRow, 'mobile'),
  column(MerchantUserRow, 'status', { show: (enabled) => <StatusTag enabled={enabled} /> }),
  column(MerchantUserRow, 'loginDate', { wideOnly: true }),
  column(MerchantUserRow, 'createTime', { wideOnly: true }),
]

const facts = [
  ...columns,
  column(MerchantUserRow, 'deptName'),
  column(MerchantUserRow, 'email'),
  column(MerchantUserRow, 'sex', { word: 'sex' }),
  column(MerchantUserRow, 'loginIp'),
  column(MerchantUserRow, 'remark'),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={MerchantFilters} name="schoolId">
        <SchoolSelect />
      </Filter>
      <Filter of={MerchantFilters} name="username">
        <Input allowClear maxLength={30} />
      </Filter>
      <Filter of={MerchantFilters} name="mobile">
        <Input allowClear maxLength={11} inputMode="tel" />
      </Filter>
      <Filter of={MerchantFilters} name="status">
        <StatusSelect allowClear />
      </Filter>
      <DateRangeFilter label={t('user.created')} hint={t('user.createdHint')} />
    </>
  )
}

/** Accounts of the people of schools (wire 11.9); the users page has the actions on existing ones. */
export const MerchantPage = () => {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [open, setOpen] = useState<MerchantUserRow | 'new'>()
  const navigate = useNavigate()
  const mayExport = useHasPermission('bully:merchant-user:export')
  const mayUsers = useHasPermission('system:user:list')
  const filters = useMemo(() => <Filters />, [])
  const close = () => setOpen(undefined)
  const create = (
    <HasPerm perms="bully:merchant-user:create">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
        {t('list.create')}
      </Button>
    </HasPerm>
  )
  return (
    <>
      <ListPage
        query={MerchantFilters}
        source={(query) => queryFor(merchantUsers.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={create}
        onOpen={setOpen}
        actions={(row) => (
          <RowActions
            items={[
              { key: 'detail', label: t('list.detail'), run: () => setOpen(row) },
              mayUsers && {
                key: 'user',
                label: t('role.toUsers'),
                run: () => void navigate(`/system/user?username=${row.username}`),
              },
            ]}
          />
        )}
        exporting={(query) => mayExport && <ExportButton calls={merchantUsers} query={withCreated(query)} />}
        empty={{ text: t('merchant.none'), next: create }}
      />
      {open === 'new' && <MerchantDrawer schoolId={Number(params.get('schoolId')) || undefined} onClose={close} />}
      {open !== undefined && open !== 'new' && (
        <ReadDrawer onClose={close} size="min(720px, 100vw)" title={open.nickname}>
          <DescriptionList row={open} columns={facts} />
        </ReadDrawer>
      )}
    </>
  )
}
