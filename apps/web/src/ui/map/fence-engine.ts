import type { Geofence } from '@tocsin/contract/school/geofence'
import { type GeoJSONSource, type Map as LibreMap, Marker } from 'maplibre-gl'
import { TerraDraw, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { createMap, createRepaint, type MapTexts } from './map-engine.ts'
import { boundsOf, type MapBaseLayers, type MapRing, ringCollection } from './map-shapes.ts'
import { moveByKeys } from './edit/move-by-keys.ts'
import { type Project, snapToRings } from './edit/rings.ts'

export type Position = { lng: number; lat: number }

export type FenceEngineOptions = {
  container: HTMLElement
  texts: MapTexts
  base: MapBaseLayers | undefined
  /** Rings of neighbours, drawn but not edited. */
  context: readonly MapRing[]
  /** Where to look first while there is neither a ring nor a position. */
  near?: Position | undefined
  onFence: (fence: Geofence) => void
  onPosition: (position: Position) => void
  /** The style is loaded; from now on a ring can be drawn. */
  onReady: () => void
}

const NEAREST_ZOOM = 16

/** About ten centimetres; more digits are noise of the mouse. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** The ring that is drawn and edited. It starts once the map has its style. */
const createRingEditor = (map: LibreMap, context: readonly MapRing[], onFence: (fence: Geofence) => void) => {
  const neighbours = context.map(({ polygon }) => polygon)
  // Neighbours share their border: a corner takes that of the ring beside it.
  const snapping = {
    toCustom: ({ lng, lat }: Position, { project }: { project: Project }) =>
      snapToRings(project(lng, lat), neighbours, project),
  }
  const coordinates = { midpoints: true, draggable: true, deletable: true, snappable: snapping }
  const terraDraw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 9 }),
    modes: [
      new TerraDrawPolygonMode({ snapping }),
      new TerraDrawSelectMode({ flags: { polygon: { feature: { draggable: true, coordinates } } } }),
    ],
  })
  const findRing = () => terraDraw.getSnapshot().find(({ geometry }) => geometry.type === 'Polygon')
  const edit = () => {
    terraDraw.setMode('select')
    const id = findRing()?.id
    if (id !== undefined) terraDraw.selectFeature(id)
  }
  terraDraw.start()
  terraDraw.on('finish', () => {
    const geometry = findRing()?.geometry
    if (geometry?.type !== 'Polygon') return
    const ring = geometry.coordinates[0] ?? []
    edit()
    onFence({ type: 'Polygon', coordinates: [ring.map(([lng = 0, lat = 0]) => [round(lng), round(lat)])] })
  })
  return {
    put: (fence: Geofence | null) => {
      terraDraw.clear()
      if (!fence) return
      const geometry = { type: 'Polygon' as const, coordinates: fence.coordinates }
      terraDraw.addFeatures([{ type: 'Feature', geometry, properties: { mode: 'polygon' } }])
      edit()
    },
    draw: () => {
      terraDraw.clear()
      terraDraw.setMode('polygon')
    },
    stop: () => terraDraw.stop(),
  }
}

/** A map on which one ring is drawn and edited, and one position is dragged. */
export const createFenceEngine = (options: FenceEngineOptions) => {
  const { context, onFence, onPosition, onReady } = options
  const map = createMap(options)
  const marker = new Marker({ draggable: true })
  let ringEditor: ReturnType<typeof createRingEditor> | undefined
  let shown: Geofence | null = null
  let hasFitted = false

  const reportPosition = ({ lng, lat }: Position) => onPosition({ lng: round(lng), lat: round(lat) })
  // Not `load`, which also waits for tiles.
  map.once('style.load', () => {
    map.getSource<GeoJSONSource>('rings')?.setData(ringCollection(context) as never)
    ringEditor = createRingEditor(map, context, (fence) => {
      shown = fence
      onFence(fence)
    })
    ringEditor.put(shown)
    onReady()
  })
  marker.on('dragend', () => reportPosition(marker.getLngLat()))
  marker.getElement().tabIndex = 0
  moveByKeys(map, marker, { isMovable: () => true, onMoved: ([lng, lat]) => reportPosition({ lng, lat }) })

  const fitOnce = (fence: Geofence | null, position: Position | undefined) => {
    const own: MapRing[] = fence ? [{ key: 'own', kind: 'fence', label: '', polygon: fence }] : []
    const bounds = boundsOf(position ? [position] : [], own.length > 0 || position ? own : context)
    if (hasFitted) return
    if (!bounds && options.near) map.jumpTo({ center: options.near, zoom: NEAREST_ZOOM })
    if (!bounds) return
    hasFitted = true
    map.fitBounds(bounds, { padding: 48, maxZoom: NEAREST_ZOOM, duration: 0 })
  }
  return {
    show: (fence: Geofence | null, position: Position | undefined) => {
      if (position) marker.setLngLat([position.lng, position.lat]).addTo(map)
      else marker.remove()
      if (JSON.stringify(fence) !== JSON.stringify(shown)) {
        shown = fence
        ringEditor?.put(fence)
      }
      fitOnce(fence, position)
    },
    /** Drops the ring and starts a new one; a click on the first corner closes it. */
    draw: () => ringEditor?.draw(),
    /** Puts the position into the middle of what is seen, from where it is dragged. */
    placeInMiddle: () => reportPosition(map.getCenter()),
    /** After a change of theme. */
    restyle: createRepaint(map, () => options.base),
    destroy: () => {
      ringEditor?.stop()
      map.remove()
    },
  }
}
export type FenceEngine = ReturnType<typeof createFenceEngine>
