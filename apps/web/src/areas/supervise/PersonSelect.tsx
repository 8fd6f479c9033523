import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { useQuery } from '@tanstack/react-query'
import { Form, Select, type SelectProps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'

type Props = Omit<SelectProps<number>, 'options' | 'onChange'> & { onChange?: (id: number | null) => void }

/** People of the chosen school or department and below it, without the user, searched by name. */
export const PersonSelect = ({ value, onChange, ...rest }: Props) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedValue(typed)
  const schoolId: unknown = Form.useWatch('schoolId')
  const responsibleDeptId: unknown = Form.useWatch('responsibleDeptId')
  const unit = {
    ...(typeof schoolId === 'number' && { schoolId }),
    ...(typeof responsibleDeptId === 'number' && { responsibleDeptId }),
  }
  const hasUnit = Object.keys(unit).length > 0
  const found = useQuery({
    ...queryFor(supervisionOrders.people, { query: { ...unit, ...(keyword && { keyword }) } }),
    enabled: hasUnit,
  })
  const chosen = useQuery({
    ...queryFor(supervisionOrders.people, { query: { ...unit, chosenId: value ?? 1 } }),
    enabled: hasUnit && typeof value === 'number',
  })
  const rows = hasUnit ? [...(found.data ?? []), ...(typeof value === 'number' ? (chosen.data ?? []) : [])] : []
  const label = (row: (typeof rows)[number]) => `${row.nickname} · ${row.deptName}`
  // A person who left the unit, or whom the user does not see.
  const gone = typeof value === 'number' && chosen.data?.length === 0 ? [value] : []
  const options = [
    ...new Map(rows.map((row) => [row.id, { value: row.id, label: label(row) }])).values(),
    ...gone.map((id) => ({ value: id, label: t('system.unoffered', { id }) })),
  ]
  return (
    <Select<number>
      allowClear
      disabled={!hasUnit}
      loading={found.isFetching}
      placeholder={hasUnit ? t('notice.findPeople') : t('order.unitFirst')}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      {...(typeof value === 'number' && { value })}
      {...rest}
      onChange={(id: number | undefined) => onChange?.(id ?? null)}
    />
  )
}
