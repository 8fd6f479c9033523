import { DeviceRow } from '@tocsin/contract/device/device'
import { Flex, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'
import { column } from '#ui/column.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { HealthTags } from './HealthTags.tsx'

const Connectivity = ({ device }: { device: DeviceRow }) => {
  const { t } = useTranslation()
  return (
    <Flex gap={4} wrap>
      <EnumTag kind="connectivity" value={device.connectivity} />
      {device.flapping && <Tag color="orange">{t('device.flapping')}</Tag>}
      <HealthTags flags={device.healthFlags} />
    </Flex>
  )
}

/** A missing requirement is shown beside the lifecycle. */
const Lifecycle = ({ device }: { device: DeviceRow }) => (
  <Flex gap={4} wrap>
    <EnumTag kind="lifecycle" value={device.lifecycle} />
    {device.lacks.map((lack) => (
      <EnumTag key={lack} kind="deviceLack" value={lack} />
    ))}
  </Flex>
)

/** Below this a battery needs attention (domain 2.3: replace it within the month). */
const LOW_PCT = 20

const Battery = ({ pct }: { pct: number | null }) => {
  if (pct === null) return <>–</>
  return <Typography.Text {...(pct < LOW_PCT && { type: 'danger' })}>{pct} %</Typography.Text>
}

export const placeColumns = [
  column(DeviceRow, 'kind', { word: 'deviceKind' }),
  column(DeviceRow, 'modelName'),
  column(DeviceRow, 'schoolName'),
  column(DeviceRow, 'placePath'),
]

export const networkColumns = [
  column(DeviceRow, 'connectivity', { show: (_, device) => <Connectivity device={device} /> }),
  column(DeviceRow, 'lastSeenAt', { show: (at) => <RelativeTime at={at} /> }),
  column(DeviceRow, 'batteryPct', { figure: true, show: (pct) => <Battery pct={pct} /> }),
  column(DeviceRow, 'rssi', { figure: true, wideOnly: true, show: (rssi) => (rssi === null ? '–' : `${rssi} dBm`) }),
  column(DeviceRow, 'fw', { wideOnly: true }),
]

export const readinessColumn = column(DeviceRow, 'readiness', {
  wideOnly: true,
  show: (score, { id }) => <ReadinessBadge score={score} deviceId={id} />,
})

export const lifecycleColumn = column(DeviceRow, 'lifecycle', { show: (_, device) => <Lifecycle device={device} /> })
