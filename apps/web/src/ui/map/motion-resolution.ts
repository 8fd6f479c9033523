import type { Map as LibreMap } from 'maplibre-gl'

/** Names of renderers that draw with the processor: SwiftShader, Mesa, Windows. */
const SOFTWARE_RENDERER = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Whether WebGL is drawn without a graphics card; unknown renderers count as cards. */
export const isDrawnBySoftware = (gl: Pick<WebGLRenderingContext, 'getExtension' | 'getParameter'>): boolean => {
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const renderer: unknown = info && gl.getParameter(info.UNMASKED_RENDERER_WEBGL)
  return typeof renderer === 'string' && SOFTWARE_RENDERER.test(renderer)
}

/** Dots drawn for each dot of the screen, in each direction, while the map moves. */
export const MOVING_SHARE = 0.5
/** Longer than the pause between two turns of a wheel, so that the map does not flicker. */
export const REST_MS = 200

type MovingMap = Pick<LibreMap, 'isMoving' | 'on' | 'once' | 'redraw' | 'setPixelRatio' | 'stop'>

/** A new size would end the drag under the pointer. */
const resize = (map: MovingMap, ratio: number): void => {
  map.stop = () => map as LibreMap
  map.setPixelRatio(ratio)
  // The method of the class again.
  Reflect.deleteProperty(map, 'stop')
}

/** Draws a map coarser while it moves, and sharp again at rest. @param pixelRatio of the screen, asked at each change. */
export const lowerResolutionInMotion = (map: MovingMap, pixelRatio: () => number): void => {
  let isCoarse = false
  let isResizing = false
  let rest: ReturnType<typeof setTimeout> | undefined
  const set = (coarse: boolean) => {
    isCoarse = coarse
    isResizing = true
    resize(map, pixelRatio() * (coarse ? MOVING_SHARE : 1))
    isResizing = false
  }
  const sharpen = () => {
    if (map.isMoving()) return
    set(false)
    // A new size empties the canvas.
    map.redraw()
  }
  // Comes before the frame is drawn, and never with isMoving() for a jump, which is one frame only.
  map.on('move', () => {
    if (isResizing) return
    clearTimeout(rest)
    if (!isCoarse && map.isMoving()) set(true)
  })
  map.on('moveend', () => {
    if (isResizing) return
    clearTimeout(rest)
    if (isCoarse) rest = setTimeout(sharpen, REST_MS)
  })
  map.once('remove', () => clearTimeout(rest))
}
