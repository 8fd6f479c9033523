import { type Map as LibreMap, type MapMouseEvent, Popup } from 'maplibre-gl'
import { createMap, createRepaint, type MapTexts } from '#ui/map/map-engine.ts'
import { buildBase } from '#ui/map/base-style.ts'
import type { MapBaseLayers } from '#ui/map/map-shapes.ts'
import { readPalette } from '#ui/map/map-style.ts'
import {
  type MapEvent,
  type MapSurface,
  mapEvents,
  type SurfaceOptions,
  type TileChoice,
  type InfoWindowData,
  type OverlayHandle,
} from '../types.ts'
import { createClusters } from './clusters.ts'
import { createDrawing } from './drawing.ts'
import { addLabel, addMarker } from './markers.ts'
import { createShapes } from './shapes.ts'

/** The popup of the map; its own button has no name in our languages, so the content brings one. */
const addInfoWindow = (
  map: LibreMap,
  { position, offset = [0, 0], maxWidth = 300 }: InfoWindowData,
  content: HTMLElement,
): OverlayHandle<InfoWindowData> => {
  const popup = new Popup({
    closeButton: false,
    closeOnClick: false,
    // The content decides about the focus.
    focusAfterOpen: false,
    maxWidth: `${maxWidth}px`,
    offset: [...offset],
  })
  popup
    .setLngLat([...position])
    .setDOMContent(content)
    .addTo(map)
  return {
    update: (next) => popup.setLngLat([...next.position]),
    remove: () => popup.remove(),
  }
}

export type LocalOptions = SurfaceOptions & {
  texts: MapTexts
  /** The tiles of a kind, as far as this server has them. */
  chooseBase: (choice: TileChoice) => MapBaseLayers | undefined
}

const PADDING = 48
const NEAREST_ZOOM = 16

/** The base map, below everything that is drawn. */
const createTiles = (map: LibreMap, chooseBase: LocalOptions['chooseBase']) => {
  let base: MapBaseLayers | undefined
  const remove = () => {
    const { layers, sources } = buildBase(readPalette(), base)
    for (const { id } of layers) map.removeLayer(id)
    for (const id of Object.keys(sources)) map.removeSource(id)
  }
  return {
    current: () => base,
    set: (choice: TileChoice) => {
      remove()
      base = chooseBase(choice)
      const { layers, sources } = buildBase(readPalette(), base)
      for (const [id, source] of Object.entries(sources)) map.addSource(id, source)
      for (const layer of layers) map.addLayer(layer, 'ring-fill')
    },
  }
}

/** Runs what needs the style of the map once it is there. */
const createQueue = (map: LibreMap) => {
  let isLoaded = false
  const waiting: (() => void)[] = []
  map.on('load', () => {
    isLoaded = true
    for (const run of waiting.splice(0)) run()
  })
  return (run: () => void) => {
    if (isLoaded) run()
    else waiting.push(run)
  }
}

export const createLocalSurface = (options: LocalOptions): MapSurface => {
  const { container, texts, center, zoom, minZoom, maxZoom, onEvent, onFailure, chooseBase } = options
  const map = createMap({ container, texts, base: undefined })
  map.jumpTo({ center: [...center], zoom })
  map.setMinZoom(minZoom)
  map.setMaxZoom(maxZoom)
  const whenLoaded = createQueue(map)
  const tiles = createTiles(map, chooseBase)
  const shapes = createShapes(map, texts.corner, whenLoaded)
  const report = (event: MapEvent, at?: MapMouseEvent['lngLat']) => {
    const { lng, lat } = at ?? map.getCenter()
    onEvent(event, [lng, lat])
  }
  for (const event of mapEvents)
    map.on(event, (happened) => report(event, 'lngLat' in happened ? happened.lngLat : undefined))
  map.on('webglcontextlost', onFailure)
  return {
    addMarker: (data, reportEvent) => addMarker(map, data, reportEvent),
    addLabel: (data, reportEvent) => addLabel(map, data, reportEvent),
    addInfoWindow: (data, content) => addInfoWindow(map, data, content),
    addCluster: createClusters(map, whenLoaded),
    addShape: shapes.add,
    draw: createDrawing(map, shapes.add),
    setTiles: (choice) => whenLoaded(() => tiles.set(choice)),
    setViewport: (points) => {
      const lngs = points.map(([lng]) => lng)
      const lats = points.map(([, lat]) => lat)
      if (points.length === 0) return
      const [west, east] = [Math.min(...lngs), Math.max(...lngs)]
      const [south, north] = [Math.min(...lats), Math.max(...lats)]
      map.fitBounds([west, south, east, north], { padding: PADDING, maxZoom: NEAREST_ZOOM, duration: 0 })
    },
    restyle: createRepaint(map, tiles.current),
    destroy: () => map.remove(),
  }
}
