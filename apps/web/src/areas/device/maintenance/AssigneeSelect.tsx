import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

/** Users who can do the work, those with the fewest open orders first. */
export const AssigneeSelect = (rest: SelectProps<number>) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery(queryFor(maintenanceOrders.assignees))
  const options = (data ?? []).map(({ id, name, deptName, open }) => ({
    value: id,
    label: t('maintenance.openOrders', { name, dept: deptName, n: open }),
  }))
  return (
    <Select
      allowClear
      loading={isFetching}
      placeholder={t('maintenance.chooseAssignee')}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}
