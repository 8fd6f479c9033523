import { DeviceRow, devices } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Flex, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { readInPlace } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { networkColumns, placeColumns } from './device-columns.tsx'

const identity = [
  ...placeColumns,
  column(DeviceRow, 'lifecycle', { tag: 'lifecycle' }),
  column(DeviceRow, 'readiness'),
  column(DeviceRow, 'imei'),
  column(DeviceRow, 'iccid'),
  column(DeviceRow, 'mac'),
  column(DeviceRow, 'gbCode'),
  column(DeviceRow, 'batchNo'),
  column(DeviceRow, 'warrantyUntil'),
  column(DeviceRow, 'simExpiry'),
  column(DeviceRow, 'remark'),
  column(DeviceRow, 'createTime'),
]

const Detail = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(readInPlace(devices.get, { query: { id } }))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  return (
    <Flex vertical gap="middle">
      <Facts title={t('device.network')} row={data} columns={networkColumns} />
      <Facts title={t('device.identity')} row={data} columns={identity} />
    </Flex>
  )
}

export const DeviceDrawer = ({ device, onClose }: { device: { id: number; sn: string }; onClose: () => void }) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={device.sn}>
    <Detail id={device.id} />
  </ReadDrawer>
)
