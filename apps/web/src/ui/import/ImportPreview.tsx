import { type JobView } from '@tocsin/contract/files/job'
import { type ImportEndpoints, type ImportNotes, ImportRow } from '@tocsin/contract/files/import'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Pagination, Space, Switch, Tag, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { type Column, column } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { EmptyList, Rows } from '#ui/list/rows/Rows.tsx'
import { confirm } from '#ui/confirm.ts'
import type { ImportDefinition } from './import-definition.ts'
import { CancelImportButton } from './ImportProgress.tsx'

type Row = ImportRow

/** The reasons in the reader's language. */
const textOf = (reasons: Row['reasons'], lang: Lang): string =>
  lang === 'en'
    ? reasons.map((reason) => reason.messageEn).join('; ')
    : reasons.map((reason) => reason.message).join('；')

/** A cell with its errors, for the eye, the pointer and the screen reader. */
const Cell = ({ row, field }: { row: Row; field: string }) => {
  const lang = useLang()
  const text = row.cells[field] ?? ''
  const wrong = row.reasons.filter((reason) => reason.field === field)
  if (wrong.length === 0) return <>{text || '–'}</>
  const words = textOf(wrong, lang)
  return (
    <Tooltip title={words}>
      <span className="bad-cell" tabIndex={0} aria-label={`${text} ${words}`}>
        {text || '–'}
      </span>
    </Tooltip>
  )
}

const Reasons = ({ row }: { row: Row }) => {
  const lang = useLang()
  return <div className="import-reasons">{textOf(row.reasons, lang) || '–'}</div>
}

const columnsOf = ({ sheet, key }: ImportDefinition): Column<Row>[] => [
  column(ImportRow, 'line', { width: 80 }),
  column(ImportRow, 'verdict', { tag: 'importVerdict' }),
  column(ImportRow, 'reasons', { show: (_, row) => <Reasons row={row} /> }),
  ...Object.entries(sheet.shape).map(
    ([field, schema]): Column<Row> => ({
      key: field,
      title: (lang) => labelIn(lang, schema as z.ZodType),
      render: (row) => <Cell row={row} field={field} />,
      ...(field === key && { main: true }),
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

type LinesProps = { id: number; bad: number; definition: ImportDefinition }

const Lines = ({ id, bad, definition }: LinesProps) => {
  const { t } = useTranslation()
  const [onlyBad, setOnlyBad] = useState(bad > 0)
  const [page, setPage] = useState({ pageNo: 1, pageSize: 10 })
  const columns = useMemo(() => columnsOf(definition), [definition])
  const { data, error, isPending, refetch } = useQuery({
    ...queryFor(definition.endpoints.rows, { query: { id, ...page, ...(onlyBad && { onlyBad }) } }),
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

/** What was read and what was not, before anything is written. */
const Notes = ({ notes }: { notes: ImportNotes }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { sheet, headingLine, unreadColumns, defaults } = notes
  return (
    <>
      {sheet && <span>{t('importing.sheet', { sheet, line: headingLine })}</span>}
      {unreadColumns.length > 0 && (
        <Alert type="warning" showIcon title={t('importing.unread', { columns: unreadColumns.join(' · ') })} />
      )}
      {defaults.map(({ title, titleEn, value, rows }) => (
        <Alert
          key={title}
          type="info"
          showIcon
          title={t('importing.default', { field: lang === 'en' ? titleEn : title, value, n: rows })}
        />
      ))}
    </>
  )
}

const BadRowsButton = ({ id, of }: { id: number; of: ImportEndpoints['badRows'] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Button
      icon={<DownloadOutlined />}
      className="import-start"
      onClick={() => void download(of, { query: { id, lang } }).catch(showError)}
    >
      {t('importing.badSheet')}
    </Button>
  )
}

type Props = { job: JobView; definition: ImportDefinition; onDecided: () => void }

/** Second step: every line with its result, and the buttons to write or discard. */
export const ImportPreview = ({ job, definition, onDecided }: Props) => {
  const { t } = useTranslation()
  const commit = useApiMutation(definition.endpoints.commit)
  const { id, counts } = job
  const bad = counts['bad'] ?? 0
  const good = (counts['create'] ?? 0) + (counts['update'] ?? 0)
  const untold = (counts['untold'] ?? 0) > 0
  const onlyGood = bad > 0 || untold
  const ask = async () => {
    if (await confirm({ title: t('importing.ask') }))
      commit.mutate({ body: { id, onlyGood } }, { onSettled: onDecided })
  }
  return (
    <Flex vertical gap="middle">
      <Counts counts={counts} />
      {job.import?.notes && <Notes notes={job.import.notes} />}
      {(counts['takenBack'] ?? 0) > 0 && <Alert type="error" showIcon title={t('importing.takenBack')} />}
      {untold && <Alert type="info" showIcon title={t('importing.untold')} />}
      {bad > 0 && <Alert type="warning" showIcon title={t('importing.badHelp', { n: bad })} />}
      {bad > 0 && <BadRowsButton id={id} of={definition.endpoints.badRows} />}
      <Lines id={id} bad={bad} definition={definition} />
      <Flex wrap gap="small" justify="end">
        <CancelImportButton id={id} />
        {good > 0 ? (
          <Button type="primary" loading={commit.isPending} onClick={() => void ask()}>
            {onlyGood ? t('importing.commitGood', { n: good }) : t('importing.commitAll', { n: good })}
          </Button>
        ) : (
          <span>{t('importing.nothingGood')}</span>
        )}
      </Flex>
    </Flex>
  )
}
