import { modes, recordStates } from '@tocsin/contract/alarm/state-machine'
import { RecordQuery, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { warnClasses } from '@tocsin/contract/alarm/rule'
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter, EnumSelect, YesNo } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { QueryResult, displayableData } from '#ui/result/QueryResult.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { useRecord } from './use-record.ts'

const RecordDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const query = useRecord(id)
  return (
    <ReadDrawer onClose={onClose} size="min(880px, 100vw)" title={displayableData(query)?.record.no ?? ''}>
      <QueryResult query={query}>{(detail) => <RecordPanel detail={detail} />}</QueryResult>
    </ReadDrawer>
  )
}

const columns = [
  column(WarnRecordRow, 'no', { main: true }),
  column(WarnRecordRow, 'level', { tag: 'level' }),
  column(WarnRecordRow, 'state', { tag: 'recordState' }),
  column(WarnRecordRow, 'class', { word: 'warnClass' }),
  column(WarnRecordRow, 'schoolName'),
  column(WarnRecordRow, 'placePath'),
  column(WarnRecordRow, 'mode', { tag: 'mode' }),
  column(WarnRecordRow, 'firstAt', { exact: true }),
  column(WarnRecordRow, 'occurrenceCount', { figure: true, wideOnly: true }),
  column(WarnRecordRow, 'ownerName'),
  column(WarnRecordRow, 'disposition', { word: 'disposition', wideOnly: true }),
  column(WarnRecordRow, 'sampled', { show: (sampled) => <YesNoText yes={sampled} />, wideOnly: true }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={RecordQuery} name="keyword">
        <Input allowClear maxLength={64} />
      </Filter>
      <Filter of={RecordQuery} name="state">
        <EnumSelect kind="recordState" values={recordStates} />
      </Filter>
      <Filter of={RecordQuery} name="level">
        <EnumSelect kind="level" values={['1', '2', '3', '4']} />
      </Filter>
      <Filter of={RecordQuery} name="class">
        <EnumSelect kind="warnClass" values={warnClasses} />
      </Filter>
      <Filter of={RecordQuery} name="mode">
        <EnumSelect kind="mode" values={modes} />
      </Filter>
      <Filter of={RecordQuery} name="open">
        <YesNo />
      </Filter>
      <Filter of={RecordQuery} name="falseAlarm">
        <YesNo />
      </Filter>
      <Filter of={RecordQuery} name="sampled">
        <YesNo />
      </Filter>
      <Filter of={RecordQuery} name="schoolId">
        <SchoolSelect />
      </Filter>
      <Filter of={RecordQuery} name="deptId">
        <DeptSelect allowClear placeholder={t('list.all')} />
      </Filter>
      <Filter of={RecordQuery} name="continued">
        <YesNo />
      </Filter>
      <DateRangeFilter label={t('alarm.period')} hint={t('alarm.recordPeriodHint')} />
    </>
  )
}

const OPEN = 'record'

/** All visible records, open and closed; the open detail is in the address, so that links can open it. */
export const RecordPage = () => {
  const { t } = useTranslation()
  const mayExport = useHasPermission('warn:record:export')
  const [params, setParams] = useSearchParams()
  const open = Number(params.get(OPEN))
  const show = (id: number | undefined) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (id === undefined) next.delete(OPEN)
      else next.set(OPEN, String(id))
      return next
    })
  return (
    <>
      <ListPage
        query={RecordQuery}
        source={(query) => queryFor(warnRecords.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<Filters />}
        onOpen={({ id }) => show(id)}
        actions={({ id }) => (
          <Button size="small" type="link" onClick={() => show(id)}>
            {t('list.detail')}
          </Button>
        )}
        exporting={(query) => mayExport && <ExportButton calls={warnRecords} query={query} />}
        empty={{ text: t('alarm.noRecords') }}
      />
      {Number.isSafeInteger(open) && open > 0 && <RecordDrawer id={open} onClose={() => show(undefined)} />}
    </>
  )
}
