import { Button } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useOverlay, useSurface } from './surface-context.ts'
import type {
  ClusterData,
  InfoWindowData,
  LabelData,
  LngLat,
  MarkerData,
  OverlayEvent,
  Report,
  Shape,
  ShapeData,
  ShapeKind,
  ShapeStyle,
  TileChoice,
} from './types.ts'

type Pointer = Exclude<OverlayEvent, 'dragstart' | 'drag' | 'dragend'>
type PointerProps = { [Event in Pointer as `on${Capitalize<Event>}`]?: (position: LngLat) => void }
type DragProps = Partial<Record<'onDragstart' | 'onDrag' | 'onDragend', (position: LngLat) => void>>
type CommonProps<ExtData> = {
  /** Of the page; the map does not look into it. */
  extData?: ExtData
  onInit?: () => void
  onRemove?: () => void
}
type Handlers = PointerProps & DragProps

/** Calls the property of an event, like `onClick`. */
const createReport =
  (handlers: Handlers): Report =>
  (event, position) =>
    handlers[`on${event.charAt(0).toUpperCase()}${event.slice(1)}` as keyof Handlers]?.(position)

/** Splits properties into handlers and what is drawn. */
const splitProps = <Data extends object>(props: Data & Handlers & CommonProps<unknown>) => {
  const isHandler = ([name, value]: [string, unknown]) => typeof value === 'function' && name.startsWith('on')
  const entries = Object.entries(props)
  const { extData: _, ...data } = Object.fromEntries(entries.filter((entry) => !isHandler(entry)))
  return { data: data as Data, handlers: props as Handlers }
}

export type MapMarkerProps<ExtData = unknown> = MarkerData & PointerProps & DragProps & CommonProps<ExtData>

export const MapMarker = (props: MapMarkerProps) => {
  const { data, handlers } = splitProps<MarkerData>(props)
  const report = useEffectEvent((event: OverlayEvent, position: LngLat) => createReport(handlers)(event, position))
  const add = (surface: NonNullable<ReturnType<typeof useSurface>>, drawn: MarkerData) =>
    surface.addMarker(drawn, (event, position) => report(event, position))
  useOverlay({ data, add, onInit: props.onInit, onRemove: props.onRemove })
  return null
}

export type MapLabelProps<ExtData = unknown> = LabelData & PointerProps & CommonProps<ExtData>

export const MapLabel = (props: MapLabelProps) => {
  const { data, handlers } = splitProps<LabelData>(props)
  const report = useEffectEvent((event: OverlayEvent, position: LngLat) => createReport(handlers)(event, position))
  const add = (surface: NonNullable<ReturnType<typeof useSurface>>, drawn: LabelData) =>
    surface.addLabel(drawn, (event, position) => report(event, position))
  useOverlay({ data, add, onInit: props.onInit, onRemove: props.onRemove })
  return null
}

export type InfoWindowProps = InfoWindowData & {
  title: string
  children: ReactNode
  onClose: () => void
}

/** Tells more about a point of the map, beside it. Esc closes it and gives the focus back. */
export const InfoWindow = ({ title, children, onClose, ...data }: InfoWindowProps) => {
  const { t } = useTranslation()
  const [content] = useState(() => document.createElement('div'))
  useOverlay<InfoWindowData>({ data, add: (surface, drawn) => surface.addInfoWindow(drawn, content) })
  useEffect(() => {
    const before = document.activeElement
    content.querySelector('button')?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [content])
  const close = (key: string) => {
    if (key === 'Escape') onClose()
  }
  return createPortal(
    <div role="dialog" aria-label={title} className="map-service-info" onKeyDown={({ key }) => close(key)}>
      <b>{title}</b>
      {children}
      <Button size="small" onClick={onClose}>
        {t('mapService.close')}
      </Button>
    </div>,
    content,
  )
}

export type MarkerClustererProps = ClusterData & {
  /** A single marker, by its place in the list. */
  onClick?: (index: number) => void
  onClusterclick?: (position: LngLat) => void
}

export const MarkerClusterer = ({ onClick, onClusterclick, ...data }: MarkerClustererProps) => {
  const click = useEffectEvent((index: number) => onClick?.(index))
  const clusterclick = useEffectEvent((position: LngLat) => onClusterclick?.(position))
  useOverlay<ClusterData>({
    data,
    add: (surface, drawn) =>
      surface.addCluster(drawn, {
        click: (index) => click(index),
        clusterclick: (position) => clusterclick(position),
      }),
  })
  return null
}

type ShapeProps<ExtData> = Omit<ShapeData, 'shape'> &
  PointerProps &
  CommonProps<ExtData> & {
    /** The shape after it was edited on the map. */
    onEdit?: (shape: Shape) => void
  }

const MapShape = ({ shape, onEdit, ...props }: ShapeProps<unknown> & { shape: Shape }) => {
  const { data, handlers } = splitProps<Omit<ShapeData, 'shape'>>(props)
  const report = useEffectEvent((event: OverlayEvent, position: LngLat) => createReport(handlers)(event, position))
  const edit = useEffectEvent((edited: Shape) => onEdit?.(edited))
  useOverlay<ShapeData>({
    data: { ...data, shape },
    add: (surface, drawn) =>
      surface.addShape(
        drawn,
        (event, position) => report(event, position),
        (edited) => edit(edited),
      ),
    onInit: props.onInit,
    onRemove: props.onRemove,
  })
  return null
}

type PathProps<ExtData> = ShapeProps<ExtData> & { path: readonly LngLat[] }

export const MapPolyline = ({ path, ...props }: PathProps<unknown>) => (
  <MapShape {...props} shape={{ kind: 'polyline', path }} />
)

export const MapPolygon = ({ path, ...props }: PathProps<unknown>) => (
  <MapShape {...props} shape={{ kind: 'polygon', path }} />
)

export const MapRectangle = ({
  bounds,
  ...props
}: ShapeProps<unknown> & { bounds: readonly [southWest: LngLat, northEast: LngLat] }) => (
  <MapShape {...props} shape={{ kind: 'rectangle', bounds }} />
)

export const MapCircle = ({ center, radius, ...props }: ShapeProps<unknown> & { center: LngLat; radius: number }) => (
  <MapShape {...props} shape={{ kind: 'circle', center, radius }} />
)

/** Draws a shape by mouse while `kind` is set. */
export const MouseTool = ({
  kind,
  style = {},
  onDraw,
}: {
  kind: ShapeKind | undefined
  style?: ShapeStyle
  onDraw: (shape: Shape) => void
}) => {
  const surface = useSurface()
  const draw = useEffectEvent((shape: Shape) => onDraw(shape))
  const begin = useEffectEvent((wanted: ShapeKind) => surface?.draw(wanted, style, (shape) => draw(shape)))
  useEffect(() => (kind && surface ? begin(kind) : undefined), [kind, surface])
  return null
}

/** The base map: vector, imagery or terrain, with or without its annotations. */
export const TileLayer = ({ kind, annotations }: TileChoice) => {
  const surface = useSurface()
  useEffect(() => surface?.setTiles({ kind, annotations }), [surface, kind, annotations])
  return null
}
