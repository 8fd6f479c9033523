import { endpoints } from '@tocsin/contract/all'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Operation, operationsOf } from '../../../../tools/fuzz/operation.ts'
import { randomFrom } from '../../../../tools/fuzz/random.ts'
import { valueOf } from '../../../../tools/fuzz/values.ts'
import { seedDemo } from '../../seed/demo.ts'
import { makeRecord } from '../../seed/record-fixtures.ts'
import { makeDept, makeUser } from '../../seed/fixtures.ts'
import { constraintError } from '../../src/db/constraint-error.ts'
import { unscoped } from '../../src/db/scope.ts'
import { openapi } from '../../src/http/openapi.ts'
import { startFullServer, type FullServer } from '../full-server.ts'
import { fillEmptyTables } from './fill-tables.ts'
import { spellingsOf } from './walk.ts'

// What every call that names a row answers, whatever it is about: for one that is not there, for one that is not in
// sight, for one that somebody changed meanwhile, and for a body that is wrong.

// Each walk makes hundreds of calls, and the machine may be busy.
vi.setConfig({ testTimeout: 180_000 })

const NOWHERE = 987_654_321
/** Tables number their rows from 1. */
const FIRST = [1, 2, 3, 4, 5]

const scopes = new Map(
  endpoints
    .flatMap(spellingsOf)
    .map(({ method, path, endpoint }) => [`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, endpoint.scope]),
)
const operations = operationsOf(openapi(endpoints, '0.0.0')).filter(({ multipart }) => !multipart)

/** What only the caller’s own rows answer: they are never out of his sight. */
const ofHisOwn = new Set(['1002003030 不能强制下线当前会话'])

type Fields = Record<string, unknown>
type Answer = { code: number | string; msg: string; data: (Fields & { errors?: { field: string }[] }) | null }

const propertiesOf = ({ body }: Operation) => Object.keys(body?.properties ?? {})
/** A form of the other family may send its own id beside the one in the address: that one does not name a row. */
const asksById = (one: Operation) =>
  one.path.includes('{id}') ||
  one.parameters.some(({ name, in: where }) => name === 'id' && where === 'query') ||
  (one.body?.required?.includes('id') ?? false)

const about = operations.filter((one) => one.permission !== 'open' && asksById(one))
const inSight = about.filter(({ name }) => ['dept', 'school', 'self'].includes(scopes.get(name) ?? ''))
const versioned = operations.filter((one) => propertiesOf(one).includes('version'))
/** What a form calls the row it is about, if it names one: some are about what belongs to the caller. */
const rowNames = ['id', 'userId', 'roleId']
const strict = operations.filter(({ body }) => body?.additionalProperties === false)

let site: FullServer
let admin: string
let blind: string

beforeAll(async () => {
  site = await startFullServer()
  await seedDemo(site.db, { secrets: randomBytes(32), http: randomBytes(32) })
  const { id: edu } = await site.db.selectFrom('dept').select('id').where('code', '=', 'EDU').executeTakeFirstOrThrow()
  for (let no = 0; no < 5; no += 1) await makeRecord(site.db, { deptId: edu })
  await site.db
    .insertInto('codegenTable')
    .values({
      tableName: 'demo_item',
      comment: null,
      title: '示例',
      titleEn: 'Demo',
      area: 'system',
      entity: 'item',
      sight: 'OPEN',
      template: 'SINGLE',
    })
    .execute()
  const all = unscoped(site.db, 'tests look at every row')
  await all.insertInto('notice').values({ title: '通知', type: '5', target: 'ALL', content: '', deptId: edu }).execute()
  await fillEmptyTables(all)
  admin = await site.session(site.admin)
  // Every permission there is, over a department with nothing in it.
  const role = await site.db
    .insertInto('role')
    .values({ code: 'blind', name: 'blind', dataScope: 'DEPT' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menus = await site.db.selectFrom('menu').select('id').execute()
  await site.db
    .insertInto('roleMenu')
    .values(menus.map(({ id }) => ({ roleId: role.id, menuId: id })))
    .execute()
  const { id: deptId } = await makeDept(site.db, { name: '空部门' })
  blind = await site.session((await makeUser(site.db, { username: 'blind', roles: ['blind'], deptId })).id)
})
afterAll(() => site.close())

const send = async (one: Operation, path: string, body: unknown, token: string): Promise<Answer> => {
  const payload = body === undefined ? {} : { payload: body as object }
  const { type, text } = await site.call(one.method, path, { token, ...payload })
  return type.startsWith('application/json') ? JSON.parse(text) : { code: 200, msg: 'a file', data: null }
}

/** A valid call for row `id`, drawn from `draw`. */
const callFor = (one: Operation, id: number, draw: string, more: Fields = {}) => {
  const random = randomFrom(`${one.name} ${draw}`)
  const query = one.parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map(
      ({ name, schema }) => `${name}=${encodeURIComponent(String(name === 'id' ? id : valueOf(schema, name, random)))}`,
    )
  const path = one.path.replaceAll(/\{\w+\}/g, String(id))
  const drawn = one.body && (valueOf(one.body, '', random) as Fields)
  const ofRow = { ...(propertiesOf(one).includes('id') && { id }), ...more }
  const body = Array.isArray(drawn) ? drawn : drawn && { ...drawn, ...ofRow }
  return [query.length > 0 ? `${path}?${query.join('&')}` : path, body as Fields | undefined] as const
}

const outcome = ({ code, msg }: Answer) => `${code} ${msg}`
/** A drawn body may break a rule that the contract cannot print; another draw will not. */
const DRAWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

/** The first answer to a call about this row that is no complaint about its other fields. */
const answerFor = async (one: Operation, id: number) => {
  let answer: Answer | undefined
  for (const draw of DRAWS) {
    answer = await send(one, ...callFor(one, id, draw), admin)
    if (answer.code !== 400) break
  }
  return answer && outcome(answer)
}

describe('a call about a row', () => {
  it('answers the same for a row out of sight as for none', async () => {
    const told: string[] = []
    for (const one of inSight) {
      const none = outcome(await send(one, ...callFor(one, NOWHERE, 'a'), blind))
      for (const id of FIRST) {
        const got = outcome(await send(one, ...callFor(one, id, 'a'), blind))
        if (got !== none && !ofHisOwn.has(got)) told.push(`${one.name} ${id}: ${got}, not ${none}`)
      }
    }
    expect(told).toEqual([])
    expect(inSight.length).toBeGreaterThan(70)
    // Not for want of rows: who sees everything is shown them.
    const shown = new Set<string>()
    for (const one of inSight.filter(({ method }) => method === 'GET'))
      for (const id of FIRST) if ((await answerFor(one, id))?.startsWith('200')) shown.add(one.name)
    expect(shown.size).toBeGreaterThan(8)
  })

  it('says that there is none where there is none', async () => {
    const wrong: string[] = []
    for (const one of about) {
      const got = await answerFor(one, NOWHERE)
      if (!got || !/^(404|1\d{9}) .*(不存在|不可见)/.test(got)) wrong.push(`${one.name}: ${got}`)
    }
    expect(wrong).toEqual([])
  })

  it('refuses a version that is over, and says how the row is now', async () => {
    const wrong: string[] = []
    for (const one of versioned) {
      const seen = new Set<string>()
      const named = rowNames.filter((name) => propertiesOf(one).includes(name))
      for (let id = 1; id < 40; id += 1) {
        const row = Object.fromEntries(named.map((name) => [name, id]))
        const got = await send(one, ...callFor(one, id, 'a', { ...row, version: 99_999 }), admin)
        // With its version, so that the form can be sent again over what is there now.
        const whole = /"version":\d/.test(JSON.stringify(got.data?.['current'] ?? null))
        seen.add(`${outcome(got)}${whole ? ', with it' : ''}`)
        if (got.code === 409) break
      }
      if (![...seen].some((got) => got.startsWith('409') && got.endsWith('with it')))
        wrong.push(`${one.name}: ${[...seen].join(' | ')}`)
    }
    expect(wrong).toEqual([])
    expect(versioned.length).toBeGreaterThan(20)
  })
})

describe('what refers to people, roles, menus and departments', () => {
  it('is named for each reference that blocks a deletion', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where contype = 'f' and confdeltype = 'a' and connamespace = 'public'::regnamespace
        and confrelid in ('users'::regclass, 'role'::regclass, 'menu'::regclass, 'dept'::regclass)`.execute(site.db)
    const unnamed = rows.filter(({ name }) => !constraintError({ code: '23503', constraint: name }))
    expect(rows.length).toBeGreaterThan(10)
    expect(unnamed).toEqual([])
  })
})

describe('a list', () => {
  /** What somebody did is in his own sight; figures of visits say nothing of rows. */
  const lists = operations.filter(
    ({ name, method, path }) =>
      method === 'GET' &&
      ['dept', 'school'].includes(scopes.get(name) ?? '') &&
      !/operate-log|\/logs\/|visit-trend|template|\{/.test(path),
  )

  it('counts and shows nothing but oneself and what one’s own department is, in pages, choices and sheets', async () => {
    const [wrong, more]: [string[], string[]] = [[], []]
    for (const one of lists) {
      const csv = one.parameters.some(({ name }) => name === 'format') ? '?format=csv' : ''
      const sizeFor = async (token: string) => {
        const { type, text } = await site.call('GET', `${one.path}${csv}`, { token })
        if (type.startsWith('text/csv')) return text.trim().split('\r\n').length - 1
        if (!type.startsWith('application/json')) return Number.NaN
        const { data } = JSON.parse(text) as Answer
        return Array.isArray(data) ? data.length : Number(data?.['total'] ?? Number.NaN)
      }
      const [mine, all] = [await sizeFor(blind), await sizeFor(admin)]
      if (mine > 1) wrong.push(`${one.name}: ${mine} of ${all}`)
      if (all > 1) more.push(one.name)
    }
    expect(wrong).toEqual([])
    expect(more.length).toBeGreaterThan(20)
  })
})

describe('a call with a body', () => {
  const fieldsOf = ({ code, data }: Answer) => (code === 400 ? (data?.errors ?? []).map(({ field }) => field) : [])

  it('names a field that it does not know, and each one that is missing', async () => {
    const wrong: string[] = []
    for (const one of strict) {
      const [path, body = {} as Fields] = callFor(one, 1, 'a')
      const unknown = await send(one, path, { ...body, noSuchField: 1 }, admin)
      if (!fieldsOf(unknown).includes('noSuchField')) wrong.push(`${one.name}: noSuchField: ${outcome(unknown)}`)
      for (const name of one.body?.required ?? []) {
        const { [name]: _, ...rest } = body
        const missing = await send(one, path, rest, admin)
        if (!fieldsOf(missing).includes(name)) wrong.push(`${one.name}: no ${name}: ${outcome(missing)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(strict.length).toBeGreaterThan(100)
  })
})
