import { Emitter, Icon, LngLat, LngLatBounds, Point, type StandInMap } from './library.ts'

type Options = Record<string, unknown>
const pointerEvents = ['click', 'dblclick', 'mouseover', 'mouseout', 'mousedown', 'mouseup'] as const

/** An overlay with an element of its own; without a document it only fires events. */
export abstract class Overlay extends Emitter {
  element: HTMLElement | undefined
  map: StandInMap | undefined
  readonly options: Options
  constructor(options: Options = {}) {
    super()
    this.options = options
  }
  abstract place(map: StandInMap): void
  attach(map: StandInMap) {
    this.map = map
    if (typeof document === 'undefined') return
    this.element = document.createElement('div')
    this.element.dataset['overlay'] = this.constructor.name
    this.element.style.position = 'absolute'
    for (const type of pointerEvents) {
      this.element.addEventListener(type, (event) => this.fire(type, { lnglat: map.pointerPosition(event) }))
    }
    map.container.append(this.element)
    this.redraw()
  }
  redraw() {
    if (this.map) this.place(this.map)
  }
  detach() {
    this.element?.remove()
    this.element = undefined
  }
}

/** Follows the pointer from its press to its release. */
export const dragElement = (element: HTMLElement, map: StandInMap, report: (at: LngLat, isEnd: boolean) => void) => {
  element.addEventListener('pointerdown', (event) => {
    event.stopPropagation()
    element.setPointerCapture(event.pointerId)
    const move = (moved: PointerEvent) => report(map.pointerPosition(moved), false)
    element.addEventListener('pointermove', move)
    const end = (ended: PointerEvent) => {
      element.removeEventListener('pointermove', move)
      report(map.pointerPosition(ended), true)
    }
    element.addEventListener('pointerup', end, { once: true })
  })
}

export class Marker extends Overlay {
  private at: LngLat
  constructor(at: LngLat, options: Options = {}) {
    super(options)
    this.at = at
  }
  getLngLat() {
    return this.at
  }
  setLngLat(at: LngLat) {
    this.at = at
    this.redraw()
  }
  override attach(map: StandInMap) {
    super.attach(map)
    if (!this.element || this.options['draggable'] !== true) return
    dragElement(this.element, map, (at, isEnd) => {
      this.setLngLat(at)
      this.fire(isEnd ? 'dragend' : 'drag', { lnglat: at })
    })
  }
  place(map: StandInMap) {
    if (!this.element) return
    const { icon, title, opacity } = this.options
    const { x, y } = map.toPixel(this.at)
    const size = icon instanceof Icon ? icon.options.iconSize : undefined
    const [width, height] = [size?.x ?? 20, size?.y ?? 20]
    this.element.title = String(title ?? '')
    Object.assign(this.element.style, {
      left: `${x - width / 2}px`,
      top: `${y - height / 2}px`,
      width: `${width}px`,
      height: `${height}px`,
      opacity: String(opacity ?? 1),
      background: icon instanceof Icon ? `center/contain no-repeat url("${icon.options.iconUrl}")` : 'crimson',
      borderRadius: icon instanceof Icon ? '' : '50%',
      zIndex: String(20 + Number(this.options['zIndexOffset'] ?? 0)),
    })
  }
}

export class Label extends Overlay {
  private readonly style: Record<string, string> = {}
  private title = ''
  constructor(options: Options) {
    super(options)
  }
  place(map: StandInMap) {
    if (!this.element) return
    const { x, y } = map.toPixel(this.options['position'] as LngLat)
    const offset = this.options['offset'] instanceof Point ? this.options['offset'] : new Point(0, 0)
    this.element.textContent = String(this.options['text'])
    this.element.title = this.title
    const at = { left: `${x + offset.x}px`, top: `${y + offset.y}px` }
    Object.assign(this.element.style, { background: '#fff', color: '#000', ...at, ...this.style })
  }
  private set(name: string, value: string) {
    this.style[name] = value
    this.redraw()
  }
  setTitle(text: string) {
    this.title = text
    this.redraw()
  }
  setFontSize(size: number) {
    this.set('fontSize', `${size}px`)
  }
  setFontColor(color: string) {
    this.set('color', color)
  }
  setBackgroundColor(color: string) {
    this.set('background', color)
  }
  setBorderLine(width: number) {
    this.set('borderWidth', `${width}px`)
  }
  setBorderColor(color: string) {
    this.set('borderColor', color)
  }
  setOpacity(opacity: number) {
    this.set('opacity', String(opacity))
  }
  setZindex(index: number) {
    this.set('zIndex', String(index))
  }
}

/** Shows all its markers as one while the map is far. */
export class MarkerClusterer extends Overlay {
  private markers: Marker[]
  constructor(map: StandInMap, options: Options) {
    super(options)
    this.markers = [...((options['markers'] as Marker[] | undefined) ?? [])]
    map.addOverLay(this)
    if (this.element) {
      this.element.addEventListener('click', (event) =>
        this.fire('clusterclick', { lnglat: map.pointerPosition(event), layer: this.markers[0] }),
      )
    }
  }
  getMarkers() {
    return this.markers
  }
  clearMarkers() {
    this.markers = []
    this.map?.removeOverLay(this)
  }
  place(map: StandInMap) {
    const [first] = this.markers
    if (!this.element || !first) return
    const { x, y } = map.toPixel(first.getLngLat())
    this.element.textContent = String(this.markers.length)
    Object.assign(this.element.style, { left: `${x}px`, top: `${y}px`, background: 'orange', padding: '8px' })
  }
}

/** A shape is drawn as its box; while it is edited each of its handles can be dragged. */
export abstract class ShapeOverlay extends Overlay {
  private handles: HTMLElement[] = []
  private isEdited = false
  abstract points(): readonly LngLat[]
  abstract movePoint(index: number, to: LngLat): void
  isEditable() {
    return this.isEdited
  }
  enableEdit() {
    this.isEdited = true
    if (this.map) this.addHandles(this.map)
  }
  disableEdit() {
    this.isEdited = false
    this.removeHandles()
  }
  private removeHandles() {
    for (const handle of this.handles) handle.remove()
    this.handles = []
  }
  private addHandles(map: StandInMap) {
    if (typeof document === 'undefined') return
    this.removeHandles()
    this.handles = this.points().map((_, index) => {
      const handle = document.createElement('div')
      handle.dataset['overlay'] = 'Handle'
      handle.style.cssText = 'position:absolute;width:12px;height:12px;background:#fff;border:2px solid blue;z-index:30'
      dragElement(handle, map, (to) => {
        this.movePoint(index, to)
        this.redraw()
      })
      map.container.append(handle)
      return handle
    })
    this.redraw()
  }
  override detach() {
    super.detach()
    this.removeHandles()
  }
  place(map: StandInMap) {
    const pixels = this.points().map((point) => map.toPixel(point))
    for (const [index, { x, y }] of pixels.entries()) {
      const handle = this.handles[index]
      if (handle) Object.assign(handle.style, { left: `${x - 8}px`, top: `${y - 8}px` })
    }
    if (!this.element || pixels.length === 0) return
    const [xs, ys] = [pixels.map(({ x }) => x), pixels.map(({ y }) => y)]
    const [left, top] = [Math.min(...xs), Math.min(...ys)]
    Object.assign(this.element.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${Math.max(...xs) - left}px`,
      height: `${Math.max(...ys) - top}px`,
      outline: `2px solid ${String(this.options['color'])}`,
      pointerEvents: 'none',
    })
  }
}

class PathOverlay extends ShapeOverlay {
  private path: LngLat[]
  constructor(path: readonly LngLat[], options: Options = {}) {
    super(options)
    this.path = [...path]
  }
  points() {
    return this.path
  }
  movePoint(index: number, to: LngLat) {
    this.path = this.path.map((point, at) => (at === index ? to : point))
  }
}

export class Polyline extends PathOverlay {
  getLngLats() {
    return this.points()
  }
}

/** Like the library, it returns its rings. */
export class Polygon extends PathOverlay {
  getLngLats() {
    return [this.points()]
  }
}

export class Rectangle extends ShapeOverlay {
  private bounds: LngLatBounds
  constructor(bounds: LngLatBounds, options: Options = {}) {
    super(options)
    this.bounds = bounds
  }
  getBounds() {
    return this.bounds
  }
  points() {
    return [this.bounds.southWest, this.bounds.northEast]
  }
  movePoint(index: number, to: LngLat) {
    const [southWest, northEast] = [this.bounds.southWest, this.bounds.northEast]
    this.bounds = index === 0 ? new LngLatBounds(to, northEast) : new LngLatBounds(southWest, to)
  }
}

const METRES_PER_DEGREE = 111_195

export class Circle extends ShapeOverlay {
  private center: LngLat
  private radius: number
  constructor(center: LngLat, radius: number, options: Options = {}) {
    super(options)
    this.center = center
    this.radius = radius
  }
  getCenter() {
    return this.center
  }
  getRadius() {
    return this.radius
  }
  points() {
    return [this.center, new LngLat(this.center.lng, this.center.lat + this.radius / METRES_PER_DEGREE)]
  }
  movePoint(index: number, to: LngLat) {
    if (index === 0) this.center = to
    else this.radius = Math.abs(to.lat - this.center.lat) * METRES_PER_DEGREE
  }
}
