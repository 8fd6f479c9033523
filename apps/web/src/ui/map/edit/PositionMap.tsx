import { Alert, Button, Flex, Typography } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Position } from '../fence-engine.ts'
import type { MapBaseLayers, MapRing } from '../map-shapes.ts'
import { useMapEngine } from '../use-map-engine.ts'
import '../map.css'

type PositionMapProps = {
  label: string
  at: Position | undefined
  onMove: (position: Position) => void
  /** Drawn to find the place, such as the grounds of the school. */
  context: readonly MapRing[]
  /** Where to look first while there is no position. */
  near?: Position | undefined
  base: MapBaseLayers | undefined
}

const ignore = () => undefined

/** A map on which one position is dragged, or moved by the arrow keys; its numbers stand beside it. */
export const PositionMap = ({ label, at, onMove, context, near, base }: PositionMapProps) => {
  const { t } = useTranslation()
  const report = useEffectEvent((position: Position) => onMove(position))
  const [isReady, setIsReady] = useState(false)
  const { container, engine, hasFailed } = useMapEngine({
    label,
    startKey: '',
    load: async () => (await import('../fence-engine.ts')).createFenceEngine,
    options: () => ({
      base,
      context,
      near,
      onFence: ignore,
      onPosition: (next) => report(next),
      onReady: () => setIsReady(true),
    }),
  })
  useEffect(() => engine?.show(null, at), [engine, at])

  if (hasFailed) return <Alert type="warning" showIcon title={t('map.failed')} />
  return (
    <Flex vertical gap="small">
      <Flex gap="small" wrap align="center">
        <Button disabled={!isReady} onClick={() => engine?.placeInMiddle()}>
          {t('map.place')}
        </Button>
        <Typography.Text type="secondary">
          {at ? `${at.lng.toFixed(6)}, ${at.lat.toFixed(6)}` : t('map.dragHelp')}
        </Typography.Text>
      </Flex>
      <div className="map-view map-drawing">
        <div ref={container} className="map-canvas" />
      </div>
    </Flex>
  )
}
