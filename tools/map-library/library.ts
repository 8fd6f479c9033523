// A stand-in for the national map library, as far as its documented interface is used. It is served as a script: the
// types are stripped and the files are joined, so that they import nothing at run time.

type Listener = (event: Record<string, unknown>) => void

export class Emitter {
  private readonly listeners = new Map<string, Set<Listener>>()
  addEventListener(type: string, listener: Listener) {
    const known = this.listeners.get(type) ?? new Set()
    this.listeners.set(type, known.add(listener))
  }
  removeEventListener(type: string, listener: Listener) {
    this.listeners.get(type)?.delete(listener)
  }
  fire(type: string, event: Record<string, unknown> = {}) {
    for (const listener of this.listeners.get(type) ?? []) listener({ type, target: this, ...event })
  }
}

export class LngLat {
  readonly lng: number
  readonly lat: number
  constructor(lng: number, lat: number) {
    this.lng = Number(lng)
    this.lat = Number(lat)
  }
  getLng() {
    return this.lng
  }
  getLat() {
    return this.lat
  }
}

export class Point {
  readonly x: number
  readonly y: number
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }
}

export class LngLatBounds {
  readonly southWest: LngLat
  readonly northEast: LngLat
  constructor(southWest: LngLat, northEast: LngLat) {
    this.southWest = southWest
    this.northEast = northEast
  }
  getSouthWest() {
    return this.southWest
  }
  getNorthEast() {
    return this.northEast
  }
}

export class Icon {
  readonly options: { iconUrl?: string; iconSize?: Point; iconAnchor?: Point }
  constructor(options: Icon['options']) {
    this.options = options
  }
}

export type Drawable = { attach: (map: StandInMap) => void; detach: () => void; redraw: () => void }

const TILE = 256
const mapEvents = ['click', 'dblclick', 'contextmenu', 'mousemove'] as const

/** A flat map: one degree is as wide as it is high, which is enough to click on. */
export class StandInMap extends Emitter {
  readonly container: HTMLElement
  readonly overlays = new Set<Drawable>()
  readonly layers = new Set<TileLayer>()
  readonly controls: object[] = []
  private infoWindow: Drawable | undefined
  center = new LngLat(0, 0)
  zoom = 1
  constructor(container: HTMLElement) {
    super()
    this.container = container
    if (typeof document === 'undefined') return
    for (const type of mapEvents) {
      container.addEventListener(type, (event) => {
        if (event.target !== container && (event.target as HTMLElement).dataset['overlay'] !== undefined) return
        this.fire(type, { lnglat: this.pointerPosition(event) })
      })
    }
  }
  private scale() {
    return (TILE * 2 ** this.zoom) / 360
  }
  private size() {
    return { width: this.container.clientWidth || 600, height: this.container.clientHeight || 400 }
  }
  pointerPosition({ clientX, clientY }: MouseEvent): LngLat {
    const { left, top } = this.container.getBoundingClientRect()
    return this.toLngLat(new Point(clientX - left, clientY - top))
  }
  toPixel(at: LngLat): Point {
    const { width, height } = this.size()
    return new Point(
      width / 2 + (at.lng - this.center.lng) * this.scale(),
      height / 2 - (at.lat - this.center.lat) * this.scale(),
    )
  }
  toLngLat({ x, y }: Point): LngLat {
    const { width, height } = this.size()
    return new LngLat(
      this.center.lng + (x - width / 2) / this.scale(),
      this.center.lat - (y - height / 2) / this.scale(),
    )
  }
  centerAndZoom(center: LngLat, zoom: number) {
    this.center = center
    this.zoom = zoom
    for (const drawable of [...this.overlays, ...this.layers]) drawable.redraw()
    this.fire('moveend')
    this.fire('zoomend')
  }
  setViewport(points: readonly LngLat[]) {
    const lngs = points.map(({ lng }) => lng)
    const lats = points.map(({ lat }) => lat)
    const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2
    if (points.length > 0) this.centerAndZoom(new LngLat(middle(lngs), middle(lats)), this.zoom)
  }
  getCenter() {
    return this.center
  }
  getZoom() {
    return this.zoom
  }
  addOverLay(overlay: Drawable) {
    this.overlays.add(overlay)
    overlay.attach(this)
  }
  removeOverLay(overlay: Drawable) {
    this.overlays.delete(overlay)
    overlay.detach()
  }
  clearOverLays() {
    for (const overlay of this.overlays) this.removeOverLay(overlay)
  }
  openInfoWindow(infoWindow: Drawable & { at: LngLat | undefined }, at: LngLat) {
    this.closeInfoWindow()
    infoWindow.at = at
    this.infoWindow = infoWindow
    this.addOverLay(infoWindow)
  }
  closeInfoWindow() {
    if (this.infoWindow) this.removeOverLay(this.infoWindow)
    this.infoWindow = undefined
  }
  addLayer(layer: TileLayer) {
    this.layers.add(layer)
    layer.attach(this)
  }
  removeLayer(layer: TileLayer) {
    this.layers.delete(layer)
    layer.detach()
  }
  addControl(control: object) {
    this.controls.push(control)
  }
}

/** Loads the one tile in the middle of the map. */
export class TileLayer extends Emitter {
  readonly url: string
  private image: HTMLImageElement | undefined
  private map: StandInMap | undefined
  constructor(url: string) {
    super()
    this.url = url
  }
  address({ center, zoom }: StandInMap): string {
    const z = Math.round(zoom)
    const share = (1 - Math.asinh(Math.tan((center.lat * Math.PI) / 180)) / Math.PI) / 2
    const [x, y] = [Math.floor(((center.lng + 180) / 360) * 2 ** z), Math.floor(share * 2 ** z)]
    return this.url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
  }
  attach(map: StandInMap) {
    this.map = map
    if (typeof document === 'undefined') return
    this.image = document.createElement('img')
    this.image.alt = ''
    this.image.style.cssText = 'position:absolute;inset:0;margin:auto;pointer-events:none'
    map.container.prepend(this.image)
    this.redraw()
  }
  redraw() {
    if (this.image && this.map) this.image.src = this.address(this.map)
  }
  detach() {
    this.image?.remove()
  }
}
