import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en as enFirst } from './en.ts'
import { lazyTexts } from './lazy-texts.ts'
import { enumLabel } from './enum-labels.ts'
import { zhCn as zhFirst } from './zh-cn.ts'

const zhCn = { ...zhFirst, ...lazyTexts['zh-cn'] }
const en = { ...enFirst, ...lazyTexts.en }

const src = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: src }).filter((file) => !/^(texts|login)/.test(file))
const code = files.map((file) => readFileSync(join(src, file), 'utf8'))

const all = code.join('\n')

/** Named whole, or put together from its area, `list.${unit}`, and its last word in quotes. */
const isUsed = (area: string, key: string) =>
  all.includes(`'${area}.${key}'`) || (all.includes(`\`${area}.\${`) && all.includes(`'${key}'`))

const keys = Object.entries(zhCn).flatMap(([area, texts]) => Object.keys(texts).map((key) => [area, key] as const))

describe('the texts', () => {
  it('have the same areas and keys in both languages', () => {
    const shape = (texts: Record<string, Record<string, string>>) =>
      Object.entries(texts).map(([area, one]) => [area, Object.keys(one).toSorted()])
    expect(shape(en)).toEqual(shape(zhCn))
  })

  it('are all used by the application', () => {
    expect(keys.filter(([area, key]) => !isUsed(area, key)).map((pair) => pair.join('.'))).toEqual([])
  })

  it('carry the same places to fill in both languages', () => {
    const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()
    // The two languages have the same areas and keys by their types.
    const other = en as Record<string, Record<string, string>>
    const differing = keys.filter(([area, key]) => {
      const zh: Record<string, string> = zhCn[area as keyof typeof zhCn]
      return places(zh[key] ?? '').join() !== places(other[area]?.[key] ?? '').join()
    })
    expect(differing).toEqual([])
  })

  it('show a word nobody translated as it came', () => {
    expect([enumLabel('recordState', 'NEW', 'en'), enumLabel('recordState', 'LATER', 'zh-cn')]).toEqual([
      'Unclaimed',
      'LATER',
    ])
  })
})
