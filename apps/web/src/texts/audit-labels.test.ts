import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@tocsin/contract/all'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { enumValues } from './enum-labels.ts'

/** Calls that write an audit row: edits, also refused ones, and exports. */
const leavesRow = ({ method, path, also = [] }: Endpoint): boolean =>
  [method, ...also.map((item) => item.method ?? method)].some((item) => item !== 'GET') ||
  /\/export(-later)?$/.test(path)

const called = endpoints
  .filter((endpoint) => leavesRow(endpoint) && endpoint.permission.includes(':'))
  .map((endpoint) => endpoint.permission)

/** Rows that the server writes under a name of its own, also without a call. */
const server = join(import.meta.dirname, '../../../server/src')
const code = globSync('**/*.ts', { cwd: server, exclude: (file) => file.endsWith('.test.ts') })
const written = code.flatMap((file) =>
  readFileSync(join(server, file), 'utf8')
    .split('\n')
    .filter((line) => /\baction: |\bconst ([A-Z]+|[A-Z_]+_ACTION) = /.test(line))
    .flatMap((line) => [...line.matchAll(/'([a-z]+:[a-z-]+:[a-z-]+)'/g)].map(([, action = '']) => action)),
)

const actions = [...called, ...written]
const cut = (action: string) => action.lastIndexOf(':')

describe('the filters of the operation log', () => {
  it('offer every module that can write audit rows, by its label', () => {
    const modules = new Set(actions.map((action) => action.slice(0, cut(action))))
    expect([...modules].filter((module) => !enumValues('auditModule').includes(module))).toEqual([])
    expect(modules.size).toBeGreaterThan(15)
  })

  it('offer every operation of these modules, by its label', () => {
    expect(written).toEqual(expect.arrayContaining(['system:operate-log:age', 'system:session:reuse']))
    const verbs = new Set(actions.map((action) => action.slice(cut(action) + 1)))
    expect([...verbs].filter((verb) => !enumValues('auditVerb').includes(verb))).toEqual([])
  })
})
