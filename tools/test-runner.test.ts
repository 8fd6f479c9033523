import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './source-tree.ts'

type Options = { checks: boolean; projects: string[]; reruns: number; strict: boolean }
type AssertionResult = { fullName: string; status: string; failureMessages: string[] }
type FileResult = { name: string; status: string; message: string; assertionResults: AssertionResult[] }
type Outcomes = {
  add: (report: { testResults: FileResult[] }) => number
  failedFiles: () => string[]
  summarize: () => { passed: number; failed: string[]; unstable: string[] }
}

// The runner is plain JavaScript, because it runs before anything is installed.
const load = (file: string): Promise<unknown> => import(join(root, file))
const { parseOptions } = (await load('tools/test-options.mjs')) as {
  parseOptions: (args: string[]) => Options | undefined
}
const { createOutcomes } = (await load('tools/test-outcomes.mjs')) as { createOutcomes: (path: string) => Outcomes }

describe('parseOptions', () => {
  it('runs checks, unit, server and smoke tests once when nothing is asked for', () => {
    const gate = { checks: true, projects: ['unit', 'server', 'smoke'], reruns: 0, strict: false }
    expect(parseOptions([])).toEqual(gate)
  })

  it('runs everything and repeats failed browser and fault tests twice for a release', () => {
    const projects = ['unit', 'server', 'smoke', 'fault', 'browser']
    const release = { checks: true, projects, reruns: 2, strict: false, isWhole: true }
    expect(parseOptions(['--all'])).toEqual(release)
    expect(parseOptions(['--all', '--strict'])).toEqual({ ...release, strict: true })
  })

  it('runs one part, the files of one pattern, or a number of kills', () => {
    const only = { checks: false, reruns: 0, strict: false }
    expect(parseOptions(['--only', 'browser'])).toEqual({ ...only, projects: ['browser'] })
    const pattern = 'e2e/lists'
    expect(parseOptions(['--only', 'browser', pattern])).toEqual({ ...only, projects: ['browser'], pattern })
    expect(parseOptions(['--only', 'fault', '--kills', '100'])).toEqual({ ...only, projects: ['fault'], kills: '100' })
  })

  it.each([
    ['--quick'],
    ['--only'],
    ['--only', 'all'],
    ['--only', 'unit', 'one', 'two'],
    ['--only', 'unit', '--strict'],
    ['--only', 'unit', '--kills', '3'],
    ['--only', 'fault', '--kills', '0'],
    ['--all', 'unit'],
    ['--all', '--strict', 'unit'],
  ])('rejects %s %s %s %s', (...args) => {
    expect(parseOptions(args.filter((arg) => arg !== undefined))).toBeUndefined()
  })
})

describe('createOutcomes', () => {
  const passed = (fullName: string): AssertionResult => ({ fullName, status: 'passed', failureMessages: [] })
  const failed = (fullName: string, message: string) => ({ fullName, status: 'failed', failureMessages: [message] })
  const file = (name: string, assertionResults: AssertionResult[], message = ''): FileResult => {
    const isFailed = message !== '' || assertionResults.some(({ status }) => status === 'failed')
    return { name: `/checkout/${name}`, status: isFailed ? 'failed' : 'passed', message, assertionResults }
  }
  const outcomesOf = (...runs: FileResult[][]): Outcomes => {
    const outcomes = createOutcomes('/checkout')
    for (const testResults of runs) outcomes.add({ testResults })
    return outcomes
  }

  it('counts passed tests and names each failed one with its file and message', () => {
    const outcomes = outcomesOf([
      file('e2e/a.e2e.ts', [passed('one'), failed('two', 'Timeout')]),
      file('b.ts', [passed('x')]),
    ])
    expect(outcomes.failedFiles()).toEqual(['e2e/a.e2e.ts'])
    expect(outcomes.summarize()).toEqual({ passed: 2, failed: ['e2e/a.e2e.ts: two\n    Timeout'], unstable: [] })
  })

  it('lists a test as unstable, with each failure, when it passes in a later run', () => {
    const outcomes = outcomesOf(
      [file('a.e2e.ts', [passed('one'), failed('two', 'first')])],
      [file('a.e2e.ts', [passed('one'), failed('two', 'second')])],
      [file('a.e2e.ts', [passed('one'), passed('two')])],
    )
    expect(outcomes.failedFiles()).toEqual([])
    expect(outcomes.summarize()).toEqual({
      passed: 2,
      failed: [],
      unstable: ['a.e2e.ts: two\n    first\n    second'],
    })
  })

  it('lists a test as unstable when it passes first and fails while its file runs again', () => {
    const outcomes = outcomesOf(
      [file('a.e2e.ts', [passed('one'), failed('two', 'Timeout')])],
      [file('a.e2e.ts', [failed('one', 'late'), passed('two')])],
    )
    expect(outcomes.summarize()).toMatchObject({ failed: [], unstable: [expect.any(String), expect.any(String)] })
  })

  it('counts a skipped test as failed', () => {
    const outcomes = outcomesOf([file('a.test.ts', [{ fullName: 'one', status: 'skipped', failureMessages: [] }])])
    expect(outcomes.summarize().failed).toEqual(['a.test.ts: one\n    skipped, which counts as failed'])
  })

  it('counts a file that fails outside of its tests as one failed test, unstable when it loads later', () => {
    const broken = file('a.e2e.ts', [], 'no server')
    expect(outcomesOf([broken]).summarize()).toEqual({
      passed: 0,
      failed: ['a.e2e.ts: (file)\n    no server'],
      unstable: [],
    })
    const { failed: stillFailed, unstable } = outcomesOf([broken], [file('a.e2e.ts', [passed('one')])]).summarize()
    expect([stillFailed, unstable]).toEqual([[], ['a.e2e.ts: (file)\n    no server']])
  })

  it('counts each of two tests with one title', () => {
    const outcomes = createOutcomes('/checkout')
    const results = [passed('one'), failed('one', 'wrong'), passed('one')]
    expect(outcomes.add({ testResults: [file('a.test.ts', results)] })).toBe(1)
    expect(outcomes.failedFiles()).toEqual(['a.test.ts'])
    expect(outcomes.summarize()).toEqual({ passed: 2, failed: ['a.test.ts: one (2)\n    wrong'], unstable: [] })
  })

  it('keeps the error of a file beside those of its tests, until the file has none', () => {
    const closing = 'the server did not stop'
    const both = file('a.e2e.ts', [failed('one', 'Timeout')], closing)
    const stillBroken = outcomesOf([both], [file('a.e2e.ts', [passed('one')], closing)])
    expect(stillBroken.failedFiles()).toEqual(['a.e2e.ts'])
    expect(stillBroken.summarize().failed).toEqual([`a.e2e.ts: (file)\n    ${closing}\n    ${closing}`])
    expect(outcomesOf([both], [file('a.e2e.ts', [passed('one')])]).summarize().failed).toEqual([])
  })

  it('names the cause when tests were skipped because their file could not begin', () => {
    const skipped = { fullName: 'one', status: 'skipped', failureMessages: [] }
    expect(outcomesOf([file('a.e2e.ts', [skipped], 'no database')]).summarize().failed).toEqual([
      'a.e2e.ts: (file)\n    no database',
      'a.e2e.ts: one\n    skipped, which counts as failed',
    ])
  })

  it('keeps the first twelve lines of a message', () => {
    const message = Array.from({ length: 30 }, (_, no) => `line ${no}`).join('\n')
    const [text = ''] = outcomesOf([file('a.ts', [failed('one', message)])]).summarize().failed
    expect(text.split('\n')).toHaveLength(13)
  })
})
