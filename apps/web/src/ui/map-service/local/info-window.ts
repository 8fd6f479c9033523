import { type Map as LibreMap, Popup } from 'maplibre-gl'
import type { InfoWindowData, OverlayHandle } from '../types.ts'

/** The popup of the map; its own button has no name in our languages, so the content brings one. */
export const addInfoWindow = (
  map: LibreMap,
  { position, offset = [0, 0], maxWidth = 300 }: InfoWindowData,
  content: HTMLElement,
): OverlayHandle<InfoWindowData> => {
  const popup = new Popup({
    closeButton: false,
    closeOnClick: false,
    // The content decides about the focus.
    focusAfterOpen: false,
    maxWidth: `${maxWidth}px`,
    offset: [...offset],
  })
  popup
    .setLngLat([...position])
    .setDOMContent(content)
    .addTo(map)
  return {
    update: (next) => popup.setLngLat([...next.position]),
    remove: () => popup.remove(),
  }
}
