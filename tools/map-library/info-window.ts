import type { LngLat, StandInMap } from './library.ts'
import { Overlay } from './overlays.ts'

/** Shows the content that it is given; the map has one at a time. */
export class InfoWindow extends Overlay {
  private readonly content: HTMLElement
  at: LngLat | undefined
  constructor(content: HTMLElement, options: Record<string, unknown> = {}) {
    super(options)
    this.content = content
  }
  place(map: StandInMap) {
    if (!this.element || !this.at) return
    const { x, y } = map.toPixel(this.at)
    // Appended once: an element that is moved loses the focus.
    if (this.content.parentElement !== this.element) this.element.append(this.content)
    const box = { left: `${x}px`, top: `${y}px`, padding: '8px', background: '#fff', color: '#000', zIndex: '40' }
    Object.assign(this.element.style, box)
  }
}
