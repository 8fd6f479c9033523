import { codes } from '@tocsin/contract/codes'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { ApiError } from '#api/error.ts'
import { mergeRemote, currentRowOf, isSame, isStale, readAs } from './remote-row.ts'

describe('what somebody else saved meanwhile', () => {
  it('is taken where nothing was changed here, and told apart where both did', () => {
    const base = { name: 'a', phone: null, sort: 1, remark: '', kept: 'k' }
    const mine = { name: 'mine', phone: '', sort: 2, remark: undefined, kept: 'own' }
    const theirs = { name: 'theirs', phone: '123', sort: 2, remark: 'said', kept: 'k' }
    expect(mergeRemote(base, mine, theirs)).toEqual({ followed: ['phone', 'remark'], differing: ['name'] })
  })

  it('leaves alone what the form does not have, and what the row does not', () => {
    expect(mergeRemote({ a: 1, b: 1 }, { a: 1, c: 1 }, { a: 1, b: 2 })).toEqual({ followed: [], differing: [] })
  })

  it('is the same when empty in another way, or chosen in another order', () => {
    expect([undefined, '', []].every((one) => isSame(one, null))).toBe(true)
    expect(isSame([2, 1], [1, 2])).toBe(true)
    expect(isSame(['b', 'a'], ['a', 'b'])).toBe(false)
    expect(isSame(0, null) || isSame(false, null)).toBe(false)
  })

  it('is the same where only rows that belong to it are empty in another way', () => {
    const read = [{ id: 7, name: 'a', note: null, tags: [] }]
    expect(isSame([{ name: 'a', note: '', id: 7 }], read)).toBe(true)
    expect(isSame([{ id: 7, name: 'a', note: 'said' }], read)).toBe(false)
    expect(isSame([{ id: 7 }, {}], [{ id: 7 }])).toBe(false)
    expect(isSame({ at: new Date(0) }, { at: new Date(1) })).toBe(false)
  })

  it('is read from the refusal that carries it, as the form has it', () => {
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
