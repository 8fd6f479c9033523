// npm test, npm run test:all, npm run fault; the usage is in test-options.mjs. Builtins of Node 20 only.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { findPrograms } from './find-program.mjs'
import { repoRoot, environment, install, node, exitWithMessage } from './install.mjs'
import { createOutcomes } from './test-outcomes.mjs'
import { parseOptions, USAGE } from './test-options.mjs'

const args = process.argv.slice(2)
if (args[0] === '--help') {
  console.log(USAGE)
  process.exit()
}
const options = parseOptions(args) ?? exitWithMessage(USAGE)

const tally = { passed: 0, failed: 0 }
/** Printed again at the end, because a long run is read from there. */
const failures = []
const unstable = []

const startPart = (title) => console.log(`\n── ${title}`)

const run = (command, env = {}) =>
  spawnSync(node, command, { cwd: repoRoot, stdio: 'inherit', env: { ...environment, ...env } }).status === 0

/** Runs a command that passes or fails as a whole. */
const runCheck = (title, command) => {
  startPart(title)
  const isPassed = run(command)
  tally[isPassed ? 'passed' : 'failed'] += 1
  if (!isPassed) failures.push(title)
}

/**
 * Runs the files of a project that match the patterns and adds their results. Returns whether vitest failed without a failed
 * test or file: no test found, no report, an error that belongs to none.
 */
const runVitest = (project, patterns, env, outcomes) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-report-'))
  const file = join(folder, 'report.json')
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const isSuccessful = run(['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...patterns, ...output], env)
  const failed = existsSync(file) ? outcomes.add(JSON.parse(readFileSync(file, 'utf8'))) : 0
  rmSync(folder, { recursive: true })
  return !isSuccessful && failed === 0
}

/** Kills and browsers depend on the load of the machine, so a release run repeats their failed files, each with a new server. */
const rerunnable = new Set(['fault', 'browser'])

const runProject = (project, env) => {
  startPart(`vitest ${project}`)
  const outcomes = createOutcomes(repoRoot)
  let isBroken = runVitest(project, options.pattern === undefined ? [] : [options.pattern], env, outcomes)
  const reruns = rerunnable.has(project) ? options.reruns : 0
  for (let count = 1; count <= reruns && outcomes.failedFiles().length > 0; count += 1) {
    startPart(`vitest ${project}, failed files again (${count} of ${reruns})`)
    isBroken = runVitest(project, outcomes.failedFiles(), env, outcomes) || isBroken
  }
  const result = outcomes.summarize()
  failures.push(...result.failed, ...(isBroken ? [`vitest ${project}`] : []))
  unstable.push(...result.unstable)
  tally.passed += result.passed
  tally.failed += result.failed.length + (isBroken ? 1 : 0)
}

install()
const needsBrowser = options.projects.some((project) => project === 'smoke' || project === 'browser')
const programs = findPrograms(needsBrowser ? ['mosquitto', 'chromium'] : ['mosquitto'])
buildWeb()

if (options.checks) {
  runCheck('types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--checkers', '1'])
  runCheck('lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings'])
  runCheck('format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.'])
}
const env = {
  ...programs,
  ...(options.kills && { FAULT_KILLS: options.kills }),
  ...(options.isWhole && { FUZZ_CASES: '30', TEST_WHOLE: '1' }),
}
for (const project of options.projects) runProject(project, env)

for (const text of failures) console.log(`\nfailed: ${text}`)
for (const text of unstable) console.log(`\nunstable: ${text}`)
const failed = tally.failed + (options.strict ? unstable.length : 0)
console.log(`\n${tally.passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
