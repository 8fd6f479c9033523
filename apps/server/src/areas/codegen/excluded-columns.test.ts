import { codes } from '@tocsin/contract/codes'
import type { CodegenFile, CodegenFullDetail, DbTable } from '@tocsin/contract/codegen/codegen'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../test/admin-server.ts'
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

const make = (name: string, columns: string) =>
  owner.query(
    `create table ${name} (id bigint generated always as identity primary key, label varchar(20), ${columns})`,
  )
const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  admin.call(method, `/infra/codegen/${path}`, body)
const detail = async (id: number) => (await call('GET', `detail?tableId=${id}`)).data as unknown as CodegenFullDetail
const importOne = async (name: string) => {
  const { code, data } = await call('POST', 'create-list', { tableNames: [name] })
  expect(code).toBe(200)
  return Number((data as unknown as number[])[0])
}
const problemOf = async (name: string) => {
  const { data } = await call('GET', `db/table/list?name=${name}`)
  return (data as unknown as DbTable[]).find((item) => item.name === name)
}

it('lists and excludes columns of documents and number lists, and generates the rest of the table', async () => {
  await make(
    'trial_seat_plan',
    "spots jsonb not null default '{}', marks int[] not null default array[]::int[], names varchar(9)[] not null default '{}'",
  )
  await owner.query("comment on column trial_seat_plan.spots is '座位'")
  const id = await importOne('trial_seat_plan')
  const { columns, leftOut } = await detail(id)
  expect(columns.map(({ columnName }) => columnName)).toEqual(['label'])
  expect(leftOut).toEqual([
    { columnName: 'spots', dataType: 'jsonb', nullable: false, preset: "'{}'", comment: '座位' },
    { columnName: 'marks', dataType: 'integer[]', nullable: false, preset: "'{}'", comment: null },
    { columnName: 'names', dataType: 'character varying(9)[]', nullable: false, preset: "'{}'", comment: null },
  ])
  expect((await call('GET', `compare?tableId=${id}`)).data).toEqual([])
  const files = (await call('GET', `preview?tableId=${id}`)).data as unknown as CodegenFile[]
  const migration = files.find(({ filePath }) => filePath.endsWith('_trial_seat_plan.sql'))
  expect(migration?.code).toContain('  "spots" jsonb not null default \'{}\',')
  const texts = files.filter(({ filePath, list }) => !list && /\.tsx$|contract/.test(filePath)).map(({ code }) => code)
  expect(texts.join()).not.toMatch(/\b(spots|marks|names)\b/)
})

it('excludes a column by the sync when it becomes one of them, and includes it with another type', async () => {
  await make('trial_seat_note', 'body text')
  const id = await importOne('trial_seat_note')
  await owner.query("alter table trial_seat_note alter body type jsonb using '{}'")
  const synced = async () => (await call('PUT', `sync-from-db?tableId=${id}`)).data as unknown as object[]
  expect(await synced()).toMatchObject([{ columnName: 'body', change: 'REMOVED' }])
  expect((await detail(id)).leftOut).toMatchObject([{ columnName: 'body' }])
  await owner.query('alter table trial_seat_note alter body type text')
  expect(await synced()).toMatchObject([{ columnName: 'body', change: 'ADDED' }])
  expect((await detail(id)).leftOut).toEqual([])
})

it('rejects a table that requires such a column, in the list and at a later sync', async () => {
  await make('trial_seat_rule', 'body jsonb not null')
  expect(await problemOf('trial_seat_rule')).toMatchObject({ problem: 'GIVEN', detail: 'body jsonb' })
  const refused = await call('POST', 'create-list', { tableNames: ['trial_seat_rule'] })
  expect(refused.code).toBe(codes.codegenGiven.code)
  await owner.query('alter table trial_seat_rule alter body drop not null')
  const id = await importOne('trial_seat_rule')
  await owner.query('alter table trial_seat_rule alter body set not null')
  expect((await call('GET', `preview?tableId=${id}`)).code).toBe(codes.codegenGiven.code)
})

it.each(['stamp uuid[]', 'one int[] unique', "meta jsonb generated always as ('{}'::jsonb) stored"])(
  '%s is still a type that is refused',
  async (column) => {
    const name = `trial_seat_${column.slice(0, 3)}`
    await make(name, column)
    expect(await problemOf(name)).toMatchObject({ problem: 'TYPE' })
  },
)
