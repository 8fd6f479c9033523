import { cornersOf } from '../geometry.ts'
import { type OverlayHandle, overlayEvents, type Report, type Shape, type ShapeData, shapeDefaults } from '../types.ts'
import type { LibraryPoint, LibraryShape } from './interface.ts'
import { createReplaceable, listenTo, type NationalParts, toLngLat } from './overlays.ts'

const createShape = ({ library, toPoint }: NationalParts, data: ShapeData): LibraryShape => {
  const { shape, edit: _, visible: __, ...style } = data
  const options = { ...shapeDefaults, ...style }
  if (shape.kind === 'polyline') return new library.Polyline(shape.path.map(toPoint), options)
  if (shape.kind === 'polygon') return new library.Polygon(shape.path.map(toPoint), options)
  if (shape.kind === 'circle') return new library.Circle(toPoint(shape.center), shape.radius, options)
  const [southWest, northEast] = shape.bounds
  return new library.Rectangle(new library.LngLatBounds(toPoint(southWest), toPoint(northEast)), options)
}

const isList = (value: LibraryPoint | readonly LibraryPoint[] | undefined): value is readonly LibraryPoint[] =>
  Array.isArray(value)

/** The shape as it was edited on the map. */
const readShape = (overlay: LibraryShape, kind: Shape['kind']): Shape | undefined => {
  if ('getRadius' in overlay)
    return { kind: 'circle', center: toLngLat(overlay.getCenter()), radius: overlay.getRadius() }
  if ('getBounds' in overlay && kind === 'rectangle') {
    const bounds = overlay.getBounds()
    return { kind, bounds: [toLngLat(bounds.getSouthWest()), toLngLat(bounds.getNorthEast())] }
  }
  if (!('getLngLats' in overlay) || (kind !== 'polyline' && kind !== 'polygon')) return undefined
  const points = overlay.getLngLats()
  const [first] = points
  const ring = isList(first) ? first : (points as readonly LibraryPoint[])
  return { kind, path: ring.map(toLngLat) }
}

type ShapeOptions = { data: ShapeData; report: Report; onEdit: (shape: Shape) => void }

export const addShape = (parts: NationalParts, { data, report, onEdit }: ShapeOptions): OverlayHandle<ShapeData> => {
  const { container } = parts
  let shown = data
  const { current, remove, replace } = createReplaceable(parts, (next: ShapeData) => {
    const overlay = createShape(parts, next)
    const middle = cornersOf(next.shape)[0] ?? [0, 0]
    listenTo(overlay, overlayEvents, (name, { lnglat }) =>
      report(name as Parameters<Report>[0], lnglat ? toLngLat(lnglat) : middle),
    )
    return overlay
  })
  const show = (next: ShapeData) => {
    replace(next)
    if (next.edit) current()?.enableEdit()
  }
  /** The library reports no edit: what is different after the pointer was released was edited. */
  const readEdit = () => {
    const overlay = current()
    const edited = shown.edit && overlay ? readShape(overlay, shown.shape.kind) : undefined
    if (!edited || JSON.stringify(edited) === JSON.stringify(shown.shape)) return
    shown = { ...shown, shape: edited }
    onEdit(edited)
  }
  const readLater = () => setTimeout(readEdit)
  container.addEventListener('pointerup', readLater)
  show(data)
  return {
    remove: () => {
      container.removeEventListener('pointerup', readLater)
      remove()
    },
    update: (next) => {
      const isShown = JSON.stringify(next) === JSON.stringify(shown)
      shown = next
      if (!isShown) show(next)
    },
  }
}
