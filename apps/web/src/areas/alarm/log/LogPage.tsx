import { LogQuery, logKinds, WarnLogRow, warnLogs } from '@tocsin/contract/alarm/log'
import { Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { column } from '#ui/column.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'
import { Filter, DateRangeFilter, EnumSelect } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { Action, LogActor, Payload, Transition } from './LogText.tsx'

const HASH_SHOWN = 12

const columns = [
  column(WarnLogRow, 'recordNo', { main: true }),
  column(WarnLogRow, 'no', { figure: true }),
  column(WarnLogRow, 'at', { exact: true }),
  column(WarnLogRow, 'kind', { tag: 'logKind' }),
  column(WarnLogRow, 'verb', { show: (_, entry) => <Action entry={entry} /> }),
  column(WarnLogRow, 'toState', { show: (_, entry) => <Transition entry={entry} none="–" /> }),
  column(WarnLogRow, 'actorName', { show: (_, entry) => <LogActor entry={entry} /> }),
  column(WarnLogRow, 'schoolName', { wideOnly: true }),
  column(WarnLogRow, 'hash', {
    wideOnly: true,
    show: (hash) => (
      <span style={{ whiteSpace: 'nowrap' }}>
        <Typography.Text code title={hash}>
          {hash.slice(0, HASH_SHOWN)}
        </Typography.Text>
        <CopyButton text={hash} />
      </span>
    ),
  }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={LogQuery} name="keyword">
        <Input allowClear maxLength={64} />
      </Filter>
      <Filter of={LogQuery} name="kind">
        <EnumSelect kind="logKind" values={logKinds} />
      </Filter>
      <Filter of={LogQuery} name="schoolId">
        <SchoolSelect />
      </Filter>
      <DateRangeFilter label={t('alarm.period')} hint={t('alarm.periodHint')} />
    </>
  )
}

/** The log of all visible records: to search and to export, never to change. */
export const LogPage = () => {
  const { t } = useTranslation()
  const mayExport = useHasPermission('warn:log:export')
  return (
    <ListPage
      query={LogQuery}
      source={(query) => queryFor(warnLogs.page, { query })}
      columns={columns}
      rowKey={({ id }) => id}
      filters={<Filters />}
      exporting={(query) => mayExport && <ExportButton calls={warnLogs} query={query} />}
      expand={(entry) => <Payload payload={entry.payload} />}
      empty={{ text: t('alarm.noLogs') }}
    />
  )
}
