import { devices, UnknownDevice } from '@tocsin/contract/device/device'
import { PageQuery } from '@tocsin/contract/page'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { DEVICE_POLL_MS } from './device-polling.ts'

const columns = [
  column(UnknownDevice, 'sn', { main: true }),
  column(UnknownDevice, 'productKey'),
  column(UnknownDevice, 'ip'),
  column(UnknownDevice, 'reason', { tag: 'strangerReason' }),
  column(UnknownDevice, 'count', { figure: true }),
  column(UnknownDevice, 'firstAt'),
  column(UnknownDevice, 'lastAt'),
]

/** Who tried to connect and was refused. */
export const RefusedDeviceList = () => {
  const { t } = useTranslation()
  return (
    <ListPage
      query={PageQuery}
      source={(query) => queryFor(devices.unknown, { query })}
      everyMs={DEVICE_POLL_MS}
      columns={columns}
      rowKey={({ id }) => id}
      empty={{ text: t('device.noStrangers') }}
    />
  )
}
