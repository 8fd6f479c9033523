import { procedureRuns } from '@tocsin/contract/device/procedure/procedure-calls'
import { PROCEDURE_RUN } from '@tocsin/contract/device/procedure/procedure-machine'
import { RunRow } from '@tocsin/contract/device/procedure/run'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { column, tableColumn } from '#ui/column.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { ProcedureName } from '../procedure-columns.tsx'

const Subject = ({ run }: { run: RunRow }) => {
  const mayRun = useHasPermission(PROCEDURE_RUN)
  const mayRecord = useHasPermission('warn:record:query')
  const { id, kind, sn, recordNo, recordId, schoolName } = run
  const where = schoolName ? ` · ${schoolName}` : ''
  if (kind === 'RESPONSE')
    return (
      <>
        {mayRecord ? <Link to={`/warn/record?record=${recordId}`}>{recordNo}</Link> : recordNo}
        {where}
      </>
    )
  return (
    <>
      {mayRun ? <Link to={`/m/run/${id}`}>{sn}</Link> : sn}
      {where}
    </>
  )
}

const columns = [
  column(RunRow, 'startedAt', { width: 160 }),
  column(RunRow, 'sn', {
    title: (lang) => (lang === 'en' ? 'Where' : '对象'),
    show: (_sn, run) => <Subject run={run} />,
  }),
  column(RunRow, 'name', {
    title: (lang) => (lang === 'en' ? 'Procedure' : '规程'),
    show: (_name, run) => (
      <>
        <ProcedureName of={run} /> v{run.versionNo}
      </>
    ),
  }),
  column(RunRow, 'startedByName', { width: 120 }),
  column(RunRow, 'doneCount', { width: 96, show: (done, { stepCount }) => `${done} / ${stepCount}` }),
  column(RunRow, 'state', { width: 112, tag: 'runState' }),
]

const PAGE_SIZE = 50

/** The newest runs of a procedure, of a device or of an order that the reader sees. */
export const RunList = (of: { procedureId?: number; deviceId?: number; orderId?: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useQuery(inlineQuery(procedureRuns.page, { query: { ...of, pageSize: PAGE_SIZE } }))
  return (
    <QueryResult query={query}>
      {({ list }) => (
        <ScrollTable<RunRow>
          size="small"
          rowKey="id"
          pagination={false}
          columns={columns.map((column) => tableColumn(column, lang))}
          dataSource={list}
          locale={{ emptyText: t('procedure.noRuns') }}
        />
      )}
    </QueryResult>
  )
}
