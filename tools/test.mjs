// npm test [-- --quick | --only unit|fault|browser], npm run fault [-- --kills N]. Builtins of Node 20 only.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { findPrograms } from './find-program.mjs'
import { repoRoot, environment, install, node, exitWithMessage } from './install.mjs'

const groups = { unit: ['unit', 'server'], fault: ['fault'], browser: ['browser'] }

const chosen = () => {
  const [flag, name, ...more] = process.argv.slice(2)
  if (flag === undefined) return Object.keys(groups)
  if (flag === '--quick' && name === undefined) return ['unit']
  if (flag === '--only' && name in groups && more.length === 0) return [name]
  if (
    flag === '--only' &&
    name === 'fault' &&
    more[0] === '--kills' &&
    /^[1-9]\d{0,5}$/.test(more[1]) &&
    more.length === 2
  )
    return [name]
  return exitWithMessage('Usage: npm test [-- --quick | --only unit|fault|browser], or npm run fault [-- --kills N]')
}

/** How often a fault test kills a server; the other faults scale with it. */
const kills = process.argv[4] === '--kills' ? { FAULT_KILLS: process.argv[5] } : {}

const tally = { passed: 0, failed: 0 }
/** Failures, printed again at the end, because a long run is read from there. */
const failures = []

const started = (title) => console.log(`\n── ${title}`)

const run = (args, env = {}) =>
  spawnSync(node, args, { cwd: repoRoot, stdio: 'inherit', env: { ...environment, ...env } }).status === 0

/** A command that passes or fails as a whole. */
const check = (title, args) => {
  started(title)
  const succeeded = run(args)
  tally[succeeded ? 'passed' : 'failed'] += 1
  if (!succeeded) failures.push(title)
}

/** The failed tests of a file with their first lines, or the file's own error outside of its tests. */
const describeFailures = ({ name, message, assertionResults }) => {
  const at = relative(repoRoot, name)
  const tests = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${at}: ${test.fullName}\n${test.failureMessages.join('\n')}`)
  return (tests.length > 0 ? tests : [`${at}: ${message}`]).map((text) => text.split('\n').slice(0, 12).join('\n    '))
}

const countReport = (report, succeeded) => {
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const skipped = numPendingTests + numTodoTests
  if (skipped > 0) console.log(`${skipped} tests were skipped, which counts as failed.`)
  failures.push(...testResults.filter(({ status }) => status === 'failed').flatMap(describeFailures))
  const failed = numFailedTests + skipped + broken.length
  // Vitest can also fail by itself: no test found, an error outside of all tests.
  return { passed: numPassedTests, failed: failed || (succeeded ? 0 : 1) }
}

const vitest = (project, env) => {
  started(`vitest ${project}`)
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-report-'))
  const report = join(folder, 'report.json')
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const succeeded = run(['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...output], env)
  const { passed, failed } = countReport(report, succeeded)
  if (!succeeded) failures.push(`vitest ${project}`)
  tally.passed += passed
  tally.failed += failed
  rmSync(folder, { recursive: true })
}

const wanted = chosen()
install()
const programs = findPrograms(wanted.includes('browser') ? ['mosquitto', 'chromium'] : ['mosquitto'])
buildWeb()

if (wanted.includes('unit')) {
  check('types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--checkers', '1'])
  check('lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings'])
  check('format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.'])
}
for (const project of wanted.flatMap((group) => groups[group])) vitest(project, { ...programs, ...kills })

for (const failure of failures) console.log(`\nfailed: ${failure}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 ? 1 : 0
