import { LoginLogQuery, LoginLogRow, loginLogs, loginLogTypes } from '@tocsin/contract/audit/login-log'
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { Filter, DateRangeFilter, EnumSelect, YesNo } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import '#ui/list/screens.css'
import { browserOf } from '@tocsin/contract/audit/user-agent'
import { LoginFilters, withWindow } from './log-query.ts'
import { WindowNote } from './WindowNote.tsx'

const columns = [
  column(LoginLogRow, 'id', { wideOnly: true }),
  column(LoginLogRow, 'createTime', { exact: true }),
  column(LoginLogRow, 'username', { main: true }),
  column(LoginLogRow, 'logType', { word: 'loginType' }),
  column(LoginLogRow, 'method', { word: 'loginMethod' }),
  column(LoginLogRow, 'result', { tag: 'loginResult' }),
  column(LoginLogRow, 'userIp'),
  column(LoginLogRow, 'region', { word: 'region' }),
  column(LoginLogRow, 'userAgent', { show: browserOf }),
]

const facts = [
  ...columns.filter(({ key }) => key !== 'userAgent'),
  column(LoginLogRow, 'userId'),
  column(LoginLogRow, 'traceId', { show: (id) => <code className="breaks">{id}</code> }),
  column(LoginLogRow, 'userAgent', { show: (agent) => <span className="breaks">{agent}</span> }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={LoginLogQuery} name="username">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={LoginLogQuery} name="userIp">
        <Input allowClear maxLength={45} />
      </Filter>
      <Filter of={LoginLogQuery} name="logType">
        <EnumSelect kind="loginType" values={loginLogTypes} />
      </Filter>
      <Filter of={LoginLogQuery} name="status">
        <YesNo />
      </Filter>
      <DateRangeFilter label={t('log.period')} hint={t('log.periodHint')} />
    </>
  )
}

/** Sign-ins and sign-outs with their location, and rejected attempts with the reason. */
export const LoginLogPage = () => {
  const { t } = useTranslation()
  const mayExport = useHasPermission('system:login-log:export')
  const [open, setOpen] = useState<LoginLogRow>()
  return (
    <>
      <ListPage
        query={LoginFilters}
        source={(query) => queryFor(loginLogs.page, { query: withWindow(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<Filters />}
        left={<WindowNote />}
        actions={(row) => <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => setOpen(row) }]} />}
        exporting={(query) => mayExport && <ExportButton calls={loginLogs} query={withWindow(query)} />}
        empty={{ text: t('log.noLogins') }}
      />
      {open && (
        <ReadDrawer onClose={() => setOpen(undefined)} size="min(720px, 100vw)" title={t('log.login')}>
          <DescriptionList row={open} columns={facts} />
        </ReadDrawer>
      )}
    </>
  )
}
