import { DeviceRow, devices } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { readInPlace } from '#api/query.ts'
import { Answer } from '#ui/statement/Answer.tsx'
import { column } from '#ui/column.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { networkColumns, placeColumns } from './device-columns.tsx'
import { HEARD_MS } from './heard.ts'

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
  const query = useQuery({ ...readInPlace(devices.get, { query: { id } }), refetchInterval: HEARD_MS })
  return (
    <Answer query={query}>
      {(device) => (
        <Flex vertical gap="middle">
          <Facts title={t('device.network')} row={device} columns={networkColumns} />
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
