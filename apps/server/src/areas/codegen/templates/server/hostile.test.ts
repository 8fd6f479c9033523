import type { CodegenFile, CodegenDetail, DbTable } from '@tocsin/contract/codegen/codegen'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer } from '../../../../../test/admin-server.ts'
import { editOf } from '../../../../../test/codegen-edit.ts'
import { codegenRoutes } from '../../routes.ts'

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
const importOne = async (name: string) => {
  const { code, data } = await call('POST', 'create-list', { tableNames: [name] })
  expect(code).toBe(200)
  return Number((data as unknown as number[])[0])
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

describe('comments and a default', () => {
  it.each(texts)('%j stay text in every file, or the default is left to the database', async (text) => {
    const name = nextTable()
    await owner.query(`
      create table ${name} (
        id bigint generated always as identity primary key,
        label varchar(90) not null default ${quoted(text)}, fee numeric(6,2), plan jsonb
      );
      comment on table ${name} is ${quoted(text)};
      comment on column ${name}.label is ${quoted(text)};
      comment on column ${name}.fee is ${quoted(text)};
      comment on column ${name}.plan is ${quoted(text)};`)
    const id = await importOne(name)
    const files = await preview(id)
    expect(files.filter(({ code }) => code.includes('pwned')).length).toBeGreaterThan(0)
    for (const file of files.filter(({ filePath }) => /\.(tsx?|sql)$/.test(filePath)))
      expect([file.filePath, bare(file)]).toEqual([file.filePath, expect.not.stringContaining('pwned')])
    // The text is on one line, in the order in which it was written.
    for (const { code } of files.filter(({ filePath }) => filePath.endsWith('.ts')))
      expect(code).not.toMatch(/[\u2028\u2029\u202e]/)
  })
})

describe('a title given by a user', () => {
  it.each(texts.filter((text) => /^[^\p{C}\p{Zl}\p{Zp}]{1,20}$/u.test(text)))(
    '%j is text in every file',
    async (text) => {
      const name = nextTable()
      await owner.query(
        `create table ${name} (id bigint generated always as identity primary key, label varchar(20) not null)`,
      )
      const id = await importOne(name)
      const before = (await call('GET', `detail?tableId=${id}`)).data as unknown as CodegenDetail
      const edit = editOf(before, { title: text, titleEn: text }, () => ({ title: text, titleEn: text }))
      expect((await call('PUT', 'update', edit)).code).toBe(200)
      for (const item of (await preview(id)).filter(({ filePath }) => /\.(tsx?|sql)$/.test(filePath)))
        expect([item.filePath, bare(item)]).toEqual([item.filePath, expect.not.stringContaining('pwned')])
    },
  )
})

describe('names', () => {
  const problemOf = async (of: string) => {
    const { data } = await call('GET', 'db/table/list')
    return (data as unknown as DbTable[]).find(({ name }) => name === of)?.problem
  }

  it.each(texts)('reject %j of a table, column, type, check or value', async (text) => {
    const key = 'id bigint generated always as identity primary key'
    const odd = identifier(text)
    await owner.query(`create table ${odd} (${key}, label text)`)
    expect(await problemOf(text)).toBe('NAME')
    await owner.query(`drop table ${odd}; create domain ${odd} as text`)
    const columns = {
      NAME: `${odd} text`,
      TYPE: `label ${odd}`,
      RULE: `label varchar(90) check (label in ('A', ${quoted(text)}))`,
    }
    for (const [problem, column] of Object.entries(columns)) {
      const name = nextTable()
      await owner.query(`create table ${name} (${key}, ${column})`)
      expect(await problemOf(name)).toBe(problem)
    }
    const checked = nextTable()
    await owner.query(`create table ${checked} (${key}, label text constraint ${odd} check (label <> ${quoted(text)}))`)
    expect(await problemOf(checked)).toBe('RULE')
  })

  it('treat user-defined types as unknown', async () => {
    await owner.query(`
      create domain public.int4 as text;
      create table trial_domain (id bigint generated always as identity primary key, label text, amount public.int4)`)
    expect(await problemOf('trial_domain')).toBe('TYPE')
  })

  it.each(texts)('keep %j of a rule that refers to a project table as text', async (text) => {
    const rule = identifier(text)
    await owner.query(`create table trial_refers (of_type bigint constraint ${rule} references dict_type (id))`)
    const id = await importOne('dict_type')
    const server = (await preview(id)).find(({ filePath }) => /areas\/system\/[\w-]+\/[\w-]+\.ts$/.test(filePath))
    expect(server?.code).toContain('pwned')
    expect(server && bare(server)).not.toContain('pwned')
    await admin.call('DELETE', `/infra/codegen/delete?tableId=${id}`)
    await owner.query('drop table trial_refers')
  })
})
