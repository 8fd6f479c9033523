import type { LngLat } from '../types.ts'
import type { LibraryEvent, LibraryMap, LibraryPoint, MapLibrary, Overlay } from './interface.ts'

/** What the overlays of one map share. */
export type NationalParts = {
  library: MapLibrary
  map: LibraryMap
  container: HTMLElement
  toPoint: (at: LngLat) => LibraryPoint
}

export const toLngLat = (point: LibraryPoint): LngLat => [point.getLng(), point.getLat()]

/** Reports the events of an overlay, each with its position. */
export const listenTo = (
  overlay: Overlay,
  events: readonly string[],
  report: (name: string, event: LibraryEvent) => void,
) => {
  for (const name of events) overlay.addEventListener(name, (event) => report(name, event))
}

/** Replaces the overlay of a component when its data changes. */
export const createReplaceable = <Data extends { visible?: boolean }, Kind extends Overlay>(
  { map }: NationalParts,
  create: (data: Data) => Kind,
) => {
  let current: Kind | undefined
  const remove = () => {
    if (current) map.removeOverLay(current)
    current = undefined
  }
  return {
    current: () => current,
    remove,
    replace: (data: Data) => {
      remove()
      if (data.visible === false) return
      current = create(data)
      map.addOverLay(current)
    },
  }
}
