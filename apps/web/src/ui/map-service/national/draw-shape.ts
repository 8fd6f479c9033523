import type { Shape, ShapeKind, ShapeStyle } from '../types.ts'
import { shapeDefaults } from '../types.ts'
import type { LibraryEvent, LibraryTool } from './interface.ts'
import { type NationalParts, toLngLat } from './overlays.ts'

const createTool = ({ library, map }: NationalParts, kind: ShapeKind, style: ShapeStyle): LibraryTool => {
  const options = { ...shapeDefaults, ...style }
  if (kind === 'polyline') return new library.PolylineTool(map, options)
  if (kind === 'polygon') return new library.PolygonTool(map, options)
  return kind === 'rectangle' ? new library.RectangleTool(map, options) : new library.CircleTool(map, options)
}

const shapeOfEvent = (kind: ShapeKind, event: LibraryEvent): Shape | undefined => {
  const { currentLnglats, currentBounds, currentCenter, currentRadius } = event
  if (kind === 'rectangle') {
    if (!currentBounds) return undefined
    return { kind, bounds: [toLngLat(currentBounds.getSouthWest()), toLngLat(currentBounds.getNorthEast())] }
  }
  if (kind === 'circle') {
    if (!currentCenter || currentRadius === undefined) return undefined
    return { kind, center: toLngLat(currentCenter), radius: currentRadius }
  }
  return currentLnglats && { kind, path: currentLnglats.map(toLngLat) }
}

type DrawOptions = { kind: ShapeKind; style: ShapeStyle; onDraw: (shape: Shape) => void }

/** Draws with the mouse tool of the library. What it leaves on the map is cleared: the page draws the shape itself. */
export const drawShape = (parts: NationalParts, { kind, style, onDraw }: DrawOptions): (() => void) => {
  const tool = createTool(parts, kind, style)
  const stop = () => {
    tool.close()
    tool.clear()
  }
  tool.addEventListener(kind === 'circle' ? 'drawend' : 'draw', (event) => {
    const shape = shapeOfEvent(kind, event)
    stop()
    if (shape) onDraw(shape)
  })
  tool.open()
  return stop
}
