import type { Map as LibreMap, Marker } from 'maplibre-gl'

const STEP = 8
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** Moves a marker with the arrow keys, for users without a mouse. @param isMovable asked at each key. */
export const moveByKeys = (
  map: LibreMap,
  marker: Marker,
  {
    isMovable,
    onMoved,
  }: { isMovable: () => boolean; onMoved: (position: readonly [lng: number, lat: number]) => void },
) => {
  marker.getElement().addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (!step || !isMovable()) return
    event.preventDefault()
    event.stopPropagation()
    const { x, y } = map.project(marker.getLngLat())
    const to = map.unproject([x + step[0], y + step[1]])
    marker.setLngLat(to)
    onMoved([to.lng, to.lat])
  })
}
