import { describe, expect, it } from 'vitest'
import { toCgcs2000 } from './coordinates.ts'
import { isTriangle, measurePlan, toMapPosition } from './plan-position.ts'

/** Tiananmen in the systems, as published with the transformations. */
const known = {
  CGCS2000: { lng: 116.403988, lat: 39.914266 },
  WGS84: { lng: 116.403988, lat: 39.914266 },
  GCJ02: { lng: 116.410232, lat: 39.91567 },
  BD09: { lng: 116.416616, lat: 39.921966 },
} as const

describe('toCgcs2000', () => {
  it.each(Object.entries(known))('turns the known point of %s into CGCS2000', (system, point) => {
    const { lng, lat } = toCgcs2000(point, system as keyof typeof known)
    expect(lng).toBeCloseTo(known.CGCS2000.lng, 4)
    expect(lat).toBeCloseTo(known.CGCS2000.lat, 4)
  })

  it('leaves points outside of China where they are', () => {
    expect(toCgcs2000({ lng: -0.1276, lat: 51.5072 }, 'GCJ02')).toEqual({ lng: -0.1276, lat: 51.5072 })
  })
})

describe('a plan with three control points', () => {
  /** 111.32 m to the north for each thousandth of a degree, and as much to the east on the equator. */
  const points = [
    { x: 0, y: 0, lng: 10, lat: 0.001 },
    { x: 1, y: 0, lng: 10.002, lat: 0.001 },
    { x: 0, y: 1, lng: 10, lat: 0 },
  ]
  const turned = [
    { x: 0, y: 0, lng: 10.001, lat: 0.002 },
    { x: 1, y: 0, lng: 10.001, lat: 0 },
    { x: 0, y: 1, lng: 10, lat: 0.002 },
  ]

  it('has a position on the map for every point of it', () => {
    expect(toMapPosition(points, 0.5, 0.5)).toEqual({ lng: 10.001, lat: 0.0005 })
    expect(toMapPosition(points, 1, 1)).toEqual({ lng: 10.002, lat: 0 })
    expect(toMapPosition(points.slice(0, 2), 1, 1)).toBeUndefined()
  })

  it('has its scale and north from them', () => {
    const measured = measurePlan(points, { width: 2000, height: 1000 })
    expect(measured?.metresPerPixel).toBeCloseTo(0.11132, 4)
    expect(measured?.north).toBe(0)
    // The upper edge looks to the east: north lies to its left.
    expect(measurePlan(turned, { width: 2000, height: 1000 })?.north).toBe(270)
  })

  it('refuses points that lie almost in one line', () => {
    const [first, second] = points
    const middle = { x: 0.5, y: 0.005, lng: 10.001, lat: 0.001 }
    expect(isTriangle(points)).toBe(true)
    expect(isTriangle([first, second, middle].flatMap((point) => point ?? []))).toBe(false)
  })
})
