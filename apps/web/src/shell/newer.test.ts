import { describe, expect, it } from 'vitest'
import { entryOf } from './newer.ts'

describe('the entry of a page', () => {
  it('is what the page says', () => {
    const html = '<head><script src="/a.js"></script><meta name="entry" content="/assets/index-aB3.js"></head>'
    expect(entryOf(html)).toBe('/assets/index-aB3.js')
  })

  it('is unknown in what is no such page, as the page of a proxy', () => {
    expect(entryOf('<script src="/x.js"></script><p>502</p>')).toBeUndefined()
    expect(entryOf('')).toBeUndefined()
  })
})
