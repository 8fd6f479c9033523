import {
  type LngLat,
  type MapEvent,
  type MapSurface,
  type SurfaceOptions,
  type TileChoice,
  mapEvents,
  type InfoWindowData,
  type OverlayHandle,
} from '../types.ts'
import { drawShape } from './draw-shape.ts'
import type { LibraryEvent, LibraryMap, MapLibrary } from './interface.ts'
import type { NationalParts } from './overlays.ts'
import { addCluster, addLabel, addMarker } from './markers.ts'
import { addShape } from './shapes.ts'

/** The information window of the library; it closes the one before. */
const addInfoWindow = (
  { library, map, toPoint }: NationalParts,
  { position, offset = [0, 0], minWidth = 50, maxWidth = 300 }: InfoWindowData,
  content: HTMLElement,
): OverlayHandle<InfoWindowData> => {
  const infoWindow = new library.InfoWindow(content, {
    minWidth,
    maxWidth,
    offset: new library.Point(...offset),
    closeButton: false,
    closeOnClick: false,
  })
  const open = (data: InfoWindowData) => map.openInfoWindow(infoWindow, toPoint(data.position))
  open({ position })
  return { update: open, remove: () => map.closeInfoWindow() }
}

const annotationsOf = { vec: 'cva', img: 'cia', ter: 'cta' } as const
const layerZooms = { minZoom: 1, maxZoom: 18 }

export type NationalOptions = SurfaceOptions & {
  library: MapLibrary
  /** With {layer}, {z}, {x} and {y}; null: the base map of the library. */
  tiles: string | null
  onMap: (map: LibraryMap) => void
}

const createTiles = ({ library, map }: NationalParts, pattern: string | null) => {
  let shown: object[] = []
  return ({ kind, annotations }: TileChoice) => {
    if (pattern === null) return
    for (const layer of shown) map.removeLayer(layer)
    shown = [kind, ...(annotations ? [annotationsOf[kind]] : [])].map(
      (layer, index) =>
        new library.TileLayer(pattern.replaceAll('{layer}', layer), { ...layerZooms, zIndex: index + 1 }),
    )
    for (const layer of shown) map.addLayer(layer)
  }
}

/** A map of the national service. It lives in an element of its own, since the library cannot give one back. */
export const createNationalSurface = (options: NationalOptions): MapSurface => {
  const { library, center, zoom, minZoom, maxZoom, onEvent, onMap } = options
  const container = document.createElement('div')
  container.className = 'map-service-national'
  options.container.append(container)
  const map = new library.Map(container, { minZoom, maxZoom })
  const toPoint = ([lng, lat]: LngLat) => new library.LngLat(lng, lat)
  const parts: NationalParts = { library, map, container, toPoint }
  map.centerAndZoom(toPoint(center), zoom)
  map.addControl(new library.Control.Zoom())
  map.addControl(new library.Control.Scale())
  const report = (event: MapEvent) => (happened: LibraryEvent) => {
    const at = happened.lnglat ?? map.getCenter()
    onEvent(event, [at.getLng(), at.getLat()])
  }
  for (const event of mapEvents) map.addEventListener(event, report(event))
  onMap(map)
  return {
    addMarker: (data, reportEvent) => addMarker(parts, data, reportEvent),
    addLabel: (data, reportEvent) => addLabel(parts, data, reportEvent),
    addInfoWindow: (data, content) => addInfoWindow(parts, data, content),
    addCluster: (data, reportEvent) => addCluster(parts, data, reportEvent),
    addShape: (data, reportEvent, onEdit) => addShape(parts, { data, report: reportEvent, onEdit }),
    draw: (kind, style, onDraw) => drawShape(parts, { kind, style, onDraw }),
    setTiles: createTiles(parts, options.tiles),
    setViewport: (points) => map.setViewport(points.map(toPoint)),
    // The library has one look only.
    restyle: () => undefined,
    destroy: () => {
      map.clearOverLays()
      container.remove()
    },
  }
}
