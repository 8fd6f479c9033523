import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Generated, openGenerated } from '../apps/server/test/generated.ts'

// Generated code must pass all checks of handwritten code, whatever the database comments contain.

let generated: Generated
beforeAll(async () => {
  generated = await openGenerated()
}, 180_000)
afterAll(() => generated.close())

const patience = { timeout: 600_000 }
/** The tests of the repository about what an entity registers. */
const about = [
  ...['structure', 'sizes', 'schema', 'contract'].map((name) => `tools/${name}.test.ts`),
  'apps/server/src/areas/codegen/allow.test.ts',
  'apps/server/test/spec/calls.test.ts',
  'apps/server/test/spec/rows.test.ts',
  'apps/web/src/texts/audit-labels.test.ts',
]

test('is formatted and accepted by the linter', async () => {
  const { run, paths } = generated
  const sources = paths.filter((path) => /\.tsx?$/.test(path))
  expect(await run('biome', ['format', ...sources])).toBe('')
  expect(await run('oxlint', ['--deny-warnings', ...sources])).toBe('')
})

// In one run, because each of them reads the whole project first.
test('passes the types, the repository tests and its own tests', patience, async () => {
  const { run, paths } = generated
  const own = paths.filter((path) => path.endsWith('.test.ts') && path.includes('/trial-'))
  expect(own.length).toBeGreaterThan(10)
  expect(await run('node', ['tools/openapi.ts'])).toBe('')
  expect(await run('tsc', ['-p', 'tsconfig.json', '--checkers', '1'])).toBe('')
  // Starting a process for each of these short files would take longer than most of them.
  const projects = ['unit', 'server'].flatMap((name) => ['--project', name])
  expect(await run('vitest', ['run', '--no-isolate', ...projects, ...own, ...about])).toBe('')
})

test('opens its screens in the browser', patience, async () => {
  expect(await generated.run('vitest', ['run', '--project', 'smoke', 'e2e/console.smoke.ts'])).toBe('')
})

test('includes database comments only as text', async () => {
  // A full folder puts the module into a subfolder, so the path is looked up.
  const path = generated.paths.find((name) => name.startsWith('packages/contract/') && name.endsWith('/trial-pass.ts'))
  if (!path) throw new Error('the contract of trial_pass is missing')
  const contract = (await import(join(generated.copy, path))) as {
    TrialPass: { shape: Record<string, { meta: () => { title: string } }> }
  }
  const title = (name: string) => contract.TrialPass.shape[name]?.meta().title
  expect(title('fullName')).toBe('访客*/ ${process.exit')
  expect(title('class')).toBe("*/ it's ${1} \\")
  expect(title('order')).toBe('"')
})
