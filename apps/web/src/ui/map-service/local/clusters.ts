import type { GeoJSONSource, Map as LibreMap } from 'maplibre-gl'
import type { ClusterData, ClusterReport, OverlayHandle } from '../types.ts'

const RADIUS = 7
const COLORS = { points: '#1f6feb', clusters: '#b45309', text: '#ffffff' }

const toCollection = (markers: ClusterData['markers']) => ({
  type: 'FeatureCollection' as const,
  features: markers.map(({ position: [lng, lat] }, index) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [lng, lat] },
    properties: { index },
  })),
})

const addLayers = (map: LibreMap, id: string) => {
  const edge = { 'circle-stroke-color': COLORS.text, 'circle-stroke-width': 2 }
  map.addLayer({
    id,
    type: 'circle',
    source: id,
    paint: {
      ...edge,
      'circle-color': ['case', ['has', 'point_count'], COLORS.clusters, COLORS.points],
      'circle-radius': ['case', ['has', 'point_count'], RADIUS * 2, RADIUS],
    },
  })
  map.addLayer({
    id: `${id}-counts`,
    type: 'symbol',
    source: id,
    filter: ['has', 'point_count'],
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-size': 12,
      'text-font': ['sans-serif'],
      'text-allow-overlap': true,
    },
    paint: { 'text-color': COLORS.text },
  })
}

/** A single point is reported; a cluster is reported and opened. */
const listen = (map: LibreMap, id: string, report: ClusterReport) => {
  map.on('click', id, async ({ features, lngLat }) => {
    const properties = features?.[0]?.properties
    const cluster: unknown = properties?.['cluster_id']
    const index: unknown = properties?.['index']
    if (typeof index === 'number') return report.click(index)
    if (typeof cluster !== 'number') return undefined
    report.clusterclick([lngLat.lng, lngLat.lat])
    const zoom = await map.getSource<GeoJSONSource>(id)?.getClusterExpansionZoom(cluster)
    return zoom === undefined ? undefined : void map.easeTo({ center: lngLat, zoom })
  })
}

let count = 0

/** Points that are drawn as one where they are close. */
export const createClusters =
  (map: LibreMap, whenLoaded: (run: () => void) => void) =>
  (data: ClusterData, report: ClusterReport): OverlayHandle<ClusterData> => {
    count += 1
    const id = `clusters-${count}`
    let shown = data
    let isRemoved = false
    const { girdSize = 60, maxZoom = 18 } = data
    whenLoaded(() => {
      if (isRemoved) return
      const source = { type: 'geojson', cluster: true, clusterRadius: girdSize, clusterMaxZoom: maxZoom } as const
      map.addSource(id, { ...source, data: toCollection(shown.markers) })
      addLayers(map, id)
      listen(map, id, report)
    })
    return {
      update: (next) => {
        shown = next
        map.getSource<GeoJSONSource>(id)?.setData(toCollection(next.markers))
      },
      remove: () => {
        isRemoved = true
        if (!map.getSource(id)) return
        map.removeLayer(`${id}-counts`).removeLayer(id).removeSource(id)
      },
    }
  }
