import type { Geofence } from '@tocsin/contract/school/geofence'
import { describe, expect, it } from 'vitest'
import { doOverlap, snapToRings } from './rings.ts'

const rectangle = (west: number, south: number, east: number, north: number): Geofence => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})

describe('rings', () => {
  const project = (lng: number, lat: number) => ({ x: lng * 100, y: -lat * 100 })

  it('give a corner near the pointer, or else the nearest point of a side', () => {
    const rings = [rectangle(1, 1, 3, 2)]
    expect(snapToRings({ x: 109, y: -109 }, rings, project)).toEqual([1, 1])
    expect(snapToRings({ x: 205, y: -106 }, rings, project)).toEqual([2.05, 1])
    expect(snapToRings({ x: 205, y: -150 }, rings, project)).toBeUndefined()
    expect(snapToRings({ x: 109, y: -109 }, [], project)).toBeUndefined()
  })

  it('overlap when they have an area in common, not by a border', () => {
    const own = rectangle(0, 0, 2, 2)
    expect(doOverlap(own, rectangle(1, 1, 3, 3))).toBe(true)
    expect(doOverlap(own, rectangle(0.5, 0.5, 1, 1))).toBe(true)
    expect(doOverlap(rectangle(0.5, 0.5, 1, 1), own)).toBe(true)
    expect(doOverlap(own, own)).toBe(true)
    expect(doOverlap(own, rectangle(0, -1, 2, 3))).toBe(true)
    expect(doOverlap(own, rectangle(2, 0, 4, 2))).toBe(false)
    expect(doOverlap(own, rectangle(2, 2, 4, 4))).toBe(false)
    expect(doOverlap(own, rectangle(5, 5, 6, 6))).toBe(false)
  })
})
