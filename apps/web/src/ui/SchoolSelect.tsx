import { schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

/** Select with the schools that the user can see. */
export const SchoolSelect = (rest: SelectProps<number>) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery({ ...queryFor(schools.simpleList), staleTime: 60_000 })
  const options = (data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      allowClear
      loading={isFetching}
      placeholder={t('list.all')}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}
