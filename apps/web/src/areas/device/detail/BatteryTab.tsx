import type { DeviceDetail } from '@tocsin/contract/device/device'
import { Alert, Empty, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#ui/time.ts'

const WIDTH = 640
const HEIGHT = 200
/** Below this a battery must be replaced (domain 2.3). */
export const LOW_PCT = 20
const DAY_MS = 86_400_000

/**
 * Days until the battery is low at the present rate.
 * @param daysLeft until it is empty
 */
export const daysUntilLow = (pct: number, daysLeft: number): number =>
  pct <= LOW_PCT ? 0 : Math.floor((daysLeft * (pct - LOW_PCT)) / pct)

type Known = { fromPct: number; fromAt: Date; pct: number; at: Date; daysLeft: number }

const Curve = ({ fromPct, fromAt, pct, at, daysLeft }: Known) => {
  const { t } = useTranslation()
  const end = at.getTime() + daysLeft * DAY_MS
  const span = end - fromAt.getTime() || 1
  const x = (ms: number) => ((ms - fromAt.getTime()) / span) * WIDTH
  const y = (percent: number) => HEIGHT - (percent / 100) * HEIGHT
  const low = daysUntilLow(pct, daysLeft)
  return (
    <Flex vertical gap="small">
      <strong>{low > 0 ? t('device.batteryLow', { n: low, pct: LOW_PCT }) : t('device.batteryIsLow')}</strong>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('device.battery')} style={{ maxWidth: 720 }}>
        <rect width={WIDTH} height={HEIGHT} fill="none" stroke="currentColor" opacity={0.2} />
        <line x1={0} x2={WIDTH} y1={y(LOW_PCT)} y2={y(LOW_PCT)} stroke="#c2600a" strokeDasharray="6 4" />
        <polyline
          points={`0,${y(fromPct)} ${x(at.getTime())},${y(pct)}`}
          fill="none"
          stroke="#0b57c2"
          strokeWidth={3}
        />
        <polyline
          points={`${x(at.getTime())},${y(pct)} ${WIDTH},${HEIGHT}`}
          fill="none"
          stroke="#0b57c2"
          strokeWidth={2}
          strokeDasharray="4 4"
        />
      </svg>
      <Flex justify="space-between" style={{ maxWidth: 720 }}>
        <span>{`${formatDateTime(fromAt)} · ${fromPct} %`}</span>
        <span>{formatDateTime(new Date(end))}</span>
      </Flex>
    </Flex>
  )
}

/** The discharge of the battery since charging or replacement, with its forecast. */
export const BatteryTab = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  const { batteryPct: pct, batteryFromPct: fromPct, batteryFromAt: fromAt, lastHeartbeatAt: at } = device
  if (device.power !== 'BATTERY') return <Empty description={t('device.noBattery')} />
  if (pct === null || fromPct === null || !fromAt || !at) return <Empty description={t('device.batteryUnknown')} />
  if (device.batteryDaysLeft === null)
    return <Alert type="info" showIcon title={t('device.batteryNoForecast', { pct })} />
  return <Curve fromPct={fromPct} fromAt={fromAt} pct={pct} at={at} daysLeft={device.batteryDaysLeft} />
}
