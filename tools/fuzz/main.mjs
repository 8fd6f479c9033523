// npm run fuzz [-- --cases N] [--seed S]: bad input to every call, as much of it as is wanted. Builtins of Node 20 only.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkout, environment, install, node, refuse } from '../install.mjs'

const options = { cases: { type: 'string', default: '300' }, seed: { type: 'string' } }
const usage = 'Usage: npm run fuzz [-- --cases N] [--seed S], N cases for each operation'

const read = () => {
  try {
    return parseArgs({ options }).values
  } catch {
    return refuse(usage)
  }
}

const { cases, seed = randomBytes(6).toString('hex') } = read()
if (!/^[1-9]\d{0,6}$/.test(cases)) refuse(usage)
install()
console.log(`${cases} cases for each operation; the same ones again: npm run fuzz -- --cases ${cases} --seed ${seed}`)
const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', 'tools/fuzz'], {
  cwd: checkout,
  stdio: 'inherit',
  env: { ...environment, FUZZ_CASES: cases, FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
