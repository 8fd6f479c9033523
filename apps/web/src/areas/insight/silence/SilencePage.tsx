import { warnRecords } from '@tocsin/contract/alarm/records'
import { MAX_SILENCE_ROWS, type Silence, silence, SilenceRow } from '@tocsin/contract/insight/silence'
import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Flex, Segmented, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { OutageDevices } from '#areas/alarm/outage/OutageDevices.tsx'
import { column, tableColumn } from '#ui/column.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

const POLL_MS = 60_000

const Basis = ({ row: { kind, basis, until } }: { row: SilenceRow }) => (
  <>
    {kind === 'DELIVERY' ? <EnumLabel kind="deliveryChannel" value={basis} /> : (basis ?? '–')}
    {until && <span className="stamp"> → {formatDateTime(until)}</span>}
  </>
)

const columns = [
  column(SilenceRow, 'at', { width: 190 }),
  column(SilenceRow, 'subject'),
  column(SilenceRow, 'schoolName', { show: (name) => name ?? '–' }),
  column(SilenceRow, 'code', { show: (code) => (code === null ? '–' : <EnumLabel kind="alarmCode" value={code} />) }),
  column(SilenceRow, 'kind', { width: 120, word: 'silenceKind' }),
  column(SilenceRow, 'reason', { width: 180, word: 'silenceReason' }),
  column(SilenceRow, 'count', { width: 80, figure: true }),
  column(SilenceRow, 'basis', { show: (_, row) => <Basis row={row} /> }),
]

const PanicProof = ({ panic }: Pick<Silence, 'panic'>) => {
  const { t } = useTranslation()
  return panic.hidden === 0 ? (
    <Alert type="success" showIcon title={t('silence.panicNone', { received: panic.received })} />
  ) : (
    <Alert type="error" showIcon title={t('silence.panicHidden', panic)} />
  )
}

/** The link of each row; a shelved alarm can be unshelved here. */
const Actions = ({ row }: { row: SilenceRow }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayUnshelve = useHasPermission('warn:record:shelve')
  const pathOf = usePathOf()
  const deliveries = pathOf('notify/delivery')
  const records = pathOf('warn/record/index')
  const { mutate } = useApiMutation(warnRecords.unshelve, {
    also: [silence.today],
    done: () => notify.success(t('silence.undone')),
  })
  const { recordId, recordVersion: version } = row
  return (
    <RowActions
      items={[
        mayUnshelve &&
          row.kind === 'SHELVED' &&
          recordId !== null &&
          version !== null && {
            key: 'undo',
            label: t('silence.undo'),
            run: () => mutate({ body: { id: recordId, version } }),
          },
        records !== undefined &&
          recordId !== null && {
            key: 'record',
            label: t('silence.toRecord'),
            run: () => void navigate(`${records}?keyword=${row.kind === 'OUTAGE' ? row.basis : row.subject}`),
          },
        row.kind === 'DELIVERY' &&
          deliveries !== undefined && {
            key: 'deliveries',
            label: t('silence.toDeliveries'),
            run: () => void navigate(deliveries),
          },
      ]}
    />
  )
}

const ALL = 'ALL'

const Content = ({ data }: { data: Silence }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [kind, setKind] = useState<string>(ALL)
  const mayReadRecords = useHasPermission('warn:record:query')
  const parts = data.counts.filter(({ n }) => n > 0)
  if (parts.length === 0) return <Empty description={t('silence.none')} />
  const rows = kind === ALL ? data.rows : data.rows.filter((row) => row.kind === kind)
  const label = (part: (typeof parts)[number]) =>
    t('silence.part', { kind: enumLabel('silenceKind', part.kind, lang), n: part.n })
  return (
    <>
      <Segmented
        value={kind}
        onChange={setKind}
        options={[
          { value: ALL, label: t('silence.summary', { n: data.total }) },
          ...parts.map((part) => ({ value: part.kind, label: label(part) })),
        ]}
      />
      <ScrollTable<SilenceRow>
        size="small"
        rowKey="key"
        dataSource={rows}
        expandable={{
          rowExpandable: ({ outageId }) => outageId !== null && mayReadRecords,
          expandedRowRender: ({ outageId }) => outageId !== null && <OutageDevices of={{ outageId }} />,
        }}
        pagination={rows.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
        columns={[
          ...columns.map((column) => tableColumn<SilenceRow>(column, lang)),
          { key: 'actions', render: (_, row) => <Actions row={row} /> },
        ]}
      />
      {data.rows.length >= MAX_SILENCE_ROWS && (
        <Typography.Text type="secondary">{t('silence.cut', { n: MAX_SILENCE_ROWS })}</Typography.Text>
      )}
    </>
  )
}

/** Everything that was hidden or not sent today, with the reason. */
export const SilencePage = () => {
  const query = useQuery({ ...inlineQuery(silence.today), refetchInterval: POLL_MS })
  return (
    <QueryResult query={query}>
      {(data) => (
        <Flex vertical gap="middle">
          <PanicProof panic={data.panic} />
          <Content data={data} />
        </Flex>
      )}
    </QueryResult>
  )
}
