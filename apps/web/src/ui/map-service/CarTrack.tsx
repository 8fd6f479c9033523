import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import { Button, Flex, Segmented } from 'antd'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { advance, drivenPath, isAtEnd, measureNodes, nodeAt } from './car-track.ts'
import { pointAlong } from './geometry.ts'
import { MapMarker, MapPolyline } from './overlays.tsx'
import type { LngLat, Pixels } from './types.ts'

const CAR_ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 52 26"><rect x="1" y="4" width="50" height="18" rx="7" fill="#1f6feb" stroke="#fff" stroke-width="2"/><rect x="30" y="7" width="9" height="12" rx="2" fill="#fff"/><rect x="11" y="7" width="7" height="12" rx="2" fill="#fff"/></svg>',
  )

type TrackOptions = {
  Datas: readonly LngLat[]
  /** Milliseconds between two steps. */
  interval?: number
  /** Metres per interval; 0 jumps from node to node. */
  speed?: number
  passOneNode?: (position: LngLat, index: number, length: number) => void
}

/** Moves a car along a path. Each track of a page has its own state. */
export const useCarTrack = ({ Datas: path, interval = 1000, speed = 0, passOneNode }: TrackOptions) => {
  const nodes = useMemo(() => measureNodes(path), [path])
  const [metres, setMetres] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [isCleared, setCleared] = useState(false)
  const step = useEffectEvent(() => {
    const next = advance(nodes, metres, speed)
    setMetres(next)
    const [before, after] = [nodeAt(nodes, metres), nodeAt(nodes, next)]
    for (let index = before + 1; index <= after; index += 1) {
      const node = path[index]
      if (node) passOneNode?.(node, index, path.length)
    }
    if (isAtEnd(nodes, next)) setPlaying(false)
  })
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(step, interval)
    return () => clearInterval(timer)
  }, [isPlaying, interval])
  return {
    path,
    nodes,
    metres,
    isPlaying,
    isCleared,
    /** From the beginning again, when it had arrived. */
    start: () => {
      if (isAtEnd(nodes, metres)) setMetres(0)
      setCleared(false)
      setPlaying(true)
    },
    pause: () => setPlaying(false),
    stop: () => {
      setPlaying(false)
      setMetres(0)
    },
    clear: () => {
      setPlaying(false)
      setMetres(0)
      setCleared(true)
    },
  }
}
export type CarTrackState = ReturnType<typeof useCarTrack>

type CarTrackProps = {
  track: CarTrackState
  /** The line grows with the car instead of lying there from the beginning. */
  dynamicLine?: boolean
  carstyle?: { display?: boolean; iconUrl?: string; width?: number; height?: number }
  polylinestyle?: { display?: boolean; color?: string; width?: number; opacity?: number }
}

/** The car and its line on the map. */
export const CarTrack = ({ track, dynamicLine = false, carstyle = {}, polylinestyle = {} }: CarTrackProps) => {
  const { path, nodes, metres, isCleared } = track
  const car = pointAlong(path, metres)
  if (isCleared || !car) return null
  const { display: hasCar = true, iconUrl = CAR_ICON, width: carWidth = 52, height = 26 } = carstyle
  const { display: hasLine = true, color = 'red', width = 3, opacity = 0.8 } = polylinestyle
  const size: Pixels = [carWidth, height]
  const icon = { iconUrl, iconSize: size, iconAnchor: [carWidth / 2, height / 2] as Pixels }
  return (
    <>
      {hasLine && (
        <MapPolyline
          path={dynamicLine ? drivenPath(path, nodes, metres) : path}
          color={color}
          weight={width}
          opacity={opacity}
        />
      )}
      {hasCar && <MapMarker position={car} icon={icon} zIndexOffset={10} />}
    </>
  )
}

type ControlProps<Speed extends number> = {
  track: CarTrackState
  speed: Speed
  speeds: readonly Speed[]
  onSpeed: (speed: Speed) => void
}

/** Play, pause, stop and remove, and the metres of each step. */
export const CarTrackControls = <Speed extends number>({ track, speed, speeds, onSpeed }: ControlProps<Speed>) => {
  const { t } = useTranslation()
  const { isPlaying, start, pause, stop, clear } = track
  return (
    <Flex vertical gap="small">
      <Flex gap="small" wrap role="group" aria-label={t('mapService.track')}>
        <Button icon={isPlaying ? <PauseOutlined /> : <CaretRightOutlined />} onClick={isPlaying ? pause : start}>
          {t(isPlaying ? 'mapService.pause' : 'mapService.play')}
        </Button>
        <Button onClick={stop}>{t('mapService.stop')}</Button>
        <Button onClick={clear}>{t('mapService.clear')}</Button>
      </Flex>
      <Segmented
        value={speed}
        onChange={onSpeed}
        aria-label={t('mapService.speed')}
        options={speeds.map((value) => ({
          value,
          label: value === 0 ? t('mapService.jump') : t('mapService.metresPerStep', { n: value }),
        }))}
      />
    </Flex>
  )
}
