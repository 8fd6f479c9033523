import { createContext, useContext, useEffect, useEffectEvent, useRef } from 'react'
import type { MapSurface, OverlayHandle } from './types.ts'

/** The map around a component; undefined until it is drawn. */
export const SurfaceContext = createContext<MapSurface | undefined>(undefined)

export const useSurface = (): MapSurface | undefined => useContext(SurfaceContext)

type OverlayOptions<Data> = {
  data: Data
  add: (surface: MapSurface, data: Data) => OverlayHandle<Data>
  onInit?: (() => void) | undefined
  onRemove?: (() => void) | undefined
}

/** Draws an overlay as long as its component is there. */
export const useOverlay = <Data>({ data, add, onInit, onRemove }: OverlayOptions<Data>) => {
  const surface = useSurface()
  const handle = useRef<OverlayHandle<Data>>(undefined)
  const drawn = useRef<string>(undefined)
  const dataKey = JSON.stringify(data)
  const draw = useEffectEvent((on: MapSurface) => {
    handle.current = add(on, data)
    drawn.current = dataKey
    onInit?.()
  })
  const erase = useEffectEvent(() => {
    handle.current?.remove()
    handle.current = undefined
    onRemove?.()
  })
  const change = useEffectEvent(() => {
    if (drawn.current === dataKey) return
    drawn.current = dataKey
    handle.current?.update(data)
  })
  useEffect(() => {
    if (!surface) return
    draw(surface)
    return () => erase()
  }, [surface])
  useEffect(() => change(), [dataKey])
}
