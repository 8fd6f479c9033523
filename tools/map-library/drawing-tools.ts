import { Emitter, LngLat, LngLatBounds, type StandInMap } from './library.ts'

type Happened = { lnglat: LngLat }
const METRES = 111_195

const measure = (from: LngLat, to: LngLat): number =>
  Math.hypot((to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180), to.lat - from.lat) * METRES

/** A mouse tool: open, it collects points of the map. Rectangles and circles end with the second point. */
abstract class MouseTool extends Emitter {
  readonly map: StandInMap
  protected points: LngLat[] = []
  private isOpen = false
  constructor(map: StandInMap) {
    super()
    this.map = map
    map.addEventListener('click', (event) => this.isOpen && this.add((event as unknown as Happened).lnglat))
    map.addEventListener('dblclick', () => this.isOpen && this.end())
  }
  protected add(at: LngLat) {
    const last = this.points.at(-1)
    if (last?.lng === at.lng && last.lat === at.lat) return
    this.points.push(at)
    this.fire('addpoint', { currentLnglats: [...this.points] })
  }
  protected abstract end(): void
  open() {
    this.points = []
    this.isOpen = true
  }
  close() {
    this.isOpen = false
  }
  clear() {
    this.points = []
  }
}

class PathTool extends MouseTool {
  protected end() {
    this.fire('draw', { currentLnglats: [...this.points] })
  }
}
export class PolylineTool extends PathTool {}
export class PolygonTool extends PathTool {}

abstract class TwoPointTool extends MouseTool {
  protected override add(at: LngLat) {
    super.add(at)
    if (this.points.length === 2) this.end()
  }
}

export class RectangleTool extends TwoPointTool {
  protected end() {
    const [first = new LngLat(0, 0), second = first] = this.points
    const southWest = new LngLat(Math.min(first.lng, second.lng), Math.min(first.lat, second.lat))
    const northEast = new LngLat(Math.max(first.lng, second.lng), Math.max(first.lat, second.lat))
    this.fire('draw', { currentBounds: new LngLatBounds(southWest, northEast) })
  }
}

export class CircleTool extends TwoPointTool {
  protected end() {
    const [center = new LngLat(0, 0), edge = center] = this.points
    this.fire('drawend', { currentCenter: center, currentRadius: measure(center, edge) })
  }
}
