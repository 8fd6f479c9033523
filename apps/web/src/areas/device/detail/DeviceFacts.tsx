import { DeviceDetail } from '@tocsin/contract/device/device'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { lifecycleColumn, networkColumns, placeColumns } from '../device-columns.tsx'

const network: readonly Column<DeviceDetail>[] = [
  ...networkColumns,
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
  column(DeviceDetail, 'lifecycleReason'),
  column(DeviceDetail, 'suspendedUntil'),
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

/** Identity and present state. */
export const DeviceFacts = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap="middle">
      <DescriptionList title={t('device.network')} row={device} columns={network} />
      <DescriptionList title={t('device.identity')} row={device} columns={identity} />
    </Flex>
  )
}
