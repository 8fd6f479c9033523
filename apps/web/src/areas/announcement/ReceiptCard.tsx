import {
  type AnnouncementDetail,
  type ReadState,
  readStates,
  ReceiptQuery,
  ReceiptRow,
  ReceiptSummary,
} from '@tocsin/contract/announcement/announcement'
import { announcementReceipts, announcements } from '@tocsin/contract/announcement/announcement-calls'
import { labelIn } from '@tocsin/contract/field'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Card, Flex, Input, Pagination, Select, Segmented, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { column, tableColumn } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EmptyList } from '#ui/list/rows/Rows.tsx'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

/** Receipts arrive without an event of their own. */
const POLL_MS = 60_000
const PAGE_SIZE = 20

const deptColumns = [
  column(ReceiptSummary, 'deptName'),
  column(ReceiptSummary, 'people', { figure: true }),
  column(ReceiptSummary, 'read', { figure: true }),
  column(ReceiptSummary, 'signed', { figure: true }),
]
const peopleColumns = [
  column(ReceiptRow, 'deptName'),
  column(ReceiptRow, 'nickname'),
  column(ReceiptRow, 'readState', { tag: 'readState' }),
  column(ReceiptRow, 'readAt'),
  column(ReceiptRow, 'signedAt'),
]

const Departments = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useQuery({
    ...inlineQuery(announcements.receiptSummary, { query: { id } }),
    refetchInterval: POLL_MS,
  })
  return (
    <QueryResult query={query}>
      {(rows) => (
        <ScrollTable
          size="small"
          rowKey="deptId"
          columns={deptColumns.map((deptColumn) => tableColumn(deptColumn, lang))}
          dataSource={rows}
          pagination={rows.length > PAGE_SIZE ? { pageSize: PAGE_SIZE, showSizeChanger: false } : false}
          locale={{ emptyText: <EmptyList text={t('announcement.noReceipts')} /> }}
        />
      )}
    </QueryResult>
  )
}

const People = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [pageNo, setPageNo] = useState(1)
  const [states, setStates] = useState<ReadState[]>([])
  const [keyword, setKeyword] = useState('')
  const filter = { ...(states.length > 0 && { readState: states }), ...(keyword && { keyword }) }
  const query = useQuery({
    ...inlineQuery(announcements.receipts, { query: { id, pageNo, pageSize: PAGE_SIZE, ...filter } }),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  })
  return (
    <QueryResult query={query}>
      {({ list, total }) => (
        <Flex vertical gap="small">
          <Flex gap="small" wrap>
            <Select<ReadState[]>
              mode="multiple"
              allowClear
              aria-label={labelIn(lang, ReceiptRow.shape.readState)}
              placeholder={labelIn(lang, ReceiptRow.shape.readState)}
              value={states}
              options={enumOptions('readState', readStates, lang)}
              style={{ minWidth: 160 }}
              onChange={(chosen) => {
                setStates(chosen)
                setPageNo(1)
              }}
            />
            <Input.Search
              allowClear
              maxLength={64}
              aria-label={labelIn(lang, ReceiptQuery.shape.keyword)}
              placeholder={labelIn(lang, ReceiptQuery.shape.keyword)}
              defaultValue={keyword}
              style={{ width: 200 }}
              onSearch={(text) => {
                setKeyword(text.trim())
                setPageNo(1)
              }}
            />
          </Flex>
          <ScrollTable
            size="small"
            rowKey="userId"
            columns={peopleColumns.map((peopleColumn) => tableColumn(peopleColumn, lang))}
            dataSource={list}
            pagination={false}
            locale={{ emptyText: <EmptyList text={t('announcement.noReceipts')} /> }}
          />
          {total > PAGE_SIZE && (
            <Pagination
              align="end"
              size="small"
              current={pageNo}
              pageSize={PAGE_SIZE}
              total={total}
              showSizeChanger={false}
              onChange={setPageNo}
            />
          )}
        </Flex>
      )}
    </QueryResult>
  )
}

const RemindButton = ({ row }: { row: AnnouncementDetail }) => {
  const { t } = useTranslation()
  const { mutateAsync, isPending } = useApiMutation(announcements.remind)
  const remind = async () => {
    if (!(await confirm({ title: t('announcement.remindAsk'), yes: t('announcement.remind') }))) return
    // A rejection is shown by the query client.
    await mutateAsync({ body: { id: row.id, version: row.version } }).then(
      (n) => notify.success(t('announcement.reminded', { n })),
      () => undefined,
    )
  }
  return (
    <Button loading={isPending} onClick={() => void remind()}>
      {t('announcement.remind')}
    </Button>
  )
}

/** Who has read it and signed it back: unread first, by department. */
export const ReceiptCard = ({ row }: { row: AnnouncementDetail }) => {
  const { t } = useTranslation()
  const [shown, setShown] = useState<'depts' | 'people'>('depts')
  const mayRemind = useHasPermission('announcement:announcement:publish') && row.state === 'PUBLISHED'
  const mayExport = useHasPermission('announcement:announcement:export')
  return (
    <Card
      size="small"
      title={t('announcement.receipts')}
      extra={
        <Flex gap="small" align="center">
          {row.remindedAt && (
            <Typography.Text type="secondary">
              {t('announcement.remindedAt', { at: formatDateTime(row.remindedAt) })}
            </Typography.Text>
          )}
          {mayRemind && <RemindButton row={row} />}
          {mayExport && <ExportButton calls={announcementReceipts} query={{ id: row.id }} />}
        </Flex>
      }
    >
      <Flex vertical gap="small">
        <Segmented
          style={{ alignSelf: 'start' }}
          value={shown}
          options={[
            { value: 'depts' as const, label: t('announcement.byDept') },
            { value: 'people' as const, label: t('announcement.people') },
          ]}
          onChange={setShown}
        />
        {shown === 'depts' ? <Departments id={row.id} /> : <People id={row.id} />}
      </Flex>
    </Card>
  )
}
