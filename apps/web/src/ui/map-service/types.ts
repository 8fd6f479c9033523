import type { BaseKind } from '@tocsin/contract/insight/map'

/** CGCS2000. */
export type LngLat = readonly [lng: number, lat: number]
export type Pixels = readonly [across: number, down: number]

export type MarkerIcon = string | { iconUrl: string; iconSize?: Pixels; iconAnchor?: Pixels }

export type MarkerData = {
  position: LngLat
  icon?: MarkerIcon
  draggable?: boolean
  title?: string
  zIndexOffset?: number
  opacity?: number
  visible?: boolean
}

export type LabelData = {
  text: string
  position: LngLat
  offset?: Pixels
  title?: string
  fontSize?: number
  fontColor?: string
  backgroundColor?: string
  borderLine?: number
  borderColor?: string
  opacity?: number
  zIndexOffset?: number
  visible?: boolean
}

export type ClusterData = {
  markers: readonly MarkerData[]
  /** Size of the grid in pixels; the service spells it so. */
  girdSize?: number
  maxZoom?: number
}

export type InfoWindowData = { position: LngLat; offset?: Pixels; minWidth?: number; maxWidth?: number }

export const shapeKinds = ['polyline', 'polygon', 'rectangle', 'circle'] as const
export type ShapeKind = (typeof shapeKinds)[number]

export type Shape =
  | { kind: 'polyline'; path: readonly LngLat[] }
  | { kind: 'polygon'; path: readonly LngLat[] }
  | { kind: 'rectangle'; bounds: readonly [southWest: LngLat, northEast: LngLat] }
  | { kind: 'circle'; center: LngLat; radius: number }

export type ShapeStyle = {
  color?: string
  weight?: number
  opacity?: number
  lineStyle?: 'solid' | 'dashed'
  fillColor?: string
  fillOpacity?: number
}

/** The values of the national service. */
export const shapeDefaults: Required<ShapeStyle> = {
  color: '#0000FF',
  weight: 3,
  opacity: 0.5,
  lineStyle: 'solid',
  fillColor: '#0000FF',
  fillOpacity: 0.2,
}

export type ShapeData = ShapeStyle & { shape: Shape; edit?: boolean; visible?: boolean }

export const overlayEvents = ['click', 'dblclick', 'mouseover', 'mouseout', 'mousedown', 'mouseup'] as const
export const dragEvents = ['dragstart', 'drag', 'dragend'] as const
export type OverlayEvent = (typeof overlayEvents)[number] | (typeof dragEvents)[number]

export const mapEvents = [
  'click',
  'dblclick',
  'contextmenu',
  'zoomstart',
  'zoomend',
  'movestart',
  'move',
  'moveend',
] as const
export type MapEvent = (typeof mapEvents)[number]

/** Drawn once, changed while it is shown, and removed with its component. */
export type OverlayHandle<Data> = { update: (data: Data) => void; remove: () => void }

export type Report = (event: OverlayEvent, position: LngLat) => void
export type ClusterReport = {
  /** A single marker, by its place in the list. */
  click: (index: number) => void
  clusterclick: (position: LngLat) => void
}

export type TileChoice = { kind: BaseKind; annotations: boolean }

export type SurfaceOptions = {
  container: HTMLElement
  center: LngLat
  zoom: number
  minZoom: number
  maxZoom: number
  onEvent: (event: MapEvent, position: LngLat) => void
  onFailure: () => void
}

/** One map, drawn by the library of the national service or by MapLibre GL. */
export type MapSurface = {
  addMarker: (data: MarkerData, report: Report) => OverlayHandle<MarkerData>
  addLabel: (data: LabelData, report: Report) => OverlayHandle<LabelData>
  /** @param content is shown as it is, and stays of the caller. */
  addInfoWindow: (data: InfoWindowData, content: HTMLElement) => OverlayHandle<InfoWindowData>
  addCluster: (data: ClusterData, report: ClusterReport) => OverlayHandle<ClusterData>
  /** @param onEdit reports the shape after a corner was moved. */
  addShape: (data: ShapeData, report: Report, onEdit: (shape: Shape) => void) => OverlayHandle<ShapeData>
  /** Draws one shape by mouse; the function that is returned stops it. */
  draw: (kind: ShapeKind, style: ShapeStyle, onDraw: (shape: Shape) => void) => () => void
  setTiles: (choice: TileChoice) => void
  setViewport: (points: readonly LngLat[]) => void
  /** After a change of theme; what is drawn stays. */
  restyle: () => void
  destroy: () => void
}
