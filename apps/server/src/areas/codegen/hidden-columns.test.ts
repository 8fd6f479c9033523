import type { CodegenFile, CodegenFullDetail } from '@tocsin/contract/codegen/codegen'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, errorFields } from '../../../test/admin-server.ts'
import { editOf } from '../../../test/codegen-edit.ts'
import { codegenRoutes } from './routes.ts'

// A form may carry a hidden value when a new row can do without it.

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

const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  admin.call(method, `/infra/codegen/${path}`, body)
const imported = async (name: string, columns: string) => {
  await owner.query(
    `create table ${name} (id bigint generated always as identity primary key, label varchar(20) not null, ${columns})`,
  )
  const { data } = await call('POST', 'create-list', { tableNames: [name] })
  return Number((data as unknown as number[])[0])
}
const detail = async (id: number) => (await call('GET', `detail?tableId=${id}`)).data as unknown as CodegenFullDetail
const hide = async (id: number, name: string, more: object = {}) =>
  call(
    'PUT',
    'update',
    editOf(await detail(id), {}, ({ columnName }) =>
      columnName === name ? { formType: 'HIDDEN', inCreate: true, inUpdate: true, required: false, ...more } : {},
    ),
  )

it('may be absent from a new row, and is in no form', async () => {
  const id = await imported('trial_unseen', "rank integer not null default 7, hue varchar(9), tags text[] default '{}'")
  for (const name of ['rank', 'hue', 'tags']) expect([name, (await hide(id, name)).code]).toEqual([name, 200])
  const files = (await call('GET', `preview?tableId=${id}`)).data as unknown as CodegenFile[]
  const code = (end: RegExp) => files.find(({ filePath, list }) => !list && end.test(filePath))?.code ?? ''
  const contract = code(/contract\/src\/.*\.ts$/)
  expect(contract).toContain('rank: field(z.int32(), ')
  expect(contract).toContain('hue: field(z.string().max(9).nullable(), ')
  expect(contract).toContain('tags: field(z.array(z.string().max(10_000)).max(1000).nullable(), ')
  expect(contract).toContain('optional: { rank: true, hue: true, tags: true },')
  expect(code(/Page\.tsx$/)).toContain("fields={['label']}")
})

it('may be absent from a new child row', async () => {
  const main = await imported('trial_hidden_of', 'rank integer')
  const id = await imported(
    'trial_hidden_in',
    'main_id bigint not null references trial_hidden_of, rank integer not null default 7',
  )
  const child = { template: 'SUB', joinColumn: 'main_id' }
  const edit = editOf(await detail(id), child, ({ columnName }) =>
    columnName === 'rank' ? { formType: 'HIDDEN', required: false } : {},
  )
  expect((await call('PUT', 'update', edit)).code).toBe(200)
  const files = (await call('GET', `preview?tableId=${main}`)).data as unknown as CodegenFile[]
  const contract = files.find(({ filePath }) => filePath.includes('contract/src/'))?.code
  expect(contract).toContain('  rank: field(z.int32().optional(), ')
  expect(files.find(({ filePath }) => filePath.endsWith('Page.tsx'))?.code).toContain("fields={['label']}")
})

it('is rejected by field when a new row needs it, when it is required, and when it has a visible option', async () => {
  const id = await imported('trial_demanded', 'hue varchar(9), school_id bigint references school')
  expect(errorFields(await hide(id, 'label'))).toEqual(['columns.0.formType'])
  expect(errorFields(await hide(id, 'hue', { required: true }))).toEqual(['columns.1.required'])
  expect(errorFields(await hide(id, 'school_id'))).toEqual(['columns.2.formType'])
})

it('is shown again by the sync when new rows need it', async () => {
  const id = await imported('trial_shown', 'rank integer not null default 7')
  await hide(id, 'rank')
  await owner.query('alter table trial_shown alter rank drop default')
  expect((await call('PUT', `sync-from-db?tableId=${id}`)).code).toBe(200)
  expect((await detail(id)).columns[1]).toMatchObject({ formType: 'NUMBER', inCreate: true, required: true })
})
