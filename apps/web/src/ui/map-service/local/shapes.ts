import { type GeoJSONSource, type Map as LibreMap, type MapLayerMouseEvent, Marker } from 'maplibre-gl'
import { cornersOf, handlesOf, moveHandle } from '../geometry.ts'
import { type OverlayHandle, type Report, type Shape, type ShapeData, shapeDefaults } from '../types.ts'
import { moveByKeys } from '#ui/map/edit/move-by-keys.ts'

const SOURCE = 'service-shapes'
const layers = ['service-shape-fill', 'service-shape-solid', 'service-shape-dashed'] as const

/** Names of the events of a layer, where they differ. */
const layerEvents = {
  click: 'click',
  dblclick: 'dblclick',
  mousedown: 'mousedown',
  mouseup: 'mouseup',
  mouseenter: 'mouseover',
  mouseleave: 'mouseout',
} as const

type Shown = { data: ShapeData; report: Report }

const toFeature = (id: number, { shape, ...given }: ShapeData) => {
  const style = { ...shapeDefaults, ...given }
  const corners = cornersOf(shape).map(([lng, lat]) => [lng, lat])
  const geometry =
    shape.kind === 'polyline'
      ? { type: 'LineString' as const, coordinates: corners }
      : { type: 'Polygon' as const, coordinates: [[...corners, ...corners.slice(0, 1)]] }
  return { type: 'Feature' as const, geometry, properties: { ...style, id } }
}

const addLayers = (map: LibreMap) => {
  map.addSource(SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addLayer({
    id: layers[0],
    type: 'fill',
    source: SOURCE,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': ['get', 'fillColor'], 'fill-opacity': ['get', 'fillOpacity'] },
  })
  const paint = {
    'line-color': ['get', 'color'],
    'line-width': ['get', 'weight'],
    'line-opacity': ['get', 'opacity'],
  } as never
  const line = { type: 'line', source: SOURCE, layout: { 'line-cap': 'round', 'line-join': 'round' } } as const
  map.addLayer({ ...line, id: layers[1], filter: ['==', ['get', 'lineStyle'], 'solid'], paint })
  map.addLayer({
    ...line,
    id: layers[2],
    filter: ['==', ['get', 'lineStyle'], 'dashed'],
    paint: { ...(paint as object), 'line-dasharray': [2, 2] },
  })
}

/** Points by which a shape is edited. */
const createHandles = (
  map: LibreMap,
  label: string,
  onMove: (index: number, to: readonly [number, number]) => void,
) => {
  let markers: Marker[] = []
  const clear = () => {
    for (const marker of markers) marker.remove()
    markers = []
  }
  const create = (index: number) => {
    const element = document.createElement('div')
    element.className = 'map-service-handle'
    element.role = 'button'
    element.tabIndex = 0
    element.ariaLabel = `${label} ${index + 1}`
    const marker = new Marker({ element, draggable: true })
    marker.on('dragend', () => {
      const { lng, lat } = marker.getLngLat()
      onMove(index, [lng, lat])
    })
    moveByKeys(map, marker, { isMovable: () => true, onMoved: ([lng, lat]) => onMove(index, [lng, lat]) })
    return marker
  }
  return {
    clear,
    show: (shape: Shape) => {
      const points = handlesOf(shape)
      if (points.length !== markers.length) {
        clear()
        markers = points.map((_, index) => create(index))
      }
      for (const [index, point] of points.entries()) markers[index]?.setLngLat([...point]).addTo(map)
    },
  }
}

/** All shapes of a map, in one source. @param label of a point by which a shape is edited. */
export const createShapes = (map: LibreMap, label: string, whenLoaded: (run: () => void) => void) => {
  const shown = new Map<number, Shown>()
  let count = 0
  const put = () => {
    const visible = [...shown].filter(([, { data }]) => data.visible !== false)
    const features = visible.map(([id, { data }]) => toFeature(id, data))
    map.getSource<GeoJSONSource>(SOURCE)?.setData({ type: 'FeatureCollection', features })
  }
  whenLoaded(() => {
    addLayers(map)
    const listen = (event: keyof typeof layerEvents) =>
      map.on(event, [...layers], ({ features, lngLat }: MapLayerMouseEvent) => {
        const id: unknown = features?.[0]?.properties['id']
        if (typeof id === 'number') shown.get(id)?.report(layerEvents[event], [lngLat.lng, lngLat.lat])
      })
    for (const event of Object.keys(layerEvents) as (keyof typeof layerEvents)[]) listen(event)
    put()
  })
  const add = (first: ShapeData, report: Report, onEdit: (shape: Shape) => void): OverlayHandle<ShapeData> => {
    count += 1
    const id = count
    let data = first
    const handles = createHandles(map, label, (index, to) => {
      const shape = moveHandle(data.shape, index, to)
      update({ ...data, shape })
      onEdit(shape)
    })
    const update = (next: ShapeData) => {
      data = next
      shown.set(id, { data, report })
      if (data.edit && data.visible !== false) handles.show(data.shape)
      else handles.clear()
      put()
    }
    update(first)
    return {
      update,
      remove: () => {
        handles.clear()
        shown.delete(id)
        put()
      },
    }
  }
  return { add }
}
