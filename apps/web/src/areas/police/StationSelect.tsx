import { stations } from '@tocsin/contract/police/station'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

/** A select of police stations. */
export const StationSelect = (rest: SelectProps<number>) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery({ ...queryFor(stations.simpleList), staleTime: 60_000 })
  return (
    <Select
      allowClear
      loading={isFetching}
      placeholder={t('list.choose')}
      options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}
