import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lazyTexts } from './lazy-texts.ts'
import { enumLabel } from './enum-labels.ts'
import { texts } from './texts.ts'
import { pickLanguage, type Topic } from './topic.ts'

const topics: Record<string, Topic> = { ...texts, ...lazyTexts }

const src = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: src }).filter((file) => !/^(texts|login)/.test(file))
const code = files.map((file) => readFileSync(join(src, file), 'utf8'))

const all = code.join('\n')

/** The code names a key as a whole, or builds it from the topic, `list.${unit}`, and the quoted key. */
const isUsed = (topic: string, key: string) =>
  all.includes(`'${topic}.${key}'`) || (all.includes(`\`${topic}.\${`) && all.includes(`'${key}'`))

const pairs = Object.entries(topics).flatMap(([name, topic]) =>
  Object.entries(topic).map(([key, pair]) => ({ name, key, pair })),
)
const namesOf = (wrong: typeof pairs) => wrong.map(({ name, key }) => `${name}.${key}`)

describe('the texts', () => {
  it('have words in both languages for each key', () => {
    const lacking = pairs.filter(({ pair }) => pair.length !== 2 || pair.some((text) => text.trim() === ''))
    expect(namesOf(lacking)).toEqual([])
    expect(pairs.length).toBeGreaterThan(900)
  })

  it('use the words of the trade, and none that they replaced', () => {
    const replaced =
      /预警|认领|现场已恢复|处置过程|核实等级|审核关闭|审核退回|转派|语音求救|医疗求助|无声报警|设备健康|设备台账|维护单|将失效|释放|员工/
    const sources = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'))
    const lines = sources.flatMap((file) => readFileSync(join(import.meta.dirname, file), 'utf8').split('\n'))
    expect(lines.length).toBeGreaterThan(900)
    expect(lines.filter((line) => replaced.test(line))).toEqual([])
  })

  it('are all used by the application', () => {
    expect(namesOf(pairs.filter(({ name, key }) => !isUsed(name, key)))).toEqual([])
  })

  it('name the same placeholders in both languages', () => {
    const placeholders = (text: string) =>
      [...text.matchAll(/\{(\w+)[,}]/g)]
        .map(([, found]) => found)
        .toSorted()
        .join()
    const differing = pairs.filter(({ pair: [zh, en] }) => placeholders(zh) !== placeholders(en))
    expect(namesOf(differing)).toEqual([])
  })

  it('reach the console in one module of each language', async () => {
    const [zh, en] = await Promise.all([import('./texts.ts?zh-cn'), import('./texts.ts?en')])
    expect([zh.texts, en.texts]).toEqual([pickLanguage(texts, 'zh-cn'), pickLanguage(texts, 'en')])
  })

  it('show a value without a label as it came', () => {
    expect([enumLabel('recordState', 'NEW', 'en'), enumLabel('recordState', 'LATER', 'zh-cn')]).toEqual([
      'Unclaimed',
      'LATER',
    ])
  })
})
