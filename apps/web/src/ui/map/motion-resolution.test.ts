import { afterEach, describe, expect, it, vi } from 'vitest'
import { isDrawnBySoftware, lowerResolutionInMotion, MOVING_SHARE, REST_MS } from './motion-resolution.ts'

describe('a map without a graphics card', () => {
  afterEach(() => vi.useRealTimers())

  it('is known by its renderer', () => {
    const gl = (renderer: unknown) => ({
      getExtension: () => ({ UNMASKED_RENDERER_WEBGL: 1 }) as never,
      getParameter: () => renderer,
    })
    expect(isDrawnBySoftware(gl('ANGLE (Google, Vulkan 1.3 (SwiftShader Device), SwiftShader driver)'))).toBe(true)
    expect(isDrawnBySoftware(gl('ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11)'))).toBe(true)
    expect(isDrawnBySoftware(gl('llvmpipe (LLVM 15.0.6, 256 bits)'))).toBe(true)
    expect(isDrawnBySoftware(gl('ANGLE (Intel, Mesa Intel(R) UHD Graphics 620)'))).toBe(false)
    expect(isDrawnBySoftware({ getExtension: () => null, getParameter: () => null })).toBe(false)
  })

  it('is drawn coarser while it moves, and sharp once it rests', () => {
    vi.useFakeTimers()
    const listeners = new Map<string, () => void>()
    const ratios: number[] = []
    let isMoving = true
    const listen = (name: string, listener: () => void) => void listeners.set(name, listener)
    const map = {
      on: listen,
      once: listen,
      isMoving: () => isMoving,
      redraw: vi.fn(),
      setPixelRatio: (ratio: number) => void ratios.push(ratio),
    }
    const fire = (name: string) => listeners.get(name)?.()
    lowerResolutionInMotion(map as never, () => 2)
    fire('move')
    fire('move')
    expect(ratios).toEqual([2 * MOVING_SHARE])
    isMoving = false
    fire('moveend')
    vi.advanceTimersByTime(REST_MS - 1)
    isMoving = true
    fire('move')
    isMoving = false
    fire('moveend')
    vi.advanceTimersByTime(REST_MS - 1)
    expect(ratios).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(ratios).toEqual([2 * MOVING_SHARE, 2])
    expect(map.redraw).toHaveBeenCalledOnce()
    fire('move')
    fire('moveend')
    vi.runAllTimers()
    expect(ratios).toHaveLength(2)
  })
})
