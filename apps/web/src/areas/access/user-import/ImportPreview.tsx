import { type JobView } from '@tocsin/contract/files/job'
import {
  ImportRow,
  userImports,
  type UserSheetField,
  UserSheetRow,
  userSheetFields,
} from '@tocsin/contract/access/user-import'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Pagination, Space, Switch, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { type Column, column } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { EmptyList, Rows } from '#ui/list/Rows.tsx'
import { CancelImport } from './ImportProgress.tsx'

type Row = ImportRow

/** What is wrong, in the reader's language. */
const wordsOf = (reasons: Row['reasons'], lang: Lang): string =>
  lang === 'en' ? reasons.map((one) => one.messageEn).join('; ') : reasons.map((one) => one.message).join('；')

/** A cell with what is wrong with it, for the eye, the pointer and the reader of screens. */
const Cell = ({ row, field }: { row: Row; field: UserSheetField }) => {
  const lang = useLang()
  const text = row.cells[field] ?? ''
  const wrong = row.reasons.filter((reason) => reason.field === field)
  if (wrong.length === 0) return <>{text || '—'}</>
  const words = wordsOf(wrong, lang)
  return (
    <Tooltip title={words}>
      <span className="bad-cell" tabIndex={0} aria-label={`${text} ${words}`}>
        {text || '—'}
      </span>
    </Tooltip>
  )
}

const Reasons = ({ row }: { row: Row }) => {
  const lang = useLang()
  return <div className="import-reasons">{wordsOf(row.reasons, lang) || '—'}</div>
}

const columns: Column<Row>[] = [
  column(ImportRow, 'line', { width: 80 }),
  column(ImportRow, 'verdict', { tag: 'importVerdict' }),
  column(ImportRow, 'reasons', { show: (_, row) => <Reasons row={row} /> }),
  ...userSheetFields.map(
    (field): Column<Row> => ({
      key: field,
      title: (lang) => labelIn(lang, UserSheetRow.shape[field]),
      render: (row) => <Cell row={row} field={field} />,
      ...(field === 'username' && { main: true }),
    }),
  ),
]

const Counts = ({ counts }: Pick<JobView, 'counts'>) => {
  const { t } = useTranslation()
  const of = (name: string) => counts[name] ?? 0
  return (
    <Space wrap>
      <Tag color="green">{t('importing.create', { n: of('create') })}</Tag>
      <Tag color="blue">{t('importing.updated', { n: of('update') })}</Tag>
      <Tag>{t('importing.same', { n: of('same') })}</Tag>
      <Tag color={of('bad') > 0 ? 'red' : 'default'}>{t('importing.bad', { n: of('bad') })}</Tag>
    </Space>
  )
}

const Lines = ({ id, bad }: { id: number; bad: number }) => {
  const { t } = useTranslation()
  const [onlyBad, setOnlyBad] = useState(bad > 0)
  const [page, setPage] = useState({ pageNo: 1, pageSize: 10 })
  const { data, error, isPending, refetch } = useQuery({
    ...queryFor(userImports.rows, { query: { id, ...page, ...(onlyBad && { onlyBad }) } }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const choose = (next: boolean) => {
    setOnlyBad(next)
    setPage({ ...page, pageNo: 1 })
  }
  return (
    <>
      <label className="import-part">
        <Switch checked={onlyBad} onChange={choose} /> {t('importing.onlyBad')}
      </label>
      <Rows
        rows={data?.list ?? []}
        columns={columns}
        rowKey={({ line }) => line}
        actions={undefined}
        onOpen={undefined}
        expand={undefined}
        loading={isPending}
        empty={<EmptyList text={t('importing.noRows')} />}
      />
      {data && data.total > page.pageSize && (
        <Pagination
          align="end"
          current={page.pageNo}
          pageSize={page.pageSize}
          total={data.total}
          showSizeChanger
          responsive
          onChange={(pageNo, pageSize) => setPage({ pageNo, pageSize })}
        />
      )}
    </>
  )
}

/** Every line with what would become of it, and the decision. */
export const ImportPreview = ({ job, onDecided }: { job: JobView; onDecided: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const commit = useApiMutation(userImports.commit)
  const { id, counts } = job
  const bad = counts['bad'] ?? 0
  const good = (counts['create'] ?? 0) + (counts['update'] ?? 0)
  const untold = (counts['untold'] ?? 0) > 0
  const onlyGood = bad > 0 || untold
  const go = () => commit.mutate({ body: { id, onlyGood } }, { onSettled: onDecided })
  return (
    <Flex vertical gap="middle">
      <Counts counts={counts} />
      {(counts['takenBack'] ?? 0) > 0 && <Alert type="error" showIcon title={t('importing.takenBack')} />}
      {untold && <Alert type="info" showIcon title={t('importing.untold')} />}
      {bad > 0 && <Alert type="warning" showIcon title={t('importing.badHelp', { n: bad })} />}
      {bad > 0 && (
        <Button
          icon={<DownloadOutlined />}
          className="import-start"
          onClick={() => void download(userImports.badRows, { query: { id, lang } }).catch(showError)}
        >
          {t('importing.badSheet')}
        </Button>
      )}
      <Lines id={id} bad={bad} />
      <Flex wrap gap="small" justify="end">
        <CancelImport id={id} />
        {good > 0 ? (
          <Button type="primary" loading={commit.isPending} onClick={go}>
            {onlyGood ? t('importing.commitGood', { n: good }) : t('importing.commitAll', { n: good })}
          </Button>
        ) : (
          <span>{t('importing.nothingGood')}</span>
        )}
      </Flex>
    </Flex>
  )
}
