// Builtins of Node 20 only, like install.mjs.
import { relative } from 'node:path'

/** Stands for what fails in a file outside of its tests. */
const FILE = '(file)'

const firstLines = (text) => text.split('\n').slice(0, 12).join('\n    ')

/** Tests of a file may share a title: each counts. */
const numberTitles = (tests) => {
  const counts = new Map()
  return tests.map((test) => {
    const count = (counts.get(test.title) ?? 0) + 1
    counts.set(test.title, count)
    return count === 1 ? test : { ...test, title: `${test.title} (${count})` }
  })
}

/** The tests of a file, and the file itself: failed when it has an error outside of its tests. */
const listResults = ({ status, message, assertionResults }) => {
  const tests = assertionResults.map((test) => ({
    title: test.fullName,
    isPassed: test.status === 'passed',
    message: test.status === 'failed' ? test.failureMessages.join('\n') : `${test.status}, which counts as failed`,
  }))
  const hasFailedTest = assertionResults.some((test) => test.status === 'failed')
  const isBroken = status !== 'passed' && (message !== '' || !hasFailedTest)
  return [{ title: FILE, isPassed: !isBroken, message }, ...numberTitles(tests)]
}

/** Collects the results of several runs of the same tests from vitest's JSON reports, whose paths begin with `root`. */
export const createOutcomes = (root) => {
  const outcomes = new Map()

  const add = ({ testResults }) => {
    let failures = 0
    for (const file of testResults) {
      for (const { title, isPassed, message } of listResults(file)) {
        const path = relative(root, file.name)
        const key = `${path}: ${title}`
        const outcome = outcomes.get(key) ?? { path, title, isPassed: false, failures: [] }
        if (isPassed) outcome.isPassed = true
        else {
          failures += 1
          outcome.failures.push(firstLines(message))
        }
        outcomes.set(key, outcome)
      }
    }
    return failures
  }

  const failed = () => [...outcomes.values()].filter(({ isPassed }) => !isPassed)
  const passed = () => [...outcomes.values()].filter(({ isPassed }) => isPassed)
  const describe = ({ path, title, failures }) => `${path}: ${title}\n    ${failures.join('\n    ')}`

  return {
    /** Returns how many failures the report has. */
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
