import type { GeoJSONSource, LayerSpecification } from 'maplibre-gl'
import { createMap, createRepaint, type MapEngineOptions } from './map-engine.ts'
import { boundsOf } from './map-shapes.ts'
import { type Palette, readPalette } from './map-style.ts'

export type HeatPoint = { id: number; lng: number; lat: number; n: number }

/** From here on single places are circles that can be opened. */
const CIRCLE_ZOOM = 9
const NEAREST_ZOOM = 14

const heatLayers = (colors: Palette): LayerSpecification[] => [
  {
    id: 'heat',
    type: 'heatmap',
    source: 'heat',
    paint: {
      'heatmap-weight': ['get', 'weight'],
      'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 3, 14, NEAREST_ZOOM, 56],
      'heatmap-opacity': 0.7,
      'heatmap-color': [
        'interpolate',
        ['linear'],
        ['heatmap-density'],
        0,
        'rgba(0, 0, 0, 0)',
        0.25,
        colors.busy,
        0.6,
        colors.wait,
        1,
        colors.alarm,
      ],
    },
  },
  {
    id: 'heat-places',
    type: 'circle',
    source: 'heat',
    minzoom: CIRCLE_ZOOM,
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['get', 'weight'], 0, 8, 1, 20],
      'circle-color': colors.halo,
      'circle-opacity': 0.9,
      'circle-stroke-color': colors.text,
      'circle-stroke-width': 1.5,
    },
  },
  {
    id: 'heat-counts',
    type: 'symbol',
    source: 'heat',
    minzoom: CIRCLE_ZOOM,
    layout: { 'text-field': ['to-string', ['get', 'n']], 'text-size': 12, 'text-font': ['sans-serif'] },
    paint: { 'text-color': colors.text },
  },
]

const toCollection = (points: readonly HeatPoint[]) => {
  const most = Math.max(1, ...points.map(({ n }) => n))
  return {
    type: 'FeatureCollection' as const,
    features: points.map(({ id, lng, lat, n }) => ({
      type: 'Feature' as const,
      properties: { id, n, weight: n / most },
      geometry: { type: 'Point' as const, coordinates: [lng, lat] },
    })),
  }
}

type HeatOptions = Pick<MapEngineOptions, 'container' | 'texts' | 'base' | 'onFailure'> & {
  onOpen: (id: number) => void
}

/** A map on which many events glow, and a click on a place opens it. */
export const createHeatEngine = ({ onOpen, onFailure, ...options }: HeatOptions) => {
  const map = createMap(options)
  const repaintBase = createRepaint(map, () => options.base)
  let points: readonly HeatPoint[] = []
  let isReady = false
  const draw = () => {
    if (!isReady) return
    map.getSource<GeoJSONSource>('heat')?.setData(toCollection(points))
    const bounds = boundsOf(points, [])
    if (bounds) map.fitBounds(bounds, { padding: 56, maxZoom: NEAREST_ZOOM, duration: 0 })
  }
  map.on('load', () => {
    map.addSource('heat', { type: 'geojson', data: toCollection([]) })
    for (const layer of heatLayers(readPalette())) map.addLayer(layer)
    isReady = true
    draw()
  })
  map.on('webglcontextlost', onFailure)
  map.on('click', 'heat-places', ({ features }) => {
    const id: unknown = features?.[0]?.properties['id']
    if (typeof id === 'number') onOpen(id)
  })
  map.on('mouseenter', 'heat-places', () => (map.getCanvas().style.cursor = 'pointer'))
  map.on('mouseleave', 'heat-places', () => (map.getCanvas().style.cursor = ''))
  return {
    show: (next: readonly HeatPoint[]) => {
      points = next
      draw()
    },
    restyle: () => {
      repaintBase()
      if (!isReady) return
      for (const { id, paint = {} } of heatLayers(readPalette()))
        for (const [name, value] of Object.entries(paint)) map.setPaintProperty(id, name as never, value as never)
    },
    destroy: () => map.remove(),
  }
}
