import { schoolDevices } from '@tocsin/contract/device/school-device'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'

/** A select of installed devices, searched by serial number; the value is the device. */
export const InstalledDeviceSelect = (rest: SelectProps<number>) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedValue(typed)
  const { data, isFetching } = useQuery({
    ...queryFor(schoolDevices.page, { query: { pageSize: 50, ...(keyword && { keyword }) } }),
    placeholderData: (before) => before,
  })
  const options = (data?.list ?? []).map(({ deviceId, sn, schoolName, placePath }) => ({
    value: deviceId,
    label: `${sn} · ${schoolName} · ${placePath}`,
  }))
  return (
    <Select
      loading={isFetching}
      placeholder={t('maintenance.chooseDevice')}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      {...rest}
    />
  )
}
