import { createConfig, lintFromString } from '@redocly/openapi-core'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openapiFile } from './openapi.ts'
import { root } from './source-tree.ts'

const source = readFileSync(openapiFile, 'utf8')

const findProblems = async (text: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['minimal'], rules: { 'operation-operationId-unique': 'error' } })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return problems.map(({ severity, message, location }) => `${severity} ${location[0]?.pointer ?? ''}: ${message}`)
}

// Inside the checkout, so that the client finds its runtime.
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'openapi-client-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('docs/openapi.json', () => {
  it('passes a validator', async () => {
    expect(await findProblems(source)).toEqual([])
  })

  it('would fail with a broken reference', async () => {
    const broken = source.replace('#/components/responses/Refusal', '#/components/responses/Missing')
    expect(await findProblems(broken)).not.toEqual([])
  })

  it('generates a client that compiles', () => {
    const client = join(folder, 'client.ts')
    execFileSync(process.execPath, [join(root, 'node_modules/oazapfts/dist/cli.js'), openapiFile, client])
    writeFileSync(
      join(folder, 'use.ts'),
      `import { getSystemUserPage } from './client.ts'\nexport const page = () => getSystemUserPage({ pageNo: 1 })\n`,
    )
    const options = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: 'es2024',
        module: 'esnext',
        moduleResolution: 'bundler',
        allowImportingTsExtensions: true,
        lib: ['es2024', 'dom', 'dom.iterable'],
        types: [],
      },
      include: ['*.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'pipe', encoding: 'utf8' })
  })
})
