import { type CodegenFile, type CodegenFullDetail, type DbTable, MAX_LIST } from '@tocsin/contract/codegen/codegen'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, errorFields } from '../../../../test/admin-server.ts'
import { editOf } from '../../../../test/codegen-edit.ts'
import { anyRow } from '../../../../test/any-row.ts'
import { codegenRoutes } from '../routes.ts'

let admin: AdminServer
beforeAll(async () => {
  admin = await startAdminServer((db) => codegenRoutes({ db }))
})
afterAll(() => admin.end())

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  admin.call(method, `/infra/codegen/${path}`, body)
const detail = async (id: number) => (await call('GET', `detail?tableId=${id}`)).data as unknown as CodegenFullDetail
const imported = async (name: string) => {
  const { code, data } = await call('POST', 'create-list', { tableNames: [name] })
  expect(code).toBe(200)
  return Number((data as unknown as number[])[0])
}

const names = [
  'school',
  'place',
  'device',
  'device_model',
  'school_device',
  'warn_rule',
  'warn_record',
  'notice',
  'dict_data',
]

it('marks importable tables whose rows only their own area writes', async () => {
  const listed = (await call('GET', 'db/table/list')).data as unknown as DbTable[]
  for (const name of names)
    expect(listed.find((item) => item.name === name)).toMatchObject({ product: true, looked: true, problem: null })
  expect(listed.find(({ name }) => name === 'dict_type')).toMatchObject({ looked: false })
})

describe('the module of a read-only table', () => {
  /** Imported together, because each import reads the whole catalog. */
  const ids = new Map<string, number>()
  beforeAll(async () => {
    const { code } = await call('POST', 'create-list', { tableNames: names })
    expect(code).toBe(200)
    const rows = await admin.site.db.selectFrom('codegenTable').select(['id', 'tableName']).execute()
    for (const { id, tableName } of rows) ids.set(tableName, id)
  })
  afterAll(async () => {
    for (const id of ids.values()) await call('DELETE', `delete?tableId=${id}`)
  })

  it.each(names)('%s is listed, read and exported by its module, and never written', async (name) => {
    const id = ids.get(name) ?? 0
    const { looked, columns } = await detail(id)
    expect(looked).toBe(true)
    for (const column of columns) expect(column).toMatchObject({ inCreate: false, inUpdate: false, required: false })
    const { code, msg, data } = await call('GET', `preview?tableId=${id}`)
    expect({ code, msg }).toMatchObject({ code: 200 })
    const files = (data as unknown as CodegenFile[]).filter(({ list }) => !list)
    expect(files.map(({ filePath }) => filePath)).not.toContainEqual(expect.stringMatching(/\.sql$/))
    const of = (end: RegExp) => files.find(({ filePath }) => end.test(filePath))?.code ?? ''
    const contract = of(/contract\/src\/.*\.ts$/)
    expect(contract).toContain('readEndpoints({')
    expect(contract).not.toMatch(/Draft|entityEndpoints|move:/)
    expect(of(/server\/src\/areas\/.*(?<!test)\.ts$/)).toContain('createReadEntity({')
    expect(of(/\.test\.ts$/)).toContain('testReadEntity(')
    expect(of(/seed\/.*-menu\.ts$/).match(/:\w+', '/g)).toEqual([":query', '", ":export', '"])
    expect(of(/Page\.tsx$/)).not.toMatch(/Draft|initial=/)
    // Its own tests need a row to read.
    expect(await anyRow(admin.site.db, name)).toBeGreaterThan(0)
    expect((await call('GET', `compare?tableId=${id}`)).data).toEqual([])
  })
})

it('starts the list of a wide table with no more columns than fit', async () => {
  const id = await imported('warn_record')
  const before = await detail(id)
  expect(before.columns.length).toBeGreaterThan(MAX_LIST)
  expect(before.columns.filter(({ inList }) => inList)).toHaveLength(MAX_LIST)
  const all = editOf(before, {}, () => ({ inList: true }))
  expect(errorFields(await call('PUT', 'update', all))).toEqual(['columns'])
  await call('DELETE', `delete?tableId=${id}`)
})

it("uses the project's labels for columns", async () => {
  const id = await imported('device_model')
  const called = (await detail(id)).columns.map(({ columnName, title, titleEn }) => [columnName, title, titleEn])
  expect(called).toContainEqual(['heartbeat_sec', '心跳间隔（秒）', 'Heartbeat (s)'])
  await call('DELETE', `delete?tableId=${id}`)
})

it('rejects form settings for any column', async () => {
  const id = await imported('warn_rule')
  const before = await detail(id)
  const toEdit = (more: object) => editOf(before, {}, ({ columnName }) => (columnName === 'name' ? more : {}))
  for (const flag of ['inCreate', 'inUpdate', 'required'])
    expect(errorFields(await call('PUT', 'update', toEdit({ [flag]: true })))).toEqual([`columns.0.${flag}`])
  expect((await call('PUT', 'update', toEdit({ title: '名称', inQuery: true }))).code).toBe(200)
  await call('DELETE', `delete?tableId=${id}`)
})

it('rejects a child table of it, because there is no form', async () => {
  const owner = new pg.Client(admin.database.owner)
  await owner.connect()
  await owner.query(`create table trial_desk (
    id bigint generated always as identity primary key, label varchar(20), place_id bigint references place
  )`)
  await owner.end()
  const sub = { template: 'SUB', joinColumn: 'place_id' }
  const edit = editOf(await detail(await imported('trial_desk')), sub)
  expect(errorFields(await call('PUT', 'update', edit))).toEqual(['table.joinColumn'])
})
