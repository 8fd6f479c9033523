import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fetchScripts } from './fetch-scripts.ts'

let isOnline = true
const asked: string[] = []

beforeAll(() => {
  vi.stubGlobal('document', { querySelector: (text: string) => (text.includes('/assets/start.js') ? {} : null) })
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    if (!isOnline) throw new TypeError('Failed to fetch')
    return new Response('')
  })
})
beforeEach(() => void asked.splice(0))
afterAll(() => vi.unstubAllGlobals())

/** A function with the text that the bundler writes. */
const importing = (name: string) => Object.assign(() => undefined, { toString: () => `()=>import(\`./${name}.js\`)` })

it('fetches a script again when it failed before, and once when it succeeded', async () => {
  isOnline = false
  await expect(fetchScripts(importing('page-a'), [])).rejects.toThrow('Unable to preload /assets/page-a.js')
  isOnline = true
  for (let time = 0; time < 2; time += 1) await fetchScripts(importing('page-a'), [])
  expect(asked).toEqual(['/assets/page-a.js', '/assets/page-a.js'])
})

it('fetches the scripts that an import needs, but neither styles nor what the page began with', async () => {
  const files = ['/assets/page-b.js', '/assets/part-b.js', '/assets/part-b.css', '/assets/start.js']
  await fetchScripts(importing('page-b'), files)
  expect(asked).toEqual(['/assets/page-b.js', '/assets/part-b.js'])
})
