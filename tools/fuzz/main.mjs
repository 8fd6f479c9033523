// npm run fuzz [-- --cases N] [--seed S]: sends bad input to every call, so many cases each. Builtins of Node 20 only.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { environment, exitWithMessage, install, node, repoRoot } from '../install.mjs'

const options = { cases: { type: 'string', default: '300' }, seed: { type: 'string' } }
const usage = 'Usage: npm run fuzz [-- --cases N] [--seed S], N cases for each operation'

const read = () => {
  try {
    return parseArgs({ options }).values
  } catch {
    return exitWithMessage(usage)
  }
}

const { cases, seed = randomBytes(6).toString('hex') } = read()
if (!/^[1-9]\d{0,6}$/.test(cases)) exitWithMessage(usage)
install()
console.log(`${cases} cases for each operation; the same ones again: npm run fuzz -- --cases ${cases} --seed ${seed}`)
const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', 'tools/fuzz'], {
  cwd: repoRoot,
  stdio: 'inherit',
  env: { ...environment, FUZZ_CASES: cases, FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
