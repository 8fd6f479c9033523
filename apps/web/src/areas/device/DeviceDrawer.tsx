import { DeviceDetail, devices } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { lifecycleColumn, networkColumns, placeColumns } from './device-columns.tsx'
import { DEVICE_POLL_MS } from './device-polling.ts'

const DaysLeft = ({ days }: { days: number | null }) => {
  const { t } = useTranslation()
  return <>{days === null ? '—' : t('device.days', { count: days })}</>
}

const network: readonly Column<DeviceDetail>[] = [
  ...networkColumns,
  column(DeviceDetail, 'batteryDaysLeft', { show: (days) => <DaysLeft days={days} /> }),
  column(DeviceDetail, 'lastHeartbeatAt'),
  column(DeviceDetail, 'since'),
  column(DeviceDetail, 'linkLostAt'),
  column(DeviceDetail, 'boot'),
  column(DeviceDetail, 'seq'),
  column(DeviceDetail, 'skewMs'),
  column(DeviceDetail, 'cfgVersion'),
  column(DeviceDetail, 'unsent'),
]

const identity: readonly Column<DeviceDetail>[] = [
  ...placeColumns,
  lifecycleColumn,
  column(DeviceDetail, 'readiness'),
  column(DeviceDetail, 'gatewaySn'),
  column(DeviceDetail, 'keywordPackVersion'),
  column(DeviceDetail, 'imei'),
  column(DeviceDetail, 'iccid'),
  column(DeviceDetail, 'mac'),
  column(DeviceDetail, 'gbCode'),
  column(DeviceDetail, 'batchNo'),
  column(DeviceDetail, 'warrantyUntil'),
  column(DeviceDetail, 'simExpiry'),
  column(DeviceDetail, 'remark'),
  column(DeviceDetail, 'createTime'),
]

const Detail = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const query = useQuery({ ...inlineQuery(devices.get, { query: { id } }), refetchInterval: DEVICE_POLL_MS })
  return (
    <QueryResult query={query}>
      {(device) => (
        <Flex vertical gap="middle">
          <DescriptionList title={t('device.network')} row={device} columns={network} />
          <DescriptionList title={t('device.identity')} row={device} columns={identity} />
        </Flex>
      )}
    </QueryResult>
  )
}

export const DeviceDrawer = ({ device, onClose }: { device: { id: number; sn: string }; onClose: () => void }) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={device.sn}>
    <Detail id={device.id} />
  </ReadDrawer>
)
