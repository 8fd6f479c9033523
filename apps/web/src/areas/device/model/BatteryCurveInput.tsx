import type { BatteryCurve } from '@tocsin/contract/device/model'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'

const WIDTH = 220
const HEIGHT = 110

type Point = Partial<BatteryCurve[number]>
type Props = { value?: Point[] | null; onChange?: (curve: Point[] | null) => void }

/** The curve of the input: millivolts to the right, percent up. */
const CurveLine = ({ points, label }: { points: readonly Point[]; label: string }) => {
  const known = points.flatMap(({ mv, pct }) => (mv === undefined || pct === undefined ? [] : [{ mv, pct }]))
  if (known.length < 2) return null
  const low = Math.min(...known.map(({ mv }) => mv))
  const span = Math.max(...known.map(({ mv }) => mv)) - low || 1
  const at = known.map(({ mv, pct }) => `${((mv - low) / span) * WIDTH},${HEIGHT - (pct / 100) * HEIGHT}`)
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ overflow: 'visible' }}>
      <rect width={WIDTH} height={HEIGHT} fill="none" stroke="currentColor" opacity={0.2} />
      <polyline points={at.join(' ')} fill="none" stroke="#0b57c2" strokeWidth={2} />
    </svg>
  )
}

/** Rows of millivolts and percent beside their curve; without rows the device reports percent itself. */
export const BatteryCurveInput = ({ value, onChange }: Props) => {
  const { t } = useTranslation()
  const points = value ?? []
  const change = (next: Point[]) => onChange?.(next.length > 0 ? next : null)
  const set = (at: number, part: Point) => change(points.map((point, n) => (n === at ? { ...point, ...part } : point)))
  return (
    <Flex gap="large" wrap>
      <Flex vertical gap="small">
        {points.map(({ mv, pct }, at) => (
          // Rows are identified by their index only.
          <Flex key={at} gap="small" align="center">
            <InputNumber
              aria-label={t('device.curveMv', { n: at + 1 })}
              value={mv ?? null}
              min={1}
              max={100_000}
              suffix="mV"
              onChange={(next) => set(at, { mv: next ?? undefined } as Point)}
            />
            <InputNumber
              aria-label={t('device.curvePct', { n: at + 1 })}
              value={pct ?? null}
              min={0}
              max={100}
              suffix="%"
              onChange={(next) => set(at, { pct: next ?? undefined } as Point)}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('device.curveDelete', { n: at + 1 })}
              onClick={() => change(points.filter((_, n) => n !== at))}
            />
          </Flex>
        ))}
        <Button icon={<PlusOutlined />} onClick={() => change([...points, {}])}>
          {t('device.curveAdd')}
        </Button>
      </Flex>
      <CurveLine points={points} label={t('device.curve')} />
    </Flex>
  )
}
