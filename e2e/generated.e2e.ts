import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Generated, ofProduct, openGenerated } from '../apps/server/test/generated.ts'

// Generated code must pass all checks of handwritten modules, whatever the database comments contain.

let generated: Generated
beforeAll(async () => {
  generated = await openGenerated()
}, 180_000)
afterAll(() => generated.close())

const patience = { timeout: 600_000 }
const own = [
  'apps/server/src/areas/school/trial-pass/trial-pass.test.ts',
  'apps/server/src/areas/school/trial-zone/trial-zone.test.ts',
  'apps/server/src/areas/school/trial-order/trial-order.test.ts',
  ...Object.values(ofProduct).map((entity) => {
    const name = entity.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    return `apps/server/src/areas/school/${name}/${name}.test.ts`
  }),
  'e2e/trial-place.e2e.ts',
  'e2e/trial-record.e2e.ts',
  'e2e/trial-pass.e2e.ts',
  'e2e/trial-zone.e2e.ts',
  'e2e/trial-order.e2e.ts',
  'apps/web/src/texts/texts.test.ts',
  'apps/server/src/areas/codegen/allow.test.ts',
  'apps/server/test/spec/calls.test.ts',
  'apps/server/test/spec/rows.test.ts',
  'apps/web/src/texts/audit-labels.test.ts',
]

test('formats generated modules and passes the linter', async () => {
  const { run, paths } = generated
  const sources = paths.filter((path) => /\.tsx?$/.test(path))
  expect(await run('biome', ['format', ...sources])).toBe('')
  expect(await run('oxlint', ['--deny-warnings', ...sources])).toBe('')
})

// In one run, because each of them reads the whole project first.
test('passes the types, the repository tests, and their own tests, also in the browser', patience, async () => {
  const { run } = generated
  expect(await run('node', ['tools/openapi.ts'])).toBe('')
  const about = ['structure', 'sizes', 'schema', 'contract'].map((name) => `tools/${name}.test.ts`)
  const projects = ['unit', 'server', 'browser'].flatMap((name) => ['--project', name])
  const [types, tests] = await Promise.all([
    run('tsc', ['-p', 'tsconfig.json', '--checkers', '1']),
    // Starting a process for each of these short files would take longer than most of them.
    run('vitest', ['run', '--no-isolate', ...projects, ...own, ...about]),
  ])
  expect(types).toBe('')
  expect(tests).toBe('')
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
