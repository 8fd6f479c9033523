import { DeviceDetail, devices } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { readInPlace } from '#api/query.ts'
import { Answer } from '#ui/statement/Answer.tsx'
import { type Column, column } from '#ui/column.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { lifecycleColumn, networkColumns, placeColumns } from './device-columns.tsx'
import { HEARD_MS } from './heard.ts'

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
  const query = useQuery({ ...readInPlace(devices.get, { query: { id } }), refetchInterval: HEARD_MS })
  return (
    <Answer query={query}>
      {(device) => (
        <Flex vertical gap="middle">
          <Facts title={t('device.network')} row={device} columns={network} />
          <Facts title={t('device.identity')} row={device} columns={identity} />
        </Flex>
      )}
    </Answer>
  )
}

export const DeviceDrawer = ({ device, onClose }: { device: { id: number; sn: string }; onClose: () => void }) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={device.sn}>
    <Detail id={device.id} />
  </ReadDrawer>
)
