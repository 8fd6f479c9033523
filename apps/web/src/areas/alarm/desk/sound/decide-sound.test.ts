import { describe, expect, it } from 'vitest'
import { decideSound, isDue, MUTE_MS, muteAll, type SoundRecord, unansweredEvents, toneFor } from './decide-sound.ts'

const NOW = 1_800_000_000_000

const record = (given: Partial<SoundRecord> = {}): SoundRecord => ({
  id: 1,
  state: 'NEW',
  level: 2,
  mode: 'LIVE',
  late: false,
  ownerId: null,
  shelvedUntil: null,
  commissioning: false,
  ...given,
})

const ring = (
  records: SoundRecord[],
  rest: { unread?: number[]; mutes?: Map<number, number>; now?: number; moreDue?: number } = {},
) => decideSound({ records, unread: [], mutes: new Map(), now: NOW, moreDue: 0, ...rest })

describe('the sound to play', () => {
  it('rings for every unowned record, and for no other', () => {
    const records = [
      record({ id: 1 }),
      record({ id: 2, state: 'CLAIMED', ownerId: 7 }),
      record({ id: 3, state: 'HANDLING', ownerId: 7 }),
      record({ id: 4, state: 'ESCALATED', ownerId: null }),
      record({ id: 5, state: 'ESCALATED', ownerId: 7 }),
      record({ id: 6, mode: 'TEST', commissioning: true }),
    ]
    expect(ring(records).due).toEqual([1, 4])
    expect([ring(records).waiting, ring(records, { moreDue: 30 }).waiting]).toEqual([2, 32])
    expect(ring(records).sounding).toEqual([1, 4])
  })

  it('is silent when all records have an owner', () => {
    expect(ring([record({ state: 'CLAIMED', ownerId: 7 })])).toEqual({
      due: [],
      waiting: 0,
      sounding: [],
      unread: 0,
      tone: null,
      muted: 0,
      mutedUntil: null,
    })
  })

  it('ignores a shelved record until its shelf ends', () => {
    const shelved = record({ level: 3, shelvedUntil: new Date(NOW + 1000) })
    expect(isDue(shelved, NOW)).toBe(false)
    expect(isDue(shelved, NOW + 1000)).toBe(true)
  })

  it('uses the tone of the most urgent record, and any real alarm before a drill', () => {
    const drill = record({ id: 1, level: 1, mode: 'DRILL' })
    const real = record({ id: 2, level: 3 })
    expect(ring([drill, real]).tone).toEqual({ level: 3, soft: false })
    expect(ring([real, record({ id: 3, level: 1 })]).tone).toEqual({ level: 1, soft: false })
  })

  it('sounds softly for drills and late alarms, and for an unplanned test like a real one', () => {
    expect(toneFor(record({ mode: 'TEST' })).soft).toBe(false)
    expect(toneFor(record({ mode: 'DRILL' })).soft).toBe(true)
    expect(toneFor(record({ late: true })).soft).toBe(true)
    expect(toneFor(record()).soft).toBe(false)
  })

  it('sounds for an event before its record was fetched', () => {
    expect(ring([], { unread: [9] }).tone).not.toBeNull()
    expect(ring([record({ level: 1 })], { unread: [9] }).tone).toEqual({ level: 1, soft: false })
  })
})

describe('muting', () => {
  it('ends after a minute, and the record rings again', () => {
    const records = [record()]
    const mutes = muteAll(records, NOW)
    const quiet = ring(records, { mutes })
    expect(quiet).toMatchObject({ due: [1], sounding: [], tone: null, muted: 1, mutedUntil: NOW + MUTE_MS })
    expect(ring(records, { mutes, now: NOW + MUTE_MS }).sounding).toEqual([1])
  })

  it('never silences level 1', () => {
    const records = [record({ id: 1, level: 1 }), record({ id: 2, level: 2 })]
    expect([...muteAll(records, NOW).keys()]).toEqual([2])
    expect(ring(records, { mutes: new Map([[1, NOW + MUTE_MS]]) }).sounding).toContain(1)
  })

  it('does not cover a later alarm', () => {
    const mutes = muteAll([record({ id: 1 })], NOW)
    expect(ring([record({ id: 1 }), record({ id: 2 })], { mutes }).sounding).toEqual([2])
  })

  it('ends for a record whose level was raised to 1', () => {
    const mutes = muteAll([record({ level: 2 })], NOW)
    expect(ring([record({ level: 1 })], { mutes }).sounding).toEqual([1])
  })
})

describe('events whose record was not fetched yet', () => {
  const items = [{ id: 5, at: NOW, heardAt: NOW }]

  it('stay until a fetch contains the record', () => {
    expect(unansweredEvents(items, { ids: new Set(), now: NOW - 1 }, NOW + 60_000)).toEqual(items)
    expect(unansweredEvents(items, { ids: new Set([5]), now: NOW - 1 }, NOW)).toEqual([])
  })

  it('stay while every fetch fails', () => {
    expect(unansweredEvents(items, undefined, NOW + 600_000)).toEqual(items)
  })

  it('end when a later fetch no longer contains the record', () => {
    expect(unansweredEvents(items, { ids: new Set(), now: NOW + 10 }, NOW + 100)).toEqual(items)
    expect(unansweredEvents(items, { ids: new Set(), now: NOW + 10 }, NOW + 3000)).toEqual([])
  })
})
