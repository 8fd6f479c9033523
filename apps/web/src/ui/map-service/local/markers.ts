import { type Map as LibreMap, Marker } from 'maplibre-gl'
import {
  type LabelData,
  type MarkerData,
  type MarkerIcon,
  type OverlayHandle,
  overlayEvents,
  type Report,
} from '../types.ts'
import { moveByKeys } from '#ui/map/edit/move-by-keys.ts'

const createImage = (icon: MarkerIcon): HTMLImageElement => {
  const { iconUrl, iconSize } = typeof icon === 'string' ? { iconUrl: icon } : icon
  const image = document.createElement('img')
  image.src = iconUrl
  image.alt = ''
  if (iconSize) [image.width, image.height] = iconSize
  return image
}

const createPin = ({ position, icon, draggable = false }: MarkerData): Marker => {
  const marker = icon ? new Marker({ element: createImage(icon), draggable }) : new Marker({ draggable })
  const anchor = typeof icon === 'object' ? icon.iconAnchor : undefined
  if (typeof icon === 'object' && icon.iconSize && anchor) {
    const [width, height] = icon.iconSize
    marker.setOffset([width / 2 - anchor[0], height / 2 - anchor[1]])
  }
  return marker.setLngLat([...position])
}

const applyStyle = (marker: Marker, { title = '', zIndexOffset = 0, opacity = 1, draggable = false }: MarkerData) => {
  const element = marker.getElement()
  element.title = title
  element.style.zIndex = String(zIndexOffset)
  if (title !== '') element.setAttribute('aria-label', title)
  if (draggable) element.tabIndex = 0
  else element.removeAttribute('tabindex')
  marker.setOpacity(String(opacity))
  marker.setDraggable(draggable)
}

/** Reports the events of an element; a click on it is no click on the map. */
const listenToElement = (marker: Marker, report: Report) => {
  const position = () => {
    const { lng, lat } = marker.getLngLat()
    return [lng, lat] as const
  }
  for (const event of overlayEvents) {
    marker.getElement().addEventListener(event, (happened) => {
      if (event === 'click' || event === 'dblclick') happened.stopPropagation()
      report(event, position())
    })
  }
  for (const event of ['dragstart', 'drag', 'dragend'] as const) marker.on(event, () => report(event, position()))
}

const show = (marker: Marker, map: LibreMap, isVisible: boolean) => {
  if (isVisible) marker.addTo(map)
  else marker.remove()
}

const iconKey = ({ icon }: MarkerData): string => JSON.stringify(icon ?? null)

export const addMarker = (map: LibreMap, data: MarkerData, report: Report): OverlayHandle<MarkerData> => {
  let shown = data
  const create = (next: MarkerData) => {
    const made = createPin(next)
    listenToElement(made, report)
    moveByKeys(map, made, {
      isMovable: () => shown.draggable === true,
      onMoved: (position) => report('dragend', position),
    })
    return made
  }
  let marker = create(data)
  const draw = (next: MarkerData) => {
    marker.setLngLat([...next.position])
    show(marker, map, next.visible !== false)
    applyStyle(marker, next)
  }
  draw(data)
  return {
    remove: () => marker.remove(),
    update: (next) => {
      if (iconKey(next) !== iconKey(shown)) {
        marker.remove()
        marker = create(next)
      }
      shown = next
      draw(next)
    },
  }
}

const applyLabel = (element: HTMLElement, data: LabelData) => {
  const { text, title = '', fontSize = 12, fontColor = '', backgroundColor = '' } = data
  element.textContent = text
  element.title = title
  Object.assign(element.style, {
    fontSize: `${fontSize}px`,
    color: fontColor,
    backgroundColor,
    borderWidth: data.borderLine === undefined ? '' : `${data.borderLine}px`,
    borderColor: data.borderColor ?? '',
    zIndex: String(data.zIndexOffset ?? 0),
  })
}

export const addLabel = (map: LibreMap, data: LabelData, report: Report): OverlayHandle<LabelData> => {
  const element = document.createElement('div')
  element.className = 'map-service-label'
  const marker = new Marker({ element, anchor: 'left' }).setLngLat([...data.position])
  listenToElement(marker, report)
  const draw = (next: LabelData) => {
    const [across, down] = next.offset ?? [0, 0]
    applyLabel(element, next)
    marker.setLngLat([...next.position]).setOffset([across, down])
    show(marker, map, next.visible !== false)
    marker.setOpacity(String(next.opacity ?? 1))
  }
  draw(data)
  return { remove: () => marker.remove(), update: draw }
}
