import type { CodegenFile, CodegenDetail, DbTable } from '@tocsin/contract/codegen/codegen'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { editOf } from '../../../../test/codegen-edit.ts'
import { getCodegenDetail } from '../imported.ts'
import { codegenRoutes } from '../routes.ts'

// A user who may create tables may write anything into names, comments and rules; it must stay text.

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
const importAll = async (tableNames: readonly string[]): Promise<number[]> => {
  const { code, data } = await call('POST', 'create-list', { tableNames })
  expect(code).toBe(200)
  return data as unknown as number[]
}
const preview = async (id: number) => {
  const { code, msg, data } = await call('GET', `preview?tableId=${id}`)
  expect({ code, msg }).toMatchObject({ code: 200 })
  return (data as unknown as CodegenFile[]).filter(
    ({ list, filePath }) => !list || filePath.endsWith('audit-labels.ts'),
  )
}

/** Code without its string literals and comments. */
const bare = ({ filePath, code }: CodegenFile): string =>
  filePath.endsWith('.sql')
    ? code.replaceAll(/'(?:[^']|'')*'|--.*|"(?:[^"]|"")*"/g, "''")
    : code.replaceAll(/'(?:[^'\\\n\u2028\u2029]|\\.)*'|"(?:[^"\\\n\u2028\u2029]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*/g, "''")
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const identifier = (text: string) => `"${text.replaceAll('"', '""')}"`

const texts = [
  `' + pwned() + '`,
  `" + pwned() + "`,
  '*/ pwned() /*',
  '` + pwned() + `',
  '${pwned()}',
  '\n; pwned() //',
  '\r\n-- x\npwned()',
  '\u2028pwned()\u2029',
  '</script><script>pwned()</script>',
  "\\'; pwned(); '",
  "'); pwned(); --",
  '{{pwned()}} $t(pwned)',
  '\u202epwned()\u0007',
]
let made = 0
/** Its words begin with no digit. */
const nextTable = () => `trial_t${(made += 1)}`

// Importing and listing read the whole catalog, so the tables of a test are imported and listed together.
const KEY = 'id bigint generated always as identity primary key'
/** Creates one table for each of these texts and imports them; @returns the imported table of each text */
const importFor = async (some: readonly string[], toSql: (name: string, text: string) => string) => {
  const named = some.map((text) => ({ text, name: nextTable() }))
  await owner.query(named.map(({ name, text }) => toSql(name, text)).join(';\n'))
  const ids = await importAll(named.map(({ name }) => name))
  const details = await Promise.all(ids.map((id) => getCodegenDetail(admin.site.db, id)))
  const byName = new Map(details.map((detail) => [detail.table.tableName, detail]))
  return new Map(named.map(({ text, name }) => [text, byName.get(name)]))
}
type Imported = Awaited<ReturnType<typeof importFor>>
const detailIn = (imported: Imported, text: string): CodegenDetail => {
  const detail = imported.get(text)
  if (!detail) throw new Error(`no table was imported for ${text}`)
  return detail
}

describe('comments and a default', () => {
  let imported: Imported
  beforeAll(async () => {
    imported = await importFor(
      texts,
      (name, text) => `
        create table ${name} (${KEY}, label varchar(90) not null default ${quoted(text)}, fee numeric(6,2), plan jsonb);
        comment on table ${name} is ${quoted(text)};
        comment on column ${name}.label is ${quoted(text)};
        comment on column ${name}.fee is ${quoted(text)};
        comment on column ${name}.plan is ${quoted(text)}`,
    )
  })

  it.each(texts)('%j stay text in every file, or the default is left to the database', async (text) => {
    const files = await preview(detailIn(imported, text).table.id)
    expect(files.filter(({ code }) => code.includes('pwned')).length).toBeGreaterThan(0)
    for (const file of files.filter(({ filePath }) => /\.(tsx?|sql)$/.test(filePath)))
      expect([file.filePath, bare(file)]).toEqual([file.filePath, expect.not.stringContaining('pwned')])
    // The text is on one line, in the order in which it was written.
    for (const { code } of files.filter(({ filePath }) => filePath.endsWith('.ts')))
      expect(code).not.toMatch(/[\u2028\u2029\u202e]/)
  })
})

describe('a title given by a user', () => {
  const titles = texts.filter((text) => /^[^\p{C}\p{Zl}\p{Zp}]{1,20}$/u.test(text))
  let imported: Imported
  beforeAll(async () => {
    imported = await importFor(titles, (name) => `create table ${name} (${KEY}, label varchar(20) not null)`)
  })

  it.each(titles)('%j stays text in every generated file', async (text) => {
    const before = detailIn(imported, text)
    const edit = editOf(before, { title: text, titleEn: text }, () => ({ title: text, titleEn: text }))
    expect((await call('PUT', 'update', edit)).code).toBe(200)
    for (const item of (await preview(before.table.id)).filter(({ filePath }) => /\.(tsx?|sql)$/.test(filePath)))
      expect([item.filePath, bare(item)]).toEqual([item.filePath, expect.not.stringContaining('pwned')])
  })
})

describe('names', () => {
  const listProblems = async () => {
    const { data } = await call('GET', 'db/table/list')
    return new Map((data as unknown as DbTable[]).map(({ name, problem }) => [name, problem]))
  }
  /** For each text the problems of the table called like it, and of the tables that have it as another name. */
  const problems = new Map<string, Record<string, string | null | undefined>>()
  beforeAll(async () => {
    await owner.query(texts.map((text) => `create table ${identifier(text)} (${KEY}, label text)`).join(';\n'))
    const named = await listProblems()
    const tables = texts.map((text) => {
      const odd = identifier(text)
      const columns = {
        column: `${odd} text`,
        type: `label ${odd}`,
        value: `label varchar(90) check (label in ('A', ${quoted(text)}))`,
        check: `label text constraint ${odd} check (label <> ${quoted(text)})`,
      }
      const made = Object.entries(columns).map(([of, column]) => ({ of, column, name: nextTable() }))
      return { text, odd, made }
    })
    for (const { odd, made } of tables)
      await owner.query(`
        drop table ${odd}; create domain ${odd} as text;
        ${made.map(({ name, column }) => `create table ${name} (${KEY}, ${column})`).join(';\n')}`)
    const found = await listProblems()
    for (const { text, made } of tables)
      problems.set(text, {
        table: named.get(text),
        ...Object.fromEntries(made.map(({ of, name }) => [of, found.get(name)])),
      })
  })

  it.each(texts)('reject %j of a table, column, type, check or value', (text) => {
    expect(problems.get(text)).toEqual({ table: 'NAME', column: 'NAME', type: 'TYPE', value: 'RULE', check: 'RULE' })
  })

  it('treat user-defined types as unknown', async () => {
    await owner.query(`
      create domain public.int4 as text;
      create table trial_domain (id bigint generated always as identity primary key, label text, amount public.int4)`)
    expect((await listProblems()).get('trial_domain')).toBe('TYPE')
  })

  it('keep each text in a rule that refers to a project table as text', async () => {
    const rules = texts.map(
      (text, at) => `of_type${at} bigint constraint ${identifier(text)} references dict_type (id)`,
    )
    await owner.query(`create table trial_refers (${rules.join()})`)
    const [id = 0] = await importAll(['dict_type'])
    const server = (await preview(id)).find(({ filePath }) => /areas\/school\/[\w-]+\/[\w-]+\.ts$/.test(filePath))
    // Each of them is there once, and none of them outside of a literal.
    expect(server?.code.match(/pwned\(\)/g)).toHaveLength(texts.length)
    expect(server && bare(server)).not.toContain('pwned')
    await admin.call('DELETE', `/infra/codegen/delete?tableId=${id}`)
    await owner.query('drop table trial_refers')
  })
})
