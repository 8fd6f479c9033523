import { codes } from '@tocsin/contract/codes'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { ApiError } from '#api/error.ts'
import { mergeRemote, currentRowOf, isSame, isStale, readAs } from './remote-row.ts'

describe("merging another user's edit", () => {
  it('takes fields that were not changed here, and separates those that both changed', () => {
    const base = { name: 'a', phone: null, sort: 1, remark: '', kept: 'k' }
    const mine = { name: 'mine', phone: '', sort: 2, remark: undefined, kept: 'own' }
    const theirs = { name: 'theirs', phone: '123', sort: 2, remark: 'said', kept: 'k' }
    expect(mergeRemote(base, mine, theirs)).toEqual({ followed: ['phone', 'remark'], differing: ['name'] })
  })

  it('ignores fields that the form or the row does not have', () => {
    expect(mergeRemote({ a: 1, b: 1 }, { a: 1, c: 1 }, { a: 1, b: 2 })).toEqual({ followed: [], differing: [] })
  })

  it('treats differently written empty values and other orders of a choice as equal', () => {
    expect([undefined, '', []].every((item) => isSame(item, null))).toBe(true)
    expect(isSame([2, 1], [1, 2])).toBe(true)
    expect(isSame(['b', 'a'], ['a', 'b'])).toBe(false)
    expect(isSame(0, null) || isSame(false, null)).toBe(false)
  })

  it('treats rows that differ only in how they are empty as equal', () => {
    const read = [{ id: 7, name: 'a', note: null, tags: [] }]
    expect(isSame([{ name: 'a', note: '', id: 7 }], read)).toBe(true)
    expect(isSame([{ id: 7, name: 'a', note: 'said' }], read)).toBe(false)
    expect(isSame([{ id: 7 }, {}], [{ id: 7 }])).toBe(false)
    expect(isSame({ at: new Date(0) }, { at: new Date(1) })).toBe(false)
  })

  it('reads the row of an error in the terms of the form', () => {
    const data = { current: { version: 3, parentId: null } }
    const stale = new ApiError({ code: codes.stale.code, msg: '', data })
    expect([isStale(stale), currentRowOf(stale)]).toEqual([true, data.current])
    const gone = new ApiError({ code: codes.notFound.code, msg: '' })
    expect([isStale(gone), currentRowOf(gone)]).toEqual([false, undefined])
    const Row = z.strictObject({ version: z.int(), parentId: z.int().nullable() })
    const reading = readAs(Row, (row) => ({ parentId: row.parentId ?? 0 }))
    expect(reading(data.current)).toEqual({ of: Row, version: 3, values: { parentId: 0 } })
    expect(reading({ version: 'x' })).toBeUndefined()
  })
})
