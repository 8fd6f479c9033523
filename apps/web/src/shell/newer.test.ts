import { describe, expect, it } from 'vitest'
import { entryOf } from './newer.ts'

describe('the entry of a page', () => {
  it('is the last module script, which names all others by their hashes', () => {
    const html =
      '<head><script>document.documentElement</script><link rel="modulepreload" href="/assets/react-1.js">' +
      '<script type="module" crossorigin src="/assets/runtime-1.js"></script>' +
      '<script type="module" crossorigin src="/assets/index-aB3.js"></script></head>'
    expect(entryOf(html)).toBe('/assets/index-aB3.js')
  })

  it('is unknown in what is no such page, as the page of a proxy', () => {
    expect(entryOf('<script src="/x.js"></script><p>502</p>')).toBeUndefined()
    expect(entryOf('')).toBeUndefined()
  })
})
