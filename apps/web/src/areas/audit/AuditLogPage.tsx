import { AuditLogQuery, AuditLogRow, auditLogs } from '@tocsin/contract/audit/audit-log'
import { browserOf } from '@tocsin/contract/audit/user-agent'
import { Input, InputNumber } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { DateRangeFilter, Filter, YesNo } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import '#ui/list/screens.css'
import { AuditDetail } from './AuditDetail.tsx'
import { OneWord, Operation, Outcome, Subject } from './AuditText.tsx'
import { AuditFilters, withWindow } from './log-query.ts'
import { WindowNote } from './WindowNote.tsx'

const columns = [
  column(AuditLogRow, 'id', { wideOnly: true }),
  column(AuditLogRow, 'createTime', { exact: true }),
  column(AuditLogRow, 'userName', { main: true }),
  column(AuditLogRow, 'subType', { show: (_, row) => <Operation row={row} /> }),
  column(AuditLogRow, 'type', { word: 'auditModule' }),
  column(AuditLogRow, 'action', { wideOnly: true, show: (action) => <code className="breaks">{action}</code> }),
  column(AuditLogRow, 'subject', { show: (_, row) => <Subject row={row} /> }),
  column(AuditLogRow, 'result', { show: (result) => <Outcome result={result} /> }),
  column(AuditLogRow, 'userIp', { wideOnly: true }),
  column(AuditLogRow, 'region', { wideOnly: true, word: 'region' }),
  column(AuditLogRow, 'userAgent', { wideOnly: true, show: (agent) => (agent ? browserOf(agent) : '–') }),
  column(AuditLogRow, 'durationMs', { figure: true, wideOnly: true }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={AuditLogQuery} name="keywords">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={AuditLogQuery} name="userName">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={AuditLogQuery} name="type">
        <OneWord kind="auditModule" />
      </Filter>
      <Filter of={AuditLogQuery} name="subType">
        <OneWord kind="auditVerb" />
      </Filter>
      <Filter of={AuditLogQuery} name="action">
        <Input allowClear maxLength={100} placeholder="system:user:update" />
      </Filter>
      <Filter of={AuditLogQuery} name="succeeded">
        <YesNo />
      </Filter>
      <Filter of={AuditLogQuery} name="userIp">
        <Input allowClear maxLength={45} placeholder="10.1." />
      </Filter>
      <Filter of={AuditLogQuery} name="bizId">
        <InputNumber min={1} precision={0} style={{ width: '100%' }} />
      </Filter>
      <DateRangeFilter label={t('log.period')} hint={t('log.periodHint')} />
    </>
  )
}

/** The operation log: to search and to export, never to change. */
export const AuditLogPage = () => {
  const { t } = useTranslation()
  const mayExport = useHasPermission('system:operate-log:export')
  const [open, setOpen] = useState<AuditLogRow>()
  return (
    <>
      <ListPage
        query={AuditFilters}
        source={(query) => queryFor(auditLogs.page, { query: withWindow(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<Filters />}
        left={<WindowNote />}
        actions={(row) => <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => setOpen(row) }]} />}
        exporting={(query) => mayExport && <ExportButton calls={auditLogs} query={withWindow(query)} />}
        empty={{ text: t('log.noOperations') }}
      />
      {open && <AuditDetail row={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
