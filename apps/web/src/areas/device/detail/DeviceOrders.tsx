import type { DeviceDetail } from '@tocsin/contract/device/device'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { RELATED_PAGE, RelatedRows } from '#ui/related/RelatedRows.tsx'
import { maintenanceColumns } from '../maintenance/maintenance-columns.tsx'

/** Facts of the device itself are in the head of its page. */
const columns = maintenanceColumns.filter(({ key }) => !['sn', 'districtName', 'schoolName'].includes(key))

/** The maintenance orders of one device, open ones first. */
export const DeviceOrders = ({ device: { id, sn } }: { device: Pick<DeviceDetail, 'id' | 'sn'> }) => {
  const { t } = useTranslation()
  return (
    <RelatedRows
      source={queryFor(maintenanceOrders.page, { query: { deviceId: id, ...RELATED_PAGE } })}
      columns={columns}
      rowKey={(row) => row.id}
      toRow={(row) => `/device/maintenance/${row.id}`}
      all={{ to: `/device/maintenance?deviceId=${id}`, label: t('device.ordersOf', { sn }) }}
      empty={t('device.noOrders')}
    />
  )
}
