import { Alert } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeatPoint } from './heat-engine.ts'
import type { MapBaseLayers } from './map-shapes.ts'
import { useMapEngine } from './use-map-engine.ts'
import './map.css'

type HeatMapProps = {
  label: string
  points: readonly HeatPoint[]
  base: MapBaseLayers | undefined
  onOpen: (id: number) => void
}

/** Where events gather. What it shows must also stand as text beside it. */
export const HeatMap = ({ label, points, base, onOpen }: HeatMapProps) => {
  const { t } = useTranslation()
  const reportOpen = useEffectEvent(onOpen)
  const { container, engine, hasFailed } = useMapEngine({
    label,
    startKey: base?.urls.join() ?? '',
    load: async () => (await import('./heat-engine.ts')).createHeatEngine,
    options: (onFailure) => ({ base, onFailure, onOpen: (id: number) => reportOpen(id) }),
  })
  useEffect(() => engine?.show(points), [engine, points])
  if (hasFailed) return <Alert type="warning" showIcon title={t('map.failed')} />
  return (
    <div className="map-view">
      <div ref={container} className="map-canvas" />
    </div>
  )
}
