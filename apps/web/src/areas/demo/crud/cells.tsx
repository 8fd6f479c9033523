import { DEMO_KIND, demoItems, DemoItemRow } from '@tocsin/contract/demo/item'
import { labelIn } from '@tocsin/contract/field'
import { InputNumber, Progress, Switch, Tag } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import type { Column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { EntryIconImage } from '#ui/icon/EntryIconImage.tsx'
import { LongText } from '#ui/LongText.tsx'
import { notify } from '#ui/notify.ts'
import { formatDateTime } from '#ui/time.ts'
import { StoredFileLink } from '#ui/upload/StoredFile.tsx'
import type { Cell, CellTemplate } from './crud.ts'

type CellProps = { row: DemoItemRow; name: Cell['name'] }

const Picture = ({ row, name }: CellProps) => {
  const url = row[name]
  // The server stores only pictures here.
  return <StoredFileLink file={typeof url === 'string' ? { name: row.name, url, type: 'image/*' } : null} />
}

/** Saved when it is switched; rejected when another user changed the row meanwhile. */
const InlineSwitch = ({ row, name }: CellProps) => {
  const lang = useLang()
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('demo:item:update')
  const update = useApiMutation(demoItems.update)
  const label = `${labelIn(lang, DemoItemRow.shape[name] as z.ZodType)} ${row.name}`
  return (
    <Switch
      size="small"
      aria-label={label}
      checked={row[name] === true}
      disabled={!mayUpdate}
      loading={update.isPending}
      onChange={(on) =>
        update.mutate(
          { body: { id: row.id, version: row.version, [name]: on } },
          { onSuccess: () => notify.success(t('list.saved')) },
        )
      }
    />
  )
}

/** Saved on blur or Enter. */
const InlineNumber = ({ row, name }: CellProps) => {
  const lang = useLang()
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('demo:item:update')
  const update = useApiMutation(demoItems.update)
  const kept = Number(row[name])
  const [typed, setTyped] = useState<number | null>()
  const save = () => {
    if (typed === undefined || typed === null || typed === kept) return setTyped(undefined)
    update.mutate(
      { body: { id: row.id, version: row.version, [name]: typed } },
      { onSuccess: () => notify.success(t('list.saved')), onSettled: () => setTyped(undefined) },
    )
  }
  return (
    <InputNumber
      size="small"
      min={0}
      max={100_000}
      precision={0}
      aria-label={`${labelIn(lang, DemoItemRow.shape[name] as z.ZodType)} ${row.name}`}
      disabled={!mayUpdate || update.isPending}
      value={typed === undefined ? kept : typed}
      onChange={setTyped}
      onBlur={save}
      onPressEnter={save}
      style={{ width: 88 }}
    />
  )
}

const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** How each template shows a value; the configuration names a template for each column. */
const templates: Record<CellTemplate, (props: CellProps) => ReactNode> = {
  text: ({ row, name }) => <LongText text={textOf(row[name])} />,
  image: (props) => <Picture {...props} />,
  list: ({ row, name }) => <DictTag type={DEMO_KIND} value={textOf(row[name])} />,
  tags: ({ row }) => (row.tags.length === 0 ? '–' : row.tags.map((tag) => <Tag key={tag}>{tag}</Tag>)),
  url: ({ row, name }) => {
    const url = textOf(row[name])
    return url ? (
      <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="demo-url">
        {url}
      </a>
    ) : (
      '–'
    )
  },
  price: ({ row, name }) => <span className="demo-figure">{yuan(Number(row[name]))}</span>,
  percent: ({ row, name }) => (
    <Progress percent={Number(row[name])} size="small" style={{ width: 120 }} aria-label={row.name} />
  ),
  icon: ({ row, name }) => {
    const icon = textOf(row[name])
    return icon ? (
      <span className="demo-cell-icon" title={icon}>
        <EntryIconImage name={icon} letter={icon} />
      </span>
    ) : (
      '–'
    )
  },
  switch: (props) => <InlineSwitch {...props} />,
  // The text of another row must not stay in the field when rows move.
  input: (props) => <InlineNumber key={props.row.id} {...props} />,
  date: ({ row, name }) => {
    const at = row[name]
    return at instanceof Date ? <span style={{ whiteSpace: 'nowrap' }}>{formatDateTime(at)}</span> : '–'
  },
}

export const columnOf = ({ name, template, main, wideOnly }: Cell): Column<DemoItemRow> => ({
  key: name,
  title: (lang) => labelIn(lang, DemoItemRow.shape[name] as z.ZodType),
  render: (row) => templates[template]({ row, name }),
  ...(main && { main }),
  ...(wideOnly && { wideOnly }),
})
