import { codes } from '@tocsin/contract/codes'
import {
  type CodegenDetail,
  type CodegenFile,
  MAX_COLUMNS,
  MAX_FORM,
  MAX_QUERY,
} from '@tocsin/contract/codegen/codegen'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, pageIn, errorFields } from '../../../test/admin-server.ts'
import { editOf } from '../../../test/codegen-edit.ts'
import { getCodegenDetail, importErrors } from './imported.ts'
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

let made = 0
/** Creates a user's table with these columns; @returns its name, whose words begin with no digit */
const makeTable = async (columns: string, comment = '来访登记') => {
  made += 1
  const name = `trial_of${'abcdefghijklmnopqrstuvwxyz'[made]}`
  await owner.query(`create table ${name} (id bigint generated always as identity primary key, ${columns})`)
  await owner.query(`comment on table ${name} is '${comment}'`)
  return name
}
const COLUMNS = `full_name varchar(50) not null, state varchar(10) not null default 'NEW' check (state in ('NEW', 'OUT')),
  visit_time timestamptz, weight double precision, remark text`

// Each import reads the whole catalog, so it takes several tables at once.
const importAll = async (...tableNames: string[]): Promise<number[]> => {
  const { code, data } = await admin.call('POST', '/infra/codegen/create-list', { tableNames })
  expect(code).toBe(200)
  return data as unknown as number[]
}
const importOne = async (name: string) => Number((await importAll(name))[0])
const detail = async (id: number) =>
  (await admin.call('GET', `/infra/codegen/detail?tableId=${id}`)).data as unknown as CodegenDetail
const update = (body: object, token?: string) => admin.call('PUT', '/infra/codegen/update', body, token)
/** Changes the settings of a table as they are stored. */
const updateStored = async (id: number, more: object, each?: Parameters<typeof editOf>[2]) =>
  update(editOf(await getCodegenDetail(admin.site.db, id), more, each))

describe('tables of the database', () => {
  it('are imported with guesses for their columns, listed, found and removed, with audit', async () => {
    const name = await makeTable(COLUMNS)
    const listed = await admin.call('GET', `/infra/codegen/db/table/list?name=${name}`)
    expect(listed.data).toEqual([
      { name, comment: '来访登记', product: false, looked: false, problem: null, detail: null },
    ])
    const id = await importOne(name)
    expect((await admin.call('GET', `/infra/codegen/db/table/list?name=${name}`)).data).toEqual([])
    const { table, columns } = await detail(id)
    expect(table).toMatchObject({ tableName: name, title: '来访登记', sight: 'DEPT', version: 1 })
    expect(columns).toMatchObject([
      { columnName: 'full_name', length: 50, required: true, inQuery: true, queryType: 'LIKE', formType: 'INPUT' },
      { columnName: 'state', words: ['NEW', 'OUT'], preset: "'NEW'", formType: 'SELECT', queryType: 'IN' },
      { columnName: 'visit_time', kind: 'INSTANT', nullable: true, required: false, queryType: 'BETWEEN' },
      { columnName: 'weight', kind: 'FLOAT', inQuery: false, formType: 'NUMBER' },
      { columnName: 'remark', inList: false, formType: 'TEXTAREA' },
    ])
    const page = pageIn(await admin.call('GET', `/infra/codegen/table/page?tableName=${name}&title=来访`))
    expect(page).toMatchObject({ list: [{ id }], total: 1 })
    expect((await admin.call('DELETE', `/infra/codegen/delete?tableId=${id}`)).code).toBe(200)
    expect(await admin.audited('codegen_table', id)).toEqual(['infra:codegen:create', 'infra:codegen:delete'])
    expect((await owner.query(`select from ${name}`)).rowCount).toBe(0)
  })

  it('are listed with the reason when they cannot be imported', async () => {
    const wrong = {
      TYPE: await makeTable('stamp uuid'),
      SECRET: await makeTable('api_token text'),
      NAME: await makeTable('"Strange name" text'),
      RULE: await makeTable('room text, seat int4, unique (room, seat)'),
      SIZE: await makeTable(Array.from({ length: MAX_COLUMNS + 1 }, (_, at) => `col${at} text`).join()),
    }
    const ruled = [
      await makeTable('seat int4 check (seat > 0)'),
      await makeTable('low int4, high int4, check (low < high)'),
      await makeTable('room text, constraint one_of_a_kind unique (room)'),
      await makeTable("state varchar(9) check (state in ('two words'))"),
    ]
    // A column with the name of an audit column and another type.
    const other = await makeTable('full_name text, update_time text')
    await owner.query('create table keyless_thing (name text); create table empty_thing (id bigserial primary key)')
    await owner.query('create table promised_thing (id bigserial primary key, "then" text)')
    const { data } = await admin.call('GET', '/infra/codegen/db/table/list')
    const value = data as unknown as { name: string; problem: string | null; detail: string | null }[]
    for (const [problem, name] of [
      ...Object.entries({ ...wrong, ID: 'keyless_thing' }),
      ['TYPE', other],
      ['NAME', 'promised_thing'],
      ...ruled.map((name) => ['RULE', name] as const),
      ['SIZE', 'empty_thing'],
    ] as const) {
      expect(value.find((item) => item.name === name)).toMatchObject({ problem })
      const answer = await admin.call('POST', '/infra/codegen/create-list', { tableNames: [name] })
      expect(answer.code).toBe(importErrors[problem as keyof typeof importErrors].code)
    }
    expect(value.find((item) => item.name === wrong.TYPE)?.detail).toBe('stamp uuid')
    expect(value.find((item) => item.name === wrong.RULE)?.detail).toBe('UNIQUE (room, seat)')
  })

  it('are imported all or none, and once', async () => {
    const name = await makeTable(COLUMNS)
    const both = await admin.call('POST', '/infra/codegen/create-list', { tableNames: [name, 'no_such_table'] })
    expect(both.code).toBe(codes.codegenGone.code)
    const id = await importOne(name)
    const again = await admin.call('POST', '/infra/codegen/create-list', { tableNames: [name] })
    expect(again.code).toBe(codes.codegenImported.code)
    expect(errorFields(await admin.call('POST', '/infra/codegen/create-list', { tableNames: [] }))).toEqual([
      'tableNames',
    ])
    await admin.call('DELETE', `/infra/codegen/delete?tableId=${id}`)
  })
})

describe('the configuration', () => {
  it('is changed with a version check and an audit row', async () => {
    const id = await importOne(await makeTable(COLUMNS))
    const before = await detail(id)
    const body = editOf(before, { title: '访客', entity: 'trialBook', sight: 'OPEN' }, ({ columnName }) =>
      columnName === 'full_name' ? { title: '姓名', queryType: 'EQ' } : {},
    )
    expect(await update(body)).toMatchObject({ code: 200, data: true })
    const after = await detail(id)
    expect(after.table).toMatchObject({ title: '访客', entity: 'trialBook', sight: 'OPEN', version: 2 })
    expect(after.columns[0]).toMatchObject({ title: '姓名', queryType: 'EQ' })
    const stale = await update(body)
    expect(stale).toMatchObject({ code: codes.stale.code, data: { current: { table: { id, version: 2 } } } })
    expect(await admin.audited('codegen_table', id)).toEqual(['infra:codegen:create', 'infra:codegen:update'])
  })

  it('rejects by field what a column does not support', async () => {
    const id = await importOne(await makeTable(COLUMNS))
    const before = await detail(id)
    const refused = async (name: string, change: object) =>
      errorFields(
        await update(
          editOf(before, {}, ({ columnName }) => (columnName === name ? { inCreate: true, ...change } : {})),
        ),
      )
    expect(await refused('full_name', { formType: 'SWITCH' })).toEqual(['columns.0.formType'])
    expect(await refused('full_name', { formType: 'SELECT' })).toEqual(['columns.0.dictType'])
    expect(await refused('full_name', { dictType: 'no_such_dictionary' })).toEqual(['columns.0.dictType'])
    expect(await refused('full_name', { formType: 'IMAGE' })).toEqual(['columns.0.formType'])
    expect(await refused('full_name', { formType: 'EDITOR' })).toEqual(['columns.0.formType'])
    expect(await refused('remark', { formType: 'EDITOR', inList: true })).toEqual(['columns.4.inList'])
    for (const example of ['a"b', '{x}', '<b>', 'a&b', 'back\\slash', 'a\u2028b'])
      expect(await refused('full_name', { example })).toEqual(['columns.0.example'])
    expect(await refused('weight', { inQuery: true, queryType: 'EQ' })).toEqual(['columns.3.queryType'])
    expect(await refused('visit_time', { inQuery: true, queryType: 'LIKE' })).toEqual(['columns.2.queryType'])
    expect(await refused('full_name', { title: '一\u2028二' })).toEqual(['columns.0.title'])
    expect(errorFields(await update(editOf(before, { sight: 'SCHOOL' })))).toEqual(['table.sight'])
    expect(errorFields(await update(editOf(before, { titleEn: 'a\u202Eb' })))).toEqual(['table.titleEn'])
    expect(errorFields(await update(editOf(before, {}, () => ({ inCreate: false }))))).toEqual(['columns'])
    for (const entity of ['Upper', 'with-dash', 'x', "a'b", '1st'])
      expect(errorFields(await update(editOf(before, { entity })))).toEqual(['table.entity'])
    for (const entity of ['class', 'school', 'page', 'constructor', 'user'])
      expect(await update(editOf(before, { entity }))).toMatchObject({ code: codes.codegenTaken.code })
    const other = { ...editOf(before), columns: editOf(before).columns.slice(1) }
    expect((await update(other)).code).toBe(codes.codegenColumns.code)
    expect((await detail(id)).table.version).toBe(1)
  })
})

describe('the template', () => {
  it('is a tree when rows refer to a parent, and needs the parent in its form', async () => {
    const flat = await importOne(await makeTable(COLUMNS))
    expect(errorFields(await updateStored(flat, { template: 'TREE' }))).toEqual(['table.template'])
    const name = await makeTable('name varchar(20) not null')
    await owner.query(`alter table ${name} add column parent_id bigint references ${name}`)
    const id = await importOne(name)
    const before = await detail(id)
    expect(before.table.template).toBe('TREE')
    expect(before.columns[1]).toMatchObject({ columnName: 'parent_id', formType: 'PARENT', inCreate: true })
    const hidden = editOf(before, {}, ({ columnName }) => (columnName === 'parent_id' ? { inCreate: false } : {}))
    expect(errorFields(await update(hidden))).toEqual(['columns.1.inCreate'])
    const flattened = editOf(before, { template: 'SINGLE' })
    expect(errorFields(await update(flattened))).toEqual(['columns.1.inCreate'])
  })

  it('of a child table names the parent table, and is generated with it', async () => {
    const main = await makeTable('title varchar(20) not null')
    const name = await makeTable(`main_id bigint not null references ${main}, label varchar(20) not null, body text`)
    const [mainId, id] = [await importOne(main), await importOne(name)]
    const before = await detail(id)
    expect(errorFields(await update(editOf(before, { template: 'SUB' })))).toEqual(['table.joinColumn'])
    const joined = { template: 'SUB', joinColumn: 'label' }
    expect(errorFields(await update(editOf(before, joined)))).toEqual(['table.joinColumn'])
    expect(errorFields(await update(editOf(before, { joinColumn: 'main_id' })))).toEqual(['table.joinColumn'])
    const sub = { template: 'SUB', joinColumn: 'main_id', entity: 'trialLine' }
    const rich = editOf(before, sub, ({ columnName }) => (columnName === 'body' ? { formType: 'EDITOR' } : {}))
    expect(errorFields(await update(rich))).toEqual(['columns.2.formType'])
    const alone = ({ columnName }: { columnName: string }) =>
      columnName === 'body' ? { formType: 'TEXTAREA', inList: false } : {}
    expect((await update(editOf(before, sub, alone))).code).toBe(200)
    const refused = await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)
    expect(refused).toMatchObject({ code: codes.codegenPart.code })
    expect(refused.msg).toContain(main)
    await updateStored(mainId, { entity: 'trialSheet' })
    const { data } = await admin.call('GET', `/infra/codegen/preview?tableId=${mainId}`)
    const files = data as unknown as CodegenFile[]
    const paths = files.map(({ filePath }) => filePath)
    expect(paths).toContain('apps/server/src/areas/school/trial-sheet/trial-sheet.ts')
    const code = (ending: string) => files.find(({ filePath }) => filePath.endsWith(ending))?.code
    expect(code('areas/school/trial-sheet/trial-sheet.ts')).toContain("trialLines: { table: '")
    expect(code('TrialSheetPage.tsx')).toContain('<ChildRows key="trialLines"')
    await owner.query(`alter table ${name} add column more integer`)
    const stale = await admin.call('GET', `/infra/codegen/preview?tableId=${mainId}`)
    expect(stale.code).toBe(codes.codegenStale.code)
  })
})

describe('a wide table', () => {
  it('starts with no more form fields and filters than fit, required ones first', async () => {
    const columns = Array.from({ length: 30 }, (_, at) => `col${at}_name varchar(20)`)
    const id = await importOne(await makeTable([...columns, 'last_name varchar(20) not null'].join()))
    const before = await detail(id)
    expect(before.columns.filter(({ inCreate, inUpdate }) => inCreate && inUpdate)).toHaveLength(MAX_FORM)
    expect(before.columns.filter(({ inQuery }) => inQuery)).toHaveLength(MAX_QUERY)
    expect(before.columns.at(-1)).toMatchObject({ columnName: 'last_name', inCreate: true })
    expect((await update(editOf(before))).code).toBe(200)
    expect((await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)).code).toBe(200)
    const many = await updateStored(id, {}, () => ({ inUpdate: true }))
    expect(errorFields(many)).toEqual(['columns'])
  })
})

describe('the menu entry', () => {
  it('is created under any directory', async () => {
    const id = await importOne(await makeTable(COLUMNS))
    const { data } = await admin.call('GET', '/infra/codegen/menus')
    const names = (data as unknown as { componentName: string }[]).map(({ componentName }) => componentName)
    expect(names).toEqual(expect.arrayContaining(['System', 'Warn', 'DemoDeeper']))
    expect(names).not.toContain('SystemUser')
    const given = { entity: 'trialEntry', menuUnder: 'DemoDeeper' }
    const refused = await updateStored(id, { ...given, menuUnder: 'SystemUser' })
    expect(errorFields(refused)).toEqual(['table.menuUnder'])
    expect((await updateStored(id, given)).code).toBe(200)
    const files = (await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)).data as unknown as CodegenFile[]
    const code = (ending: string) => files.find(({ filePath }) => filePath.endsWith(ending))?.code
    expect(code('/trial-entry-menu.ts')).toContain("  under: 'DemoDeeper',\n  path: 'trial-entry',")
  })
})

describe('a table that changed', () => {
  it('is compared and synced; choices stay when they still fit', async () => {
    const name = await makeTable(COLUMNS)
    const id = await importOne(name)
    await updateStored(id, {}, ({ columnName }) => (columnName === 'remark' ? { title: '说明' } : {}))
    const sync = () => admin.call('PUT', `/infra/codegen/sync-from-db?tableId=${id}`)
    expect((await sync()).code).toBe(codes.codegenSame.code)
    await owner.query(
      `alter table ${name} drop column weight, add column age integer, alter column remark type varchar(300)`,
    )
    const changes = [
      { columnName: 'weight', change: 'REMOVED', before: 'double precision', after: null },
      { columnName: 'remark', change: 'CHANGED', before: 'text', after: 'character varying(300)' },
      { columnName: 'age', change: 'ADDED', before: null, after: 'integer' },
    ]
    const byName = (a: { columnName: string }, b: { columnName: string }) => (a.columnName < b.columnName ? -1 : 1)
    const compared = await admin.call('GET', `/infra/codegen/compare?tableId=${id}`)
    expect((compared.data as unknown as typeof changes).toSorted(byName)).toEqual(changes.toSorted(byName))
    expect((await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)).code).toBe(codes.codegenStale.code)
    expect((await sync()).code).toBe(200)
    const { table, columns } = await detail(id)
    expect(table.version).toBe(3)
    expect(columns.map(({ columnName }) => columnName).toSorted()).toEqual(
      ['full_name', 'state', 'visit_time', 'remark', 'age'].toSorted(),
    )
    expect(columns.find(({ columnName }) => columnName === 'remark')).toMatchObject({ title: '说明', length: 300 })
    await owner.query(`drop table ${name}`)
    expect((await sync()).code).toBe(codes.codegenGone.code)
  })
})

describe('the module', () => {
  /** When a folder has reached its limit, generated files get a folder of their own. */
  const plainPath = (path: string) =>
    path.includes('/areas/security/') ? path : path.replace(/(\/trial-book(?:-menu)?)\1\.ts$/, '$1.ts')
  const zipOf = async (...ids: number[]) => {
    const answer = await admin.site.app.inject({
      url: `/admin-api/infra/codegen/download?tableId=${ids.join()}`,
      headers: { authorization: `Bearer ${admin.adminToken}` },
    })
    return { name: String(answer.headers['content-disposition']), files: unzipSync(answer.rawPayload) }
  }

  it('is previewed file by file, and downloaded as a zip of the same files', async () => {
    const id = await importOne(await makeTable(COLUMNS))
    await updateStored(id, { entity: 'trialBook', area: 'security' })
    const { data } = await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)
    const shown = data as unknown as { filePath: string; code: string; list: boolean }[]
    expect(
      shown.filter(({ list }) => !list).map(({ filePath }) => plainPath(filePath).replace(/\d{4}/, 'NNNN')),
    ).toEqual([
      'GENERATED-trial-book.md',
      'packages/contract/src/security/trial-book.ts',
      expect.stringMatching(/^apps\/server\/migrations\/NNNN_trial_of[a-z]\.sql$/),
      'apps/server/src/db/tables/trial-book.ts',
      'apps/server/src/areas/security/trial-book/trial-book.ts',
      'apps/server/src/areas/security/trial-book/trial-book.test.ts',
      'apps/server/src/areas/access/seed/trial-book-menu.ts',
      'apps/web/src/areas/security/trial-book/TrialBookPage.tsx',
    ])
    expect(shown[0]?.code).toContain('npm run openapi')
    const { name, files } = await zipOf(id)
    expect(name).toContain('codegen-TrialBook.zip')
    expect(Object.entries(files).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])).toEqual(
      shown.map(({ filePath, code }) => [filePath, code]),
    )
    expect(await admin.audited('codegen_table', id)).toContain('infra:codegen:download')
  })

  it('of a project table explains values rejected by the database, and rows that are still referenced', async () => {
    const id = await importOne('dict_type')
    await updateStored(id, { entity: 'trialWord', title: '词表' })
    const { data } = await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)
    const shown = data as unknown as { filePath: string; code: string }[]
    const server = shown.find(({ filePath }) => filePath.endsWith('areas/school/trial-word/trial-word.ts'))?.code
    expect(server).toContain('  dict_type_type_check: { code: codes.invalid },\n')
    expect(server).toContain("  dict_data_type_fkey: { code: codes.referred, params: { what: '词表' } },")
    expect(server).toContain("  dict_type_name_key: { code: codes.duplicate, params: { field: '词表' } },")
    await admin.call('DELETE', `/infra/codegen/delete?tableId=${id}`)
  })

  it('is generated together with others, with each registry line once and migrations in order', async () => {
    const ids = await importAll(await makeTable(COLUMNS), await makeTable('label text not null'))
    for (const [at, entity] of ['trialFirst', 'trialOther'].entries()) await updateStored(ids[at] ?? 0, { entity })
    const { name, files } = await zipOf(...ids)
    expect(name).toContain('codegen-2.zip')
    const paths = Object.keys(files)
    const numbers = paths.flatMap((path) => /migrations\/(\d{4})/.exec(path)?.[1] ?? []).map(Number)
    expect(numbers).toEqual([numbers[0], (numbers[0] ?? 0) + 1])
    expect(paths.filter((path) => path.startsWith('GENERATED'))).toHaveLength(1)
    const text = new TextDecoder().decode(files['apps/server/src/areas/entities.ts'])
    for (const entity of ['trialFirst', 'trialOther']) expect(text.split(`${entity}Entity`)).toHaveLength(3)
    for (const id of ids) expect(await admin.audited('codegen_table', id)).toContain('infra:codegen:download')
    const many = Array.from({ length: 21 }, (_, at) => at + 1).join()
    const refused = await admin.call('GET', `/infra/codegen/download?tableId=${many}`)
    expect(errorFields(refused)).toEqual(['tableId'])
  })

  it('is rejected while the form lacks a required column', async () => {
    const id = await importOne(await makeTable(COLUMNS))
    await updateStored(id, {}, ({ columnName }) => (columnName === 'full_name' ? { inCreate: false } : {}))
    const answer = await admin.call('GET', `/infra/codegen/preview?tableId=${id}`)
    expect(answer).toMatchObject({ code: codes.codegenNeeds.code })
    expect(answer.msg).toContain('full_name')
    const other = await importOne(await makeTable('user_id bigint not null references users, label varchar(9)'))
    const beyond = await admin.call('GET', `/infra/codegen/preview?tableId=${other}`)
    expect(beyond).toMatchObject({ code: codes.codegenRefers.code })
    expect(beyond.msg).toContain('user_id')
  })
})

describe('the calls', () => {
  const calls = [
    ['create', 'GET', '/infra/codegen/db/table/list'],
    ['create', 'POST', '/infra/codegen/create-list'],
    ['query', 'GET', '/infra/codegen/table/page'],
    ['query', 'GET', '/infra/codegen/detail?tableId=999999'],
    ['query', 'GET', '/infra/codegen/menus'],
    ['update', 'PUT', '/infra/codegen/update'],
    ['update', 'GET', '/infra/codegen/compare?tableId=999999'],
    ['update', 'PUT', '/infra/codegen/sync-from-db?tableId=999999'],
    ['preview', 'GET', '/infra/codegen/preview?tableId=999999'],
    ['download', 'GET', '/infra/codegen/download?tableId=999999'],
    ['delete', 'DELETE', '/infra/codegen/delete?tableId=999999'],
  ] as const

  it('need a permission each, and report missing tables', async () => {
    const all = ['query', 'create', 'update', 'delete', 'preview', 'download'] as const
    for (const [verb, method, path] of calls) {
      const others = all.filter((item) => item !== verb).map((item) => `infra:codegen:${item}`)
      const { token } = await admin.clerk(...others)
      expect([path, (await admin.call(method, path, {}, token)).code]).toEqual([path, codes.forbidden.code])
      if (path.includes('999999'))
        expect([path, (await admin.call(method, path)).code]).toEqual([path, codes.codegenMissing.code])
    }
  })
})
