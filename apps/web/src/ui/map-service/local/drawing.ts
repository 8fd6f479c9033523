import type { Map as LibreMap, MapMouseEvent } from 'maplibre-gl'
import { isComplete, shapeOf } from '../geometry.ts'
import type { LngLat, MapSurface, OverlayHandle, Shape, ShapeData, ShapeKind, ShapeStyle } from '../types.ts'

const ignore = () => undefined

/** Draws by clicks: rectangles and circles end with the second point, lines and areas with a double click. */
export const createDrawing =
  (map: LibreMap, addShape: MapSurface['addShape']) =>
  (kind: ShapeKind, style: ShapeStyle, onDraw: (shape: Shape) => void): (() => void) => {
    let points: LngLat[] = []
    let draft: OverlayHandle<ShapeData> | undefined

    const stop = () => {
      map.off('click', addPoint).off('mousemove', follow).off('dblclick', end)
      map.doubleClickZoom.enable()
      map.getCanvas().style.cursor = ''
      draft?.remove()
      draft = undefined
    }
    const finish = () => {
      const shape = shapeOf(kind, points)
      if (!shape) return
      stop()
      onDraw(shape)
    }
    const addPoint = ({ lngLat: { lng, lat } }: MapMouseEvent) => {
      const last = points.at(-1)
      // The second click of a double click is no corner of its own.
      if (last?.[0] !== lng || last[1] !== lat) points = [...points, [lng, lat]]
      if (isComplete(kind, points)) finish()
    }
    const follow = ({ lngLat: { lng, lat } }: MapMouseEvent) => {
      const shape = shapeOf(kind, [...points, [lng, lat]]) ?? shapeOf('polyline', [...points, [lng, lat]])
      if (!shape) return
      if (draft) draft.update({ ...style, shape })
      else draft = addShape({ ...style, shape }, ignore, ignore)
    }
    const end = (event: MapMouseEvent) => {
      event.preventDefault()
      finish()
    }
    map.doubleClickZoom.disable()
    map.getCanvas().style.cursor = 'crosshair'
    map.on('click', addPoint)
    map.on('mousemove', follow)
    map.on('dblclick', end)
    return stop
  }
