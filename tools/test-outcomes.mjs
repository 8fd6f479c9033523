// Builtins of Node 20 only, like install.mjs.
import { relative } from 'node:path'

/** Stands for what fails in a file outside of its tests. */
const FILE = '(file)'

const firstLines = (text) => text.split('\n').slice(0, 12).join('\n    ')

const listTests = ({ status, message, assertionResults }) => {
  const tests = assertionResults.map((test) => ({
    title: test.fullName,
    isPassed: test.status === 'passed',
    message: test.status === 'failed' ? test.failureMessages.join('\n') : `${test.status}, which counts as failed`,
  }))
  const isBroken = status === 'failed' && tests.every((test) => test.isPassed)
  return [...tests, { title: FILE, isPassed: !isBroken, message }]
}

/** Collects the results of several runs of the same tests from vitest's JSON reports, whose paths begin with `root`. */
export const createOutcomes = (root) => {
  const outcomes = new Map()

  const add = ({ testResults }) => {
    for (const file of testResults) {
      for (const { title, isPassed, message } of listTests(file)) {
        const path = relative(root, file.name)
        const key = `${path}: ${title}`
        const outcome = outcomes.get(key) ?? { path, title, isPassed: false, failures: [] }
        if (isPassed) outcome.isPassed = true
        else outcome.failures.push(firstLines(message))
        outcomes.set(key, outcome)
      }
    }
  }

  const failed = () => [...outcomes.values()].filter(({ isPassed }) => !isPassed)
  const passed = () => [...outcomes.values()].filter(({ isPassed }) => isPassed)
  const describe = ({ path, title, failures }) => `${path}: ${title}\n    ${failures.join('\n    ')}`

  return {
    add,
    /** Files with a test that has not passed in any run. */
    failedFiles: () => [...new Set(failed().map(({ path }) => path))],
    /** Counts each test once: a test that failed in one run and passed in another is unstable, not failed. */
    summarize: () => ({
      passed: passed().filter(({ title }) => title !== FILE).length,
      failed: failed().map(describe),
      unstable: passed()
        .filter(({ failures }) => failures.length > 0)
        .map(describe),
    }),
  }
}
