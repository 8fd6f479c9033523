import type { TrackPoint } from '@tocsin/contract/alarm/track'
import { describe, expect, it } from 'vitest'
import { pointsUntil, findPlaybackPeriod } from './track-playback.ts'

const point = (at: number, lng: number): TrackPoint => ({ lng, lat: 25, accuracyM: 10, at: new Date(at) })
const points = [point(0, 100), point(10_000, 102), point(200_000, 110)]
const person = { assignmentId: 1, userId: 1, name: 'ma', unitName: null, state: 'EN_ROUTE' as const }

describe('pointsUntil', () => {
  it('ends on the way to the next point', () => {
    expect(pointsUntil({ points }, 5_000).map(({ lng }) => lng)).toEqual([100, 101])
  })

  it('stays at the last point before a long gap, and is empty before the first', () => {
    expect(pointsUntil({ points }, 100_000).map(({ lng }) => lng)).toEqual([100, 102])
    expect(pointsUntil({ points }, -1)).toEqual([])
  })
})

describe('findPlaybackPeriod', () => {
  it('covers all tracks, and is undefined without a point', () => {
    expect(
      findPlaybackPeriod([
        { ...person, points },
        { ...person, points: [point(300_000, 1)] },
      ]),
    ).toEqual({ from: 0, to: 300_000 })
    expect(findPlaybackPeriod([{ ...person, points: [] }])).toBeUndefined()
  })
})
