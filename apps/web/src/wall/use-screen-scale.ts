import { useSyncExternalStore } from 'react'

/** The width at which points and labels of a map have their size; a wall of 1920 is read from farther than a desk. */
const BASE_WIDTH_PX = 1280

const listen = (onChange: () => void) => {
  window.addEventListener('resize', onChange)
  return () => window.removeEventListener('resize', onChange)
}
/** In halves: each new value builds the map anew. */
const readScale = (): number => Math.max(1, Math.round((window.innerWidth / BASE_WIDTH_PX) * 2) / 2)

/** How much larger than on a desk what is drawn in pixels has to be. */
export const useScreenScale = (): number => useSyncExternalStore(listen, readScale)
