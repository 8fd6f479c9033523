import { Alert, Skeleton } from 'antd'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapTexts } from '#ui/map/map-engine.ts'
import type { MapBaseLayers } from '#ui/map/map-shapes.ts'
import { useMapEngine } from '#ui/map/use-map-engine.ts'
import type { LibraryMap, MapLibrary } from './national/interface.ts'
import { SurfaceContext } from './surface-context.ts'
import type { LngLat, MapEvent, MapSurface, SurfaceOptions, TileChoice } from './types.ts'
import '../map/map.css'
import './map-service.css'

/** Who draws the map. */
export type MapProvider =
  | { name: 'national'; library: MapLibrary; tiles: string | null; onMap: (map: LibraryMap) => void }
  | { name: 'local'; chooseBase: (choice: TileChoice) => MapBaseLayers | undefined }

type EventProps = { [Event in MapEvent as `on${Capitalize<Event>}`]?: (position: LngLat) => void }

export type ServiceMapProps = EventProps & {
  /** What the map shows, for screen readers. */
  label: string
  provider: MapProvider
  center: LngLat
  zoom: number
  minZoom?: number
  maxZoom?: number
  /** Points to bring into view. */
  viewport?: readonly LngLat[]
  onInit?: (surface: MapSurface) => void
  children?: ReactNode
}

type EngineOptions = Omit<SurfaceOptions, 'container'>

const loadSurface = async (provider: MapProvider) => {
  if (provider.name === 'national') {
    const { createNationalSurface } = await import('./national/surface.ts')
    return (options: SurfaceOptions & { texts: MapTexts }) => createNationalSurface({ ...options, ...provider })
  }
  const { createLocalSurface } = await import('./local/surface.ts')
  return (options: SurfaceOptions & { texts: MapTexts }) => createLocalSurface({ ...options, ...provider })
}

/** The local map is built anew when this server turns out to have other tiles. */
const startKey = (provider: MapProvider): string =>
  provider.name === 'local'
    ? JSON.stringify(provider.chooseBase({ kind: 'vec', annotations: true }) ?? null)
    : provider.name

/** A map of the national service or of this server. Its children draw on it; what they render stands beside it. */
export const ServiceMap = (props: ServiceMapProps) => {
  const { label, provider, center, zoom, minZoom = 1, maxZoom = 18, viewport, onInit, children } = props
  const { t } = useTranslation()
  const report = useEffectEvent((event: MapEvent, position: LngLat) =>
    props[`on${event.charAt(0).toUpperCase()}${event.slice(1)}` as keyof EventProps]?.(position),
  )
  const options = (onFailure: () => void): EngineOptions => ({
    center,
    zoom,
    minZoom,
    maxZoom,
    onFailure,
    onEvent: (event, position) => report(event, position),
  })
  const { container, engine, hasFailed } = useMapEngine<EngineOptions, MapSurface>({
    label,
    startKey: startKey(provider),
    load: () => loadSurface(provider),
    options,
  })
  const start = useEffectEvent((surface: MapSurface) => onInit?.(surface))
  useEffect(() => {
    if (engine) start(engine)
  }, [engine])
  const viewportKey = JSON.stringify(viewport ?? [])
  const show = useEffectEvent(() => {
    if (viewport && viewport.length > 0) engine?.setViewport(viewport)
  })
  useEffect(() => show(), [engine, viewportKey])

  if (hasFailed) return <Alert type="warning" showIcon title={t('map.failed')} />
  // MapLibre names its canvas itself.
  const region = { role: 'region', 'aria-label': label }
  return (
    <>
      <div className="map-view map-service" data-provider={provider.name}>
        {!engine && <Skeleton active className="map-waiting" />}
        <div ref={container} className="map-canvas" {...(provider.name === 'national' && region)} />
      </div>
      <SurfaceContext value={engine}>{children}</SurfaceContext>
    </>
  )
}
