import { Alert, Skeleton } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapBaseLayers, MapLine, MapPoint, MapRing } from './map-shapes.ts'
import { useMapEngine } from './use-map-engine.ts'
import './map.css'

type MapViewProps = {
  /** What the map shows, for screen readers. */
  label: string
  points: readonly MapPoint[]
  rings: readonly MapRing[]
  lines?: readonly MapLine[]
  selected?: MapPoint | undefined
  onSelect: (key: string) => void
  /** Undefined: no base map, only what is drawn over it. Another base builds the map anew. */
  base: MapBaseLayers | undefined
  /** Of points and labels, on a display that is read from afar. */
  scale?: number
}

const noLines: readonly MapLine[] = []

/** A map that is loaded on demand; where it cannot be drawn it says so and leaves the screen usable. */
export const MapView = ({
  label,
  points,
  rings,
  lines = noLines,
  selected,
  onSelect,
  base,
  scale = 1,
}: MapViewProps) => {
  const { t } = useTranslation()
  const report = useEffectEvent(onSelect)
  const { container, engine, hasFailed } = useMapEngine({
    label,
    startKey: JSON.stringify([base ?? null, scale]),
    load: async () => (await import('./map-engine.ts')).createMapEngine,
    options: (reportFailure) => ({ base, scale, onSelect: (key) => report(key), onFailure: reportFailure }),
  })

  useEffect(() => engine?.show(points, rings, lines), [engine, points, rings, lines])
  useEffect(() => engine?.select(selected), [engine, selected])

  return (
    <div className="map-view">
      {hasFailed ? (
        <Alert type="warning" showIcon title={t('map.failed')} />
      ) : (
        <>
          {!engine && <Skeleton active className="map-waiting" />}
          <div ref={container} className="map-canvas" />
        </>
      )}
    </div>
  )
}
