import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Generated, ofProduct, openGenerated } from '../apps/server/test/generated.ts'

// What the code generator gives must pass what any slice passes, whatever the comments of the database say.

let generated: Generated
beforeAll(async () => {
  generated = await openGenerated()
}, 180_000)
afterAll(() => generated.close())

const patience = { timeout: 600_000 }
const own = [
  'apps/server/src/areas/school/trial-pass/trial-pass.test.ts',
  'apps/server/src/areas/system/trial-zone/trial-zone.test.ts',
  'apps/server/src/areas/system/trial-order/trial-order.test.ts',
  ...Object.values(ofProduct).map((entity) => {
    const name = entity.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    return `apps/server/src/areas/system/${name}/${name}.test.ts`
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
  'apps/server/src/areas/codegen/codegen.test.ts',
  'apps/server/src/areas/codegen/templates/server/crud-module.test.ts',
  'apps/web/src/texts/audit-labels.test.ts',
]

test('generated slices are formatted, and pass the linter', async () => {
  const { run, paths } = generated
  const sources = paths.filter((path) => /\.tsx?$/.test(path))
  expect(await run('biome', ['format', ...sources])).toBe('')
  expect(await run('oxlint', ['--deny-warnings', ...sources])).toBe('')
})

// At once, because each of them reads the whole product first.
test('they pass the types, the tests about the repository, and their own, in the browser too', patience, async () => {
  const { run } = generated
  expect(await run('node', ['tools/openapi.ts'])).toBe('')
  const about = ['structure', 'sizes', 'schema', 'contract'].map((name) => `tools/${name}.test.ts`)
  const projects = ['unit', 'server', 'browser'].flatMap((name) => ['--project', name])
  const [types, tests] = await Promise.all([
    run('tsc', ['-p', 'tsconfig.json']),
    run('vitest', ['run', ...projects, ...own, ...about]),
  ])
  expect(types).toBe('')
  expect(tests).toBe('')
})

test('they carry the comments of the database as text and nothing else', async () => {
  const contract = (await import(join(generated.copy, 'packages/contract/src/school/trial-pass.ts'))) as {
    TrialPass: { shape: Record<string, { meta: () => { title: string } }> }
  }
  const title = (name: string) => contract.TrialPass.shape[name]?.meta().title
  expect(title('fullName')).toBe('访客*/ ${process.exit')
  expect(title('class')).toBe("*/ it's ${1} \\")
  expect(title('order')).toBe('"')
})
