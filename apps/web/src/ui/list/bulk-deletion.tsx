import type { Endpoint } from '@tocsin/contract/endpoint'
import { DeleteOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import type { RowSelection } from '#ui/list/ListPage.tsx'
import { notify } from '#ui/notify.ts'

type Props<Row> = {
  /** Takes `ids`, all or none. */
  of: Endpoint
  rows: readonly Row[]
  name: (row: Row) => string
  /** After all of them are deleted. */
  onDone: () => void
}

const NAMED = 10

/** Deletes the selected rows of a list, all or none of them. */
const BulkDeleteButton = <Row extends { id: number }>({ of, rows, name, onDone }: Props<Row>) => {
  const { t } = useTranslation()
  const remove = useApiMutation(of)
  const ask = async () => {
    if (rows.length === 0) return notify.warning(t('list.pickFirst'))
    const more = rows.length > NAMED ? ' …' : ''
    const text = `${t('list.picked', { n: rows.length })}: ${rows.slice(0, NAMED).map(name).join(', ')}${more}`
    if (!(await confirm({ title: t('list.pickedAsk'), text, danger: true }))) return
    const done = () => {
      onDone()
      notify.success(t('list.deleted'))
    }
    // Every list's call has this query (see ByIds of the contract).
    remove.mutate({ query: { ids: rows.map(({ id }) => id) } } as never, { onSuccess: done })
  }
  return (
    <Button danger={rows.length > 0} icon={<DeleteOutlined />} loading={remove.isPending} onClick={() => void ask()}>
      {rows.length > 0 ? `${t('list.delete')} (${rows.length})` : t('list.delete')}
    </Button>
  )
}

type Deletion<Row> = Pick<Props<Row>, 'of' | 'name'> & Pick<RowSelection<Row>, 'why'>

/** The props of a list for bulk deletion; nothing for a user without the permission. */
export const bulkDeletion = <Row extends { id: number }>(
  may: boolean,
  { of, name, why }: Deletion<Row>,
): RowSelection<Row> | undefined =>
  may
    ? { name, why, bar: (rows, clear) => <BulkDeleteButton of={of} rows={rows} name={name} onDone={clear} /> }
    : undefined
