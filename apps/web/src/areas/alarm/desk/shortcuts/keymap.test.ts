import { describe, expect, it } from 'vitest'
import { noFilter } from '../queue/filter.ts'
import { actionForKey, keyForVerb, keymap, nextNew, nextShownNew, type Pressed, neighbourRecord } from './keymap.ts'

const press = (key: string, rest: Partial<Pressed> = {}) =>
  actionForKey({ key, code: '', combined: false, typing: false, ...rest })

describe('the keys of the desk', () => {
  it('move the selection by letters and arrow keys', () => {
    expect(press('j')).toEqual({ kind: 'next' })
    expect(press('ArrowDown')).toEqual({ kind: 'next' })
    expect(press('k')).toEqual(press('ArrowUp'))
  })

  it('map to verbs, with and without caps lock', () => {
    expect(press('c')).toEqual({ kind: 'verb', verb: 'claim' })
    expect(press('C')).toEqual({ kind: 'verb', verb: 'claim' })
  })

  it('work while a Chinese input method is active', () => {
    expect(press('Process', { code: 'KeyV' })).toEqual({ kind: 'verb', verb: 'verify' })
  })

  it('are ignored while the user types, except Esc', () => {
    for (const key of Object.keys(keymap).filter((item) => item !== 'Escape'))
      expect(press(key, { typing: true })).toBeUndefined()
    expect(press('Escape', { typing: true })).toEqual({ kind: 'back' })
  })

  it('ignore key combinations and unknown keys', () => {
    expect(press('r', { combined: true })).toBeUndefined()
    expect(press('x')).toBeUndefined()
    expect(press('toString')).toBeUndefined()
  })

  it('are shown beside the button', () => {
    expect(keyForVerb('dispatch')).toBe('d')
    expect(keyForVerb('merge')).toBeUndefined()
  })
})

describe('moving through the queue', () => {
  const list = [
    { id: 1, ownerId: null },
    { id: 2, ownerId: 7 },
    { id: 3, ownerId: null },
  ]

  it('stops at the first and the last record', () => {
    expect(neighbourRecord(list, 1, -1)).toBe(1)
    expect(neighbourRecord(list, 1, 1)).toBe(2)
    expect(neighbourRecord(list, 3, 1)).toBe(3)
  })

  it('starts at the top without a selection, or with a selection that is gone', () => {
    expect(neighbourRecord(list, undefined, 1)).toBe(1)
    expect(neighbourRecord(list, 99, -1)).toBe(1)
    expect(neighbourRecord([], undefined, 1)).toBeUndefined()
  })

  it('finds the next unowned record, wrapping around the end', () => {
    expect(nextNew(list, 1)).toBe(3)
    expect(nextNew(list, 3)).toBe(1)
    expect(nextNew(list, undefined)).toBe(1)
    expect(nextNew([{ id: 2, ownerId: 7 }], 2)).toBeUndefined()
  })
  it('skips unowned records that the filter hides', () => {
    const at = (id: number, level: number) =>
      ({ id, level, ownerId: null, state: 'NEW', class: 'PANIC', mode: 'LIVE', schoolId: 1 }) as const
    const open = [at(1, 3), at(2, 1), at(3, 3)]
    expect(nextShownNew(open, noFilter, 1)).toBe(2)
    expect(nextShownNew(open, { ...noFilter, level: ['3'] }, 1)).toBe(3)
    expect(nextShownNew(open, { ...noFilter, level: ['4'] }, 1)).toBeUndefined()
  })
})
