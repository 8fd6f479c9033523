import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'

type Props = SelectProps<number> & {
  /** Who has the work now, and may be beyond the people listed first. */
  present?: { id: number; name: string } | undefined
}

/** Users who can do the work, searched by name, those with the fewest open orders first. */
export const AssigneeSelect = ({ present, ...rest }: Props) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedValue(typed)
  const { data, isFetching } = useQuery({
    ...queryFor(maintenanceOrders.assignees, { query: keyword ? { keyword } : {} }),
    placeholderData: (before) => before,
  })
  const options = (data ?? []).map(({ id, name, deptName, open }) => ({
    value: id,
    label: t('maintenance.openOrders', { name, dept: deptName, n: open }),
  }))
  const isMissing = present && keyword === '' && !options.some(({ value }) => value === present.id)
  return (
    <Select
      allowClear
      loading={isFetching}
      placeholder={t('maintenance.chooseAssignee')}
      options={isMissing ? [{ value: present.id, label: present.name }, ...options] : options}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      {...rest}
    />
  )
}
