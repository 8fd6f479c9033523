import type { InfoWindowData, OverlayHandle } from '../types.ts'
import type { NationalParts } from './overlays.ts'

/** The information window of the library; it closes the one before. */
export const addInfoWindow = (
  { library, map, toPoint }: NationalParts,
  { position, offset = [0, 0], minWidth = 50, maxWidth = 300 }: InfoWindowData,
  content: HTMLElement,
): OverlayHandle<InfoWindowData> => {
  const infoWindow = new library.InfoWindow(content, {
    minWidth,
    maxWidth,
    offset: new library.Point(...offset),
    closeButton: false,
    closeOnClick: false,
  })
  const open = (data: InfoWindowData) => map.openInfoWindow(infoWindow, toPoint(data.position))
  open({ position })
  return { update: open, remove: () => map.closeInfoWindow() }
}
