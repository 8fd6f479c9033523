import { codes } from '@tocsin/contract/codes'
import type { CodegenFile, CodegenFullDetail, DbTable } from '@tocsin/contract/codegen/codegen'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, errorFields } from '../../../test/admin-server.ts'
import { editOf } from '../../../test/codegen-edit.ts'
import { codegenRoutes } from './routes.ts'

let admin: AdminServer
let owner: pg.Pool
beforeAll(async () => {
  admin = await startAdminServer((db) => codegenRoutes({ db }))
  owner = new pg.Pool({ ...admin.database.owner, max: 1 })
})
afterAll(async () => {
  await owner.end()
  await admin.end()
})

const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  admin.call(method, `/infra/codegen/${path}`, body)
const make = (name: string, columns: string) =>
  owner.query(
    `create table ${name} (id bigint generated always as identity primary key, label varchar(20), ${columns})`,
  )
const importOne = async (name: string) => {
  const { code, data } = await call('POST', 'create-list', { tableNames: [name] })
  expect(code).toBe(200)
  return Number((data as unknown as number[])[0])
}

it('imports decimals that a number can represent with their digits and limits, and searches them exactly', async () => {
  await make(
    'trial_fee_plan',
    'price numeric(10,2) not null default 0, rate numeric(15,6), share numeric(3,3), head numeric(4), user_id bigint references users',
  )
  const id = await importOne('trial_fee_plan')
  const before = (await call('GET', `detail?tableId=${id}`)).data as unknown as CodegenFullDetail
  expect(before.columns.slice(1, 3)).toMatchObject([
    { columnName: 'price', dataType: 'numeric(10,2)', kind: 'FLOAT', formType: 'NUMBER', queryType: 'EQ', preset: '0' },
    { columnName: 'rate', dataType: 'numeric(15,6)', kind: 'FLOAT', nullable: true },
  ])
  const named = editOf(before, {}, ({ columnName }) => (columnName === 'user_id' ? { inQuery: true } : {}))
  expect(errorFields(await call('PUT', 'update', named))).toEqual(['columns.5.inQuery'])
  const span = { inQuery: true, queryType: 'BETWEEN' }
  const searched = editOf(before, {}, ({ columnName }) => (/price|head/.test(columnName) ? span : {}))
  expect((await call('PUT', 'update', searched)).code).toBe(200)
  const files = (await call('GET', `preview?tableId=${id}`)).data as unknown as CodegenFile[]
  const code = (ending: string) => files.find(({ filePath }) => filePath.endsWith(ending))?.code
  const contract = files.find(({ filePath }) => filePath.includes('contract/src'))?.code
  for (const schema of [
    'z.number().min(-99_999_999.99).max(99_999_999.99).multipleOf(0.01)',
    'z.number().min(-999_999_999.999999).max(999_999_999.999999).multipleOf(0.000001).nullable()',
    'z.number().min(-0.999).max(0.999).multipleOf(0.001).nullable()',
    'z.int().min(-9_999).max(9_999).nullable()',
    'queryNumber(-99_999_999.99, 99_999_999.99).optional()',
    'queryInt(-9_999, 9_999).optional()',
  ])
    expect(contract).toContain(schema)
  expect(code('_trial_fee_plan.sql')).toContain('  "price" numeric(10,2) not null default 0,')
})

describe('a decimal with too many digits', () => {
  const types = ['numeric', 'numeric(16,2)', 'numeric(15,7)', 'numeric(20,8)']
  const nameOf = (type: string) => `trial_fee_of${type.replaceAll(/\D/g, '_').replaceAll('_', 'x')}`
  let listed: DbTable[]
  beforeAll(async () => {
    for (const type of types) await make(nameOf(type), `price ${type}`)
    listed = (await call('GET', 'db/table/list?name=trial_fee_of')).data as unknown as DbTable[]
  })

  it.each(types)('%s may hold more than a number of JSON carries, and says so', async (type) => {
    const name = nameOf(type)
    const found = listed.find((table) => table.name === name)
    expect(found).toMatchObject({ problem: 'DIGITS', detail: `price ${type}` })
    const refused = await call('POST', 'create-list', { tableNames: [name] })
    expect(refused.code).toBe(codes.codegenDigits.code)
  })
})

it('parses a decimal as a number', async () => {
  await make('trial_fee_paid', 'price numeric(15,6)')
  await owner.query('grant select on trial_fee_paid to public')
  await owner.query('insert into trial_fee_paid (price) values (999999999.999999), (0.000001), (null)')
  const { rows } = await admin.pool.query('select price from trial_fee_paid order by id')
  expect(rows).toEqual([{ price: 999_999_999.999999 }, { price: 0.000001 }, { price: null }])
})
