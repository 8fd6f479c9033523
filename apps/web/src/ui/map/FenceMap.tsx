import { areaOf, type Geofence } from '@tocsin/contract/school/geofence'
import { Alert, Button, Flex, Typography } from 'antd'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Position } from './fence-engine.ts'
import type { MapBaseLayers, MapRing } from './map-shapes.ts'
import { doOverlap } from './edit/rings.ts'
import { useMapEngine } from './use-map-engine.ts'
import './map.css'

const SQUARE_METRES = 10_000

type FenceMapProps = {
  label: string
  fence: Geofence | null
  onFence: (fence: Geofence | null) => void
  /** Left out: no position is edited here. */
  position?: { at: Position | undefined; onMove: (position: Position) => void }
  context: readonly MapRing[]
  base: MapBaseLayers | undefined
}

/** Earlier rings, so that a step can be taken back. */
const useUndo = (fence: Geofence | null, onFence: (fence: Geofence | null) => void) => {
  const [past, setPast] = useState<readonly (Geofence | null)[]>([])
  return {
    change: (next: Geofence | null) => {
      setPast((known) => [...known, fence])
      onFence(next)
    },
    undo: () => {
      const last = past.at(-1)
      if (last === undefined) return
      setPast(past.slice(0, -1))
      onFence(last)
    },
    canUndo: past.length > 0,
  }
}

/** Draws a ring and drags a position on a map; the same values stand as text beside it. */
export const FenceMap = ({ label, fence, onFence, position, context, base }: FenceMapProps) => {
  const { t } = useTranslation()
  const { change, undo, canUndo } = useUndo(fence, onFence)
  const reportFence = useEffectEvent(change)
  const reportPosition = useEffectEvent((at: Position) => position?.onMove(at))
  const at = position?.at
  const [isReady, setIsReady] = useState(false)

  const { container, engine, hasFailed } = useMapEngine({
    label,
    startKey: '',
    load: async () => (await import('./fence-engine.ts')).createFenceEngine,
    options: () => ({
      base,
      context,
      onFence: (next) => reportFence(next),
      onPosition: (next) => reportPosition(next),
      onReady: () => setIsReady(true),
    }),
  })
  useEffect(() => engine?.show(fence, at), [engine, fence, at])

  const overlapped = useMemo(
    () => (fence ? context.filter(({ polygon }) => doOverlap(fence, polygon)).map(({ label: name }) => name) : []),
    [fence, context],
  )

  if (hasFailed) return <Alert type="warning" showIcon title={t('map.failed')} />
  return (
    <Flex vertical gap="small">
      <Flex gap="small" wrap align="center">
        <Button disabled={!isReady} onClick={() => engine?.draw()}>
          {t('map.draw')}
        </Button>
        <Button disabled={!canUndo} onClick={undo}>
          {t('map.undo')}
        </Button>
        <Button disabled={fence === null} onClick={() => change(null)}>
          {t('map.clear')}
        </Button>
        {position && <Button onClick={() => engine?.placeInMiddle()}>{t('map.place')}</Button>}
        <Typography.Text type="secondary">
          {fence
            ? t('map.area', {
                n: (fence.coordinates[0]?.length ?? 1) - 1,
                area: (areaOf(fence) / SQUARE_METRES).toFixed(1),
              })
            : t('map.drawHelp')}
        </Typography.Text>
      </Flex>
      {overlapped.length > 0 && (
        <Alert type="warning" showIcon title={t('map.overlaps', { names: overlapped.join('、') })} />
      )}
      <div className="map-view map-drawing">
        <div ref={container} className="map-canvas" />
      </div>
    </Flex>
  )
}
