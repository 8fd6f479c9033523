import { describe, expect, it } from 'vitest'
import { listWaiting, type RingingIncident, toneOfIncidents } from './waiting-incidents.ts'

const NOW = 1_800_000_000_000

const incident = (given: Partial<RingingIncident> = {}): RingingIncident => ({
  id: 1,
  state: 'RECEIVED',
  ownerId: null,
  grade: 2,
  mode: 'LIVE',
  receivedAt: new Date(NOW),
  ...given,
})

describe('incidents that ring', () => {
  it('are those that nobody has claimed, real ones first and then the most urgent and oldest', () => {
    const list = [
      incident({ id: 1, mode: 'DRILL', grade: 1 }),
      incident({ id: 2, receivedAt: new Date(NOW + 1000) }),
      incident({ id: 3 }),
      incident({ id: 4, ownerId: 7 }),
      incident({ id: 5, state: 'IN_PROGRESS' }),
      incident({ id: 6, grade: 1, receivedAt: new Date(NOW + 2000) }),
    ]
    expect(listWaiting(list).map(({ id }) => id)).toEqual([6, 3, 2, 1])
  })

  it('sound like the most urgent real one, and softly when only a drill waits', () => {
    const drill = incident({ mode: 'DRILL', grade: 1 })
    expect(toneOfIncidents([drill, incident({ grade: 3 })])).toEqual({ level: 3, soft: false })
    expect(toneOfIncidents([drill])).toEqual({ level: 1, soft: true })
    expect(toneOfIncidents([])).toBeNull()
  })
})
