import { describe, expect, it } from 'vitest'
import {
  type Attention,
  type Grouped,
  groupOf,
  groupRows,
  limitTone,
  type QueuePlaces,
  placeRows,
} from './queue-groups.ts'

const NOW = Date.UTC(2026, 10, 28, 6)
const ME = 7
const at = (inSec: number) => new Date(NOW + inSec * 1000)
const limit = (inSec: number, seconds = 30) => ({ step: 'T1' as const, dueAt: at(inSec), seconds })

const row = (id: number, given: Partial<Grouped> = {}): Grouped => ({
  id,
  state: 'NEW',
  level: 2,
  mode: 'LIVE',
  validation: null,
  ownerId: null,
  receivedAt: at(-id),
  shelvedUntil: null,
  commissioning: false,
  limit: limit(20),
  ...given,
})

describe('limitTone', () => {
  it('turns amber at 80 % of the limit and red when it has passed', () => {
    const of = (inSec: number) => limitTone(limit(inSec, 100), NOW)
    expect([of(100), of(21), of(20), of(1), of(0), of(-60)]).toEqual(['calm', 'calm', 'soon', 'soon', 'over', 'over'])
  })
})

describe('groupOf', () => {
  const of = (given: Partial<Grouped>) => groupOf(row(1, given), ME, NOW)

  it('finds the group of each kind of alarm', () => {
    expect(of({})).toBe('new')
    expect(of({ limit: null })).toBe('new')
    expect(of({ limit: limit(-1) })).toBe('overdue')
    expect(of({ state: 'ESCALATED' })).toBe('new')
    expect(of({ state: 'HANDLING', ownerId: 8 })).toBe('others')
    expect(of({ state: 'HANDLING', ownerId: 8, limit: limit(-1) })).toBe('overdue')
  })

  it('keeps the own alarms together when a limit has passed, and a shelved one out of the overdue', () => {
    expect(of({ state: 'HANDLING', ownerId: ME, limit: limit(-1) })).toBe('mine')
    expect(of({ shelvedUntil: at(60), limit: limit(-1) })).toBe('others')
    expect(of({ shelvedUntil: at(-1) })).toBe('new')
    expect(of({ mode: 'TEST', commissioning: true, limit: null })).toBe('others')
  })
})

const place = (list: readonly Grouped[], before: QueuePlaces = new Map(), attention: Attention = []) =>
  placeRows(
    list,
    list.map((item) => groupOf(item, ME, NOW)),
    { before, attention },
  )
const shown = (list: readonly Grouped[], places = place(list)) =>
  groupRows(list, places).map(({ key, rows }) => [key, rows.map(({ id }) => id)])

describe('groupRows', () => {
  it('shows overdue, mine, new and others, without groups that have no rows', () => {
    const list = [
      row(1, { ownerId: 8, state: 'HANDLING' }),
      row(2),
      row(3, { ownerId: ME, state: 'CLAIMED' }),
      row(4, { limit: limit(-5) }),
    ]
    expect(shown(list)).toEqual([
      ['overdue', [4]],
      ['mine', [3]],
      ['new', [2]],
      ['others', [1]],
    ])
    expect(shown([row(2)])).toEqual([['new', [2]]])
  })

  it('puts the latest alarm on top of the new ones, and no drill above a real one', () => {
    const list = [row(30, { level: 1 }), row(20, { level: 4 }), row(10, { mode: 'DRILL', level: 1 })]
    expect(shown(list)).toEqual([['new', [20, 30, 10]]])
  })

  it('orders the overdue by level, threat to life and latest', () => {
    const over = (id: number, given: Partial<Grouped>) => row(id, { limit: limit(-1), ...given })
    const list = [over(1, { level: 3 }), over(3, {}), over(2, {}), over(4, { validation: 4 }), over(5, { level: 1 })]
    expect(shown(list)).toEqual([['overdue', [5, 4, 2, 3, 1]]])
  })
})

describe('placeRows', () => {
  const list = [row(1), row(2), row(3)]
  const claimed = [row(1), row(2, { state: 'CLAIMED', ownerId: ME }), row(3)]
  const before = place(list)
  const near: Attention = [{ group: 'new', id: 3 }]

  it('leaves a claimed row in its place until pointer and focus have left its group', () => {
    const kept = place(claimed, before, near)
    expect(shown(claimed, kept)).toEqual([['new', [1, 2, 3]]])
    const later = place(claimed, kept, [
      { group: 'overdue', id: 9 },
      { group: 'new', id: undefined },
    ])
    expect(shown(claimed, later)).toEqual([['new', [1, 2, 3]]])
    expect(shown(claimed, place(claimed, later, [{ group: 'overdue', id: 9 }]))).toEqual([
      ['mine', [2]],
      ['new', [1, 3]],
    ])
  })

  it('moves a claimed row at once when nobody is in its group', () => {
    expect(shown(claimed, place(claimed, before))).toEqual([
      ['mine', [2]],
      ['new', [1, 3]],
    ])
  })

  it('moves a row whose limit passes, unless the pointer or the focus is on it', () => {
    const over = [row(1), row(2, { limit: limit(-1) }), row(3)]
    expect(shown(over, place(over, before, near))[0]).toEqual(['overdue', [2]])
    const kept = place(over, before, [{ group: 'new', id: 2 }])
    expect(shown(over, kept)).toEqual([['new', [1, 2, 3]]])
    // Still there while the pointer crosses the neighbours.
    expect(shown(over, place(over, kept, near))).toEqual([['new', [1, 2, 3]]])
  })
})
