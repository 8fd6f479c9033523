import SwaggerParser from '@apidevtools/swagger-parser'
import { endpoints } from '@tocsin/contract/all'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { printOpenapi } from './openapi.ts'
import { root } from './source-tree.ts'

const source = printOpenapi(endpoints)

const findProblems = async (text: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['minimal'], rules: { 'operation-operationId-unique': 'error' } })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return problems.map(({ severity, message, location }) => `${severity} ${location[0]?.pointer ?? ''}: ${message}`)
}

// Inside of the checkout, so that the client finds its runtime.
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'openapi-client-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the OpenAPI document of all calls', () => {
  it('passes a validator', async () => {
    expect(await findProblems(source)).toEqual([])
  })

  it('is read by the parser that generators use', async () => {
    await SwaggerParser.validate(JSON.parse(source))
    const broken = source.replace('#/components/responses/Refusal', '#/components/responses/Missing')
    await expect(SwaggerParser.validate(JSON.parse(broken))).rejects.toThrow('Missing')
  })

  it('would fail with a broken reference', async () => {
    const broken = source.replace('#/components/responses/Refusal', '#/components/responses/Missing')
    expect(await findProblems(broken)).not.toEqual([])
  })

  it('generates a client that compiles', () => {
    const client = join(folder, 'client.ts')
    const document = join(folder, 'openapi.json')
    writeFileSync(document, source)
    execFileSync(process.execPath, [join(root, 'node_modules/oazapfts/dist/cli.js'), document, client])
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
