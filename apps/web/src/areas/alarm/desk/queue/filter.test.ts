import { describe, expect, it } from 'vitest'
import { type Filter, applyFilter, isFiltering, noFilter, parseFilter, matchesFilter, schoolsOf } from './filter.ts'

type Row = Parameters<typeof matchesFilter>[1] & { id: number }

const row = (id: number, given: Partial<Row> = {}): Row => ({
  id,
  state: 'NEW',
  level: 1,
  class: 'PANIC',
  mode: 'LIVE',
  schoolId: 1,
  ...given,
})
const filter = (given: Partial<Filter>): Filter => ({ ...noFilter, ...given })

describe('the filter of the desk', () => {
  const list = [row(3, { level: 2 }), row(1), row(2, { mode: 'TEST', schoolId: 2 }), row(4, { state: 'CLAIMED' })]

  it('keeps the order of the server', () => {
    expect(applyFilter(list, noFilter)).toEqual({ shown: list, hidden: 0 })
    expect(applyFilter(list, filter({ state: ['NEW'] })).shown.map(({ id }) => id)).toEqual([3, 1, 2])
  })

  it('counts the hidden records', () => {
    expect(applyFilter(list, filter({ level: ['2'] })).hidden).toBe(3)
    expect(applyFilter(list, filter({ schoolId: [2] })).hidden).toBe(3)
  })

  it('combines all criteria, each with any of its chosen values', () => {
    expect(matchesFilter(filter({ level: ['1'], mode: ['TEST'] }), row(1))).toBe(false)
    expect(matchesFilter(filter({ mode: ['TEST', 'LIVE'] }), row(1))).toBe(true)
    expect(matchesFilter(filter({ class: ['FIRE'] }), row(1))).toBe(false)
  })

  it('reports whether it hides any record', () => {
    expect(isFiltering(noFilter)).toBe(false)
    expect(isFiltering(filter({ mode: ['DRILL'] }))).toBe(true)
  })

  it('is stored, and ignored when it is invalid', () => {
    const kept = filter({ level: ['1', '2'], schoolId: [7] })
    expect(parseFilter(JSON.stringify(kept))).toEqual(kept)
    for (const broken of [null, '', '{', '[]', '{"level":["9"]}']) expect(parseFilter(broken)).toEqual(noFilter)
  })

  it('offers the schools of the queue, and chosen ones without open records', () => {
    const rows = [
      { schoolId: 2, schoolName: '乙校' },
      { schoolId: 2, schoolName: '乙校' },
      { schoolId: null, schoolName: null },
    ]
    expect(schoolsOf(rows, [9]).map(({ value }) => value)).toEqual(expect.arrayContaining([2, 9]))
    expect(schoolsOf(rows, [9])).toHaveLength(2)
  })
})
