import { deviceModels } from '@tocsin/contract/device/model'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'

type Props = SelectProps<number> & {
  /** Only models of this product key. */
  productKey?: string
}

/** A select of device models. */
export const ModelSelect = ({ productKey, ...rest }: Props) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery({ ...queryFor(deviceModels.simpleList), staleTime: 60_000 })
  const options = (data ?? [])
    .filter((model) => productKey === undefined || model.productKey === productKey)
    .map(({ id, vendor, name }) => ({ value: id, label: `${vendor} ${name}` }))
  return (
    <Select
      loading={isFetching}
      placeholder={t('list.choose')}
      options={options}
      notFoundContent={t('device.noModelOfKey')}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}
