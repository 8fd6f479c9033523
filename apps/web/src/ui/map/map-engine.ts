import {
  AttributionControl,
  type GeoJSONSource,
  Map as LibreMap,
  Marker,
  NavigationControl,
  type RequestParameters,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { tokens } from '#api/session.ts'
import { BASE } from '#api/wire/request.ts'
import {
  boundsOf,
  hasSameRows,
  lineCollection,
  type MapBaseLayers,
  type MapLine,
  type MapPoint,
  type MapRing,
  MAX_CLUSTER_ZOOM,
  pointCollection,
  ringCollection,
} from './map-shapes.ts'
import { buildStyle, readPalette } from './map-style.ts'
import { isDrawnBySoftware, lowerResolutionInMotion } from './motion-resolution.ts'

// Without it the map stays blank: the library cannot guess the address that the bundler gives its worker.
setWorkerUrl(workerUrl)

const toPost = (url: string, token: string): RequestParameters => {
  const { origin, pathname, searchParams } = new URL(url)
  const numbers = Object.fromEntries(['z', 'x', 'y'].map((name) => [name, Number(searchParams.get(name))]))
  return {
    url: origin + pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, layer: searchParams.get('layer'), ...numbers }),
  }
}

/** Tiles of this server need the session or the token of a link; no other address is given one. */
const withAccess =
  (linkToken: string | undefined) =>
  (url: string): RequestParameters => {
    if (!url.startsWith(location.origin + BASE)) return { url }
    if (linkToken !== undefined) return toPost(url, linkToken)
    return { url, headers: { authorization: `Bearer ${tokens.access() ?? ''}`, 'tenant-id': '1' } }
  }

const createMarkerElement = (className: string): HTMLElement => {
  const element = document.createElement('div')
  element.className = className
  return element
}

/** Names of the map and of its buttons. */
export type MapTexts = Record<'title' | 'zoomIn' | 'zoomOut' | 'metres' | 'kilometres' | 'marker' | 'corner', string>

export type MapEngineOptions = {
  container: HTMLElement
  texts: MapTexts
  base: MapBaseLayers | undefined
  /** Of points and labels. */
  scale?: number
  onSelect: (key: string) => void
  onFailure: () => void
}

/** A map without data: base layers, zoom buttons and scale. */
export const createMap = ({
  container,
  texts,
  base,
  scale,
}: Pick<MapEngineOptions, 'container' | 'texts' | 'base' | 'scale'>): LibreMap => {
  const map = new LibreMap({
    container,
    style: buildStyle(readPalette(), base, scale),
    center: [104, 35.5],
    zoom: 3,
    maxZoom: 19,
    attributionControl: false,
    transformRequest: withAccess(base?.linkToken),
    locale: {
      'Map.Title': texts.title,
      'Marker.Title': texts.marker,
      'NavigationControl.ZoomIn': texts.zoomIn,
      'NavigationControl.ZoomOut': texts.zoomOut,
      'ScaleControl.Meters': texts.metres,
      'ScaleControl.Kilometers': texts.kilometres,
    },
    fadeDuration: 0,
  })
  const gl = map.getCanvas().getContext('webgl2')
  // Without a graphics card the time of a frame goes with its dots.
  if (gl && isDrawnBySoftware(gl)) lowerResolutionInMotion(map, () => window.devicePixelRatio)
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl({ unit: 'metric' }), 'bottom-left')
  // Hidden while nothing on the map asks for it.
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right')
  return map
}

/** Gives the layers of a map the colours of the theme; data, view and what others drew on it stay. */
const repaint = (map: LibreMap, base: MapBaseLayers | undefined, scale: number): void => {
  for (const { id, paint = {} } of buildStyle(readPalette(), base, scale).layers) {
    if (!map.getLayer(id)) continue
    for (const [name, value] of Object.entries(paint)) map.setPaintProperty(id, name as never, value as never)
  }
}

/** Repaints at once, or when the map has its style. @param base asked at each time. */
export const createRepaint = (map: LibreMap, base: () => MapBaseLayers | undefined, scale = 1): (() => void) => {
  let isLoaded = false
  map.once('load', () => {
    isLoaded = true
    repaint(map, base(), scale)
  })
  return () => {
    if (isLoaded) repaint(map, base(), scale)
  }
}

/** A point is selected; a cluster is opened. */
const listenToPointer = (map: LibreMap, onSelect: (key: string) => void): void => {
  map.on('click', 'points', ({ features }) => {
    const key: unknown = features?.[0]?.properties['key']
    if (typeof key === 'string') onSelect(key)
  })
  map.on('click', 'clusters', async ({ features, lngLat }) => {
    const id: unknown = features?.[0]?.properties['cluster_id']
    const source = map.getSource<GeoJSONSource>('points')
    if (typeof id !== 'number' || !source) return
    map.easeTo({ center: lngLat, zoom: await source.getClusterExpansionZoom(id) })
  })
  for (const layer of ['points', 'clusters']) {
    map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'))
    map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''))
  }
}

type Shown = { points: readonly MapPoint[]; rings: readonly MapRing[]; lines: readonly MapLine[] }
const nothing: Shown = { points: [], rings: [], lines: [] }

/** The pulses of new points: those that go on are left alone, so that each pulses once. */
const createPulses = (map: LibreMap) => {
  const known = new Map<string, Marker>()
  return (points: readonly MapPoint[]) => {
    const wanted = new Map(points.filter(({ isNew }) => isNew).map((point) => [point.key, point]))
    for (const [key, pulse] of known) {
      if (wanted.has(key)) continue
      pulse.remove()
      known.delete(key)
    }
    for (const [key, { lng, lat }] of wanted) {
      const pulse = known.get(key) ?? new Marker({ element: createMarkerElement('map-pulse') })
      known.set(key, pulse.setLngLat([lng, lat]).addTo(map))
    }
  }
}

/** A far jurisdiction would hide what is near. */
const boundsToFit = ({ points, rings }: Shown) =>
  boundsOf(points, points.length > 0 ? rings.filter(({ kind }) => kind === 'fence') : rings)

/** One map on the page. It draws what it is given and reports what was clicked; it keeps no data of its own. */
export const createMapEngine = (options: MapEngineOptions) => {
  const { onSelect, onFailure } = options
  const map = createMap(options)
  const selection = new Marker({ element: createMarkerElement('map-selection') })
  const pulse = createPulses(map)
  let isReady = false
  let hasFitted = false
  let shown = nothing
  /** What the sources hold: only what differs from it is sent, since 100,000 points cost a second. */
  let drawn = nothing

  const fitOnce = () => {
    const bounds = boundsToFit(shown)
    if (hasFitted || !bounds) return
    hasFitted = true
    map.fitBounds(bounds, { padding: 48 * (options.scale ?? 1), maxZoom: 15, duration: 0 })
  }
  const put = (source: string, data: object) => map.getSource<GeoJSONSource>(source)?.setData(data as never)
  const draw = () => {
    if (!isReady) return
    if (!hasSameRows(shown.points, drawn.points)) put('points', pointCollection(shown.points))
    if (!hasSameRows(shown.rings, drawn.rings)) put('rings', ringCollection(shown.rings))
    if (!hasSameRows(shown.lines, drawn.lines)) put('lines', lineCollection(shown.lines))
    drawn = shown
    pulse(shown.points)
    fitOnce()
  }
  map.on('load', () => {
    isReady = true
    draw()
  })
  map.on('webglcontextlost', onFailure)
  listenToPointer(map, onSelect)

  return {
    show: (points: readonly MapPoint[], rings: readonly MapRing[], lines: readonly MapLine[]) => {
      shown = { points, rings, lines }
      draw()
    },
    /** Marks a point and brings it into view; undefined marks nothing. */
    select: (point: Pick<MapPoint, 'lng' | 'lat'> | undefined) => {
      if (!point) return void selection.remove()
      const center: [number, number] = [point.lng, point.lat]
      selection.setLngLat(center).addTo(map)
      const isInView = map.getBounds().contains(center) && map.getZoom() > MAX_CLUSTER_ZOOM
      if (!isInView) map.easeTo({ center, zoom: Math.max(map.getZoom(), MAX_CLUSTER_ZOOM + 1), duration: 200 })
    },
    /** After a change of theme. */
    restyle: createRepaint(map, () => options.base, options.scale),
    destroy: () => map.remove(),
  }
}
export type MapEngine = ReturnType<typeof createMapEngine>
