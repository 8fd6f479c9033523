import { describe, expect, it } from 'vitest'
import { advance, drivenPath, isAtEnd, measureNodes, nodeAt } from './car-track.ts'
import {
  cornersOf,
  handlesOf,
  isComplete,
  measureDistance,
  moveHandle,
  parseLngLat,
  parsePath,
  pointAlong,
  shapeOf,
} from './geometry.ts'
import type { LngLat, Shape } from './types.ts'

const corner: LngLat = [116, 39]
const other: LngLat = [116.01, 39.02]

describe('shapes', () => {
  it('are made of the clicked points, once there are enough', () => {
    expect(shapeOf('polygon', [corner, other])).toBeUndefined()
    expect(shapeOf('polyline', [corner, other])).toEqual({ kind: 'polyline', path: [corner, other] })
    expect(shapeOf('rectangle', [other, corner])).toEqual({ kind: 'rectangle', bounds: [corner, other] })
    const circle = shapeOf('circle', [corner, other])
    expect(circle).toMatchObject({ kind: 'circle', center: corner })
    expect([isComplete('circle', [corner, other]), isComplete('polygon', [corner, other])]).toEqual([true, false])
  })

  it('are edited by their handles', () => {
    const line: Shape = { kind: 'polyline', path: [corner, other] }
    expect(moveHandle(line, 1, [117, 40])).toEqual({ kind: 'polyline', path: [corner, [117, 40]] })
    const box: Shape = { kind: 'rectangle', bounds: [corner, other] }
    expect(moveHandle(box, 0, [116.02, 39.03])).toEqual({ kind: 'rectangle', bounds: [other, [116.02, 39.03]] })
    const circle: Shape = { kind: 'circle', center: corner, radius: 500 }
    const edge = handlesOf(circle)[1] ?? corner
    expect(measureDistance(corner, edge)).toBeCloseTo(500, 0)
    expect(moveHandle(circle, 1, other)).toMatchObject({ radius: measureDistance(corner, other) })
    expect(cornersOf(circle).every((point) => Math.abs(measureDistance(corner, point) - 500) < 1)).toBe(true)
  })
})

describe('positions', () => {
  it('are read with a blank or a comma', () => {
    expect([parseLngLat('116.3 39.9'), parseLngLat('116.3,39.9'), parseLngLat('东湖')]).toEqual([
      [116.3, 39.9],
      [116.3, 39.9],
      null,
    ])
    expect(parsePath('116,39;116.01,39.02;')).toEqual([corner, other])
  })

  it('are as far apart as known points', () => {
    // Tiananmen to the Shanghai People's Square.
    expect(measureDistance([116.3975, 39.9087], [121.4737, 31.2304]) / 1000).toBeCloseTo(1067, -1)
  })
})

describe('a track', () => {
  const path: LngLat[] = [
    [116, 39],
    [116, 39.001],
    [116, 39.003],
  ]
  const nodes = measureNodes(path)

  it('jumps from node to node, or moves by metres, and stops at its end', () => {
    const jumps = [0, 1, 2].reduce<number[]>((metres) => [...metres, advance(nodes, metres.at(-1) ?? 0, 0)], [0])
    expect(jumps.map((metres) => nodeAt(nodes, metres))).toEqual([0, 1, 2, 2])
    const metres = advance(nodes, 0, 150)
    expect([metres, nodeAt(nodes, metres), isAtEnd(nodes, metres)]).toEqual([150, 1, false])
    expect(isAtEnd(nodes, advance(nodes, metres, 1000))).toBe(true)
  })

  it('is driven until the car', () => {
    expect(pointAlong(path, nodes[1] ?? 0)?.[1]).toBeCloseTo(39.001, 6)
    expect(drivenPath(path, nodes, 150)).toHaveLength(3)
    expect(drivenPath(path, nodes, 0)).toEqual([path[0], path[0]])
  })
})
