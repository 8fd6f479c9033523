import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Generated, openGenerated } from '../apps/server/test/generated.ts'

// What the code generator gives must pass what any slice passes, whatever the comments of the database say.

let generated: Generated
beforeAll(async () => {
  generated = await openGenerated()
}, 180_000)
afterAll(() => generated.close())

const SLICES = [
  'apps/server/src/areas/school/gate-pass/gate-pass.test.ts',
  'apps/server/src/areas/system/gate-zone/gate-zone.test.ts',
  'apps/server/src/areas/system/gate-order/gate-order.test.ts',
]

describe('generated slices', () => {
  it('are formatted, and pass the linter', async () => {
    const { run, paths } = generated
    const sources = paths.filter((path) => /\.tsx?$/.test(path))
    expect(await run('biome', ['format', ...sources])).toBe('')
    expect(await run('oxlint', ['--deny-warnings', ...sources])).toBe('')
  })

  it('pass the types, the tests about the repository, and their own', { timeout: 300_000 }, async () => {
    const { run } = generated
    expect(await run('node', ['tools/openapi.ts'])).toBe('')
    const about = ['structure', 'sizes', 'schema', 'contract'].map((name) => `tools/${name}.test.ts`)
    const [types, tests] = await Promise.all([
      run('tsc', ['-p', 'tsconfig.json']),
      run('vitest', ['run', ...SLICES, ...about, 'apps/web/src/texts/texts.test.ts']),
    ])
    expect(types).toBe('')
    expect(tests).toBe('')
  })

  it('carry the comments of the database as text and nothing else', async () => {
    const contract = (await import(join(generated.copy, 'packages/contract/src/school/gate-pass.ts'))) as {
      GatePass: { shape: Record<string, { meta: () => { title: string } }> }
    }
    const title = (name: string) => contract.GatePass.shape[name]?.meta().title
    expect(title('fullName')).toBe('访客*/ ${process.exit')
    expect(title('class')).toBe("*/ it's ${1} \\")
    expect(title('order')).toBe('"')
  })
})
