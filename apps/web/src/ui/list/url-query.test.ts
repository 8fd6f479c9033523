import { describe, expect, it } from 'vitest'
import { pageInstead } from './url-query.ts'

describe('pageInstead', () => {
  it('names the last page when the last row of a page was deleted', () => {
    expect(pageInstead({ list: [], total: 20 }, { pageNo: 3, pageSize: 10 })).toBe(2)
  })

  it('names the last page when the number is out of range', () => {
    expect(pageInstead({ list: [], total: 21 }, { pageNo: 900, pageSize: 10 })).toBe(3)
  })

  it('names no page when there are rows on this one, or none at all', () => {
    expect(pageInstead({ list: [1], total: 21 }, { pageNo: 3, pageSize: 10 })).toBeUndefined()
    expect(pageInstead({ list: [], total: 0 }, { pageNo: 5, pageSize: 10 })).toBeUndefined()
  })

  it('names no other page when rows of the last page were deleted while they were counted', () => {
    expect(pageInstead({ list: [], total: 21 }, { pageNo: 3, pageSize: 10 })).toBeUndefined()
  })
})
