import {
  type ClusterData,
  type ClusterReport,
  dragEvents,
  type LabelData,
  type MarkerData,
  type MarkerIcon,
  type OverlayHandle,
  overlayEvents,
  type Report,
} from '../types.ts'
import type { LibraryMarker, MapLibrary } from './interface.ts'
import { createReplaceable, listenTo, type NationalParts } from './overlays.ts'

const createIcon = (library: MapLibrary, icon: MarkerIcon): object => {
  if (typeof icon === 'string') return new library.Icon({ iconUrl: icon })
  const { iconUrl, iconSize, iconAnchor } = icon
  return new library.Icon({
    iconUrl,
    ...(iconSize && { iconSize: new library.Point(...iconSize) }),
    ...(iconAnchor && { iconAnchor: new library.Point(...iconAnchor) }),
  })
}

const createMarker = ({ library, toPoint }: NationalParts, data: MarkerData): LibraryMarker => {
  const { position, icon, draggable = false, title = '', zIndexOffset = 0, opacity = 1 } = data
  const options = { draggable, title, zIndexOffset, opacity, ...(icon && { icon: createIcon(library, icon) }) }
  return new library.Marker(toPoint(position), options)
}

/** What is left when a marker only moves. */
const lookKey = (data: MarkerData): string => JSON.stringify({ ...data, position: undefined })

export const addMarker = (parts: NationalParts, data: MarkerData, report: Report): OverlayHandle<MarkerData> => {
  let shown = data
  const { current, remove, replace } = createReplaceable(parts, (next: MarkerData) => {
    const marker = createMarker(parts, next)
    listenTo(marker, [...overlayEvents, ...dragEvents], (name, { lnglat }) => {
      const at = lnglat ?? marker.getLngLat()
      report(name as Parameters<Report>[0], [at.getLng(), at.getLat()])
    })
    return marker
  })
  replace(data)
  return {
    remove,
    update: (next) => {
      const marker = current()
      // A marker that only moves stays the same, so that it can be dragged meanwhile.
      if (marker && lookKey(shown) === lookKey(next)) marker.setLngLat(parts.toPoint(next.position))
      else replace(next)
      shown = next
    },
  }
}

const createLabel = ({ library, toPoint }: NationalParts, data: LabelData) => {
  const { text, position, offset = [0, 0] } = data
  const label = new library.Label({ text, position: toPoint(position), offset: new library.Point(...offset) })
  if (data.title !== undefined) label.setTitle(data.title)
  if (data.fontSize !== undefined) label.setFontSize(data.fontSize)
  if (data.fontColor !== undefined) label.setFontColor(data.fontColor)
  if (data.backgroundColor !== undefined) label.setBackgroundColor(data.backgroundColor)
  if (data.borderLine !== undefined) label.setBorderLine(data.borderLine)
  if (data.borderColor !== undefined) label.setBorderColor(data.borderColor)
  if (data.opacity !== undefined) label.setOpacity(data.opacity)
  if (data.zIndexOffset !== undefined) label.setZindex(data.zIndexOffset)
  return label
}

export const addLabel = (parts: NationalParts, data: LabelData, report: Report): OverlayHandle<LabelData> => {
  const { remove, replace } = createReplaceable(parts, (next: LabelData) => {
    const label = createLabel(parts, next)
    listenTo(label, overlayEvents, (name) => report(name as Parameters<Report>[0], next.position))
    return label
  })
  replace(data)
  return { remove, update: replace }
}

export const addCluster = (
  parts: NationalParts,
  data: ClusterData,
  report: ClusterReport,
): OverlayHandle<ClusterData> => {
  const { library, map } = parts
  const create = ({ markers, girdSize = 60, maxZoom = 18 }: ClusterData) => {
    const made = markers.map((marker) => createMarker(parts, marker))
    for (const [index, marker] of made.entries()) listenTo(marker, ['click'], () => report.click(index))
    const clusterer = new library.MarkerClusterer(map, { markers: made, girdSize, maxZoom })
    listenTo(clusterer, ['clusterclick'], (_, { lnglat }) => {
      const at = lnglat ?? map.getCenter()
      report.clusterclick([at.getLng(), at.getLat()])
    })
    return clusterer
  }
  let clusterer = create(data)
  return {
    remove: () => clusterer.clearMarkers(),
    update: (next) => {
      clusterer.clearMarkers()
      clusterer = create(next)
    },
  }
}
