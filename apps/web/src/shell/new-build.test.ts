import { describe, expect, it } from 'vitest'
import { buildIdOf } from './new-build.ts'

describe('the entry of a page', () => {
  it('is read from the meta tag of the page', () => {
    const html = '<head><script src="/a.js"></script><meta name="entry" content="/assets/index-aB3.js"></head>'
    expect(buildIdOf(html)).toBe('/assets/index-aB3.js')
  })

  it('is undefined for another page, such as the error page of a proxy', () => {
    expect(buildIdOf('<script src="/x.js"></script><p>502</p>')).toBeUndefined()
    expect(buildIdOf('')).toBeUndefined()
  })
})
