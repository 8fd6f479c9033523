import { areaOf, type Geofence } from '@tocsin/contract/school/geofence'
import { Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import './school.css'

const [WIDE, HIGH] = [160, 120]
const EDGE = 6
const SQUARE_METRES = 10_000

type Point = readonly [number, number]

/** Converts degrees to drawing coordinates: north is up, and a metre is equally long in both directions. */
const drawing = (ring: readonly Point[]) => {
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)]
  const [west, south, north] = [Math.min(...lngs), Math.min(...lats), Math.max(...lats)]
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const [width, height] = [(Math.max(...lngs) - west) * shrink, north - south]
  const scale = Math.min((WIDE - 2 * EDGE) / width, (HIGH - 2 * EDGE) / height)
  return ([lng, lat]: Point): string => `${EDGE + (lng - west) * shrink * scale},${EDGE + (north - lat) * scale}`
}

/** The outline of a school's grounds with its size. */
export const GeofenceDrawing = ({
  fence,
  at,
}: {
  fence: Geofence | null
  at: { lng: number | null; lat: number | null }
}) => {
  const { t } = useTranslation()
  const [ring] = fence?.coordinates ?? []
  if (!fence || !ring) return <Typography.Text type="secondary">{t('school.noFence')}</Typography.Text>
  const place = drawing(ring)
  const [x, y] = at.lng === null || at.lat === null ? [] : place([at.lng, at.lat]).split(',')
  // The last point equals the first one.
  const text = t('school.fenceOf', { n: ring.length - 1, area: (areaOf(fence) / SQUARE_METRES).toFixed(1) })
  return (
    <Flex vertical gap={4}>
      <svg className="fence" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={text}>
        <polygon points={ring.map(place).join(' ')} fill="currentColor" fillOpacity={0.12} stroke="currentColor" />
        {x !== undefined && <circle cx={x} cy={y} r={3} fill="currentColor" />}
      </svg>
      <Typography.Text type="secondary">{text}</Typography.Text>
    </Flex>
  )
}
