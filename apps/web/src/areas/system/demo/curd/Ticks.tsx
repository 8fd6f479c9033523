import { type DemoItemRow, demoItems } from '@tocsin/contract/system/demo/item'
import { DeleteOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#api/query.ts'
import { i18n } from '#texts/i18n.ts'
import type { Column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'

export type Ticks = { ids: readonly number[]; toggle: (id: number) => void; clear: () => void }

/** Rows that were ticked, on whichever page. */
export const useTicks = (): Ticks => {
  const [ids, setIds] = useState<readonly number[]>([])
  return {
    ids,
    toggle: (id) => setIds((all) => (all.includes(id) ? all.filter((one) => one !== id) : [...all, id])),
    clear: () => setIds([]),
  }
}

const Tick = ({ row, ticks }: { row: DemoItemRow; ticks: Ticks }) => {
  const { t } = useTranslation()
  return (
    <Checkbox
      aria-label={t('demo.curdTick', { name: row.name })}
      checked={ticks.ids.includes(row.id)}
      onChange={() => ticks.toggle(row.id)}
    />
  )
}

export const tickColumn = (ticks: Ticks): Column<DemoItemRow> => ({
  key: 'tick',
  title: (lang) => i18n.t('demo.curdTicked', { lng: lang }),
  width: 72,
  render: (row) => <Tick row={row} ticks={ticks} />,
})

/** Deletes what is ticked, all or none. */
export const RemoveButton = ({ ticks }: { ticks: Ticks }) => {
  const { t } = useTranslation()
  const remove = useWrite(demoItems.deleteList)
  const { ids, clear } = ticks
  const ask = async () => {
    if (ids.length === 0) return notify.warning(t('demo.curdRemoveNone'))
    if (!(await confirm({ title: t('demo.curdRemoveAsk'), danger: true }))) return
    remove.mutate(
      { query: { ids: [...ids] } },
      {
        onSuccess: () => {
          clear()
          notify.success(t('list.deleted'))
        },
      },
    )
  }
  return (
    <Button danger icon={<DeleteOutlined />} loading={remove.isPending} onClick={() => void ask()}>
      {ids.length > 0 ? t('demo.curdRemoveCount', { n: ids.length }) : t('demo.curdRemove')}
    </Button>
  )
}
