import { endpoints } from '@tocsin/contract/all'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Operation, operationsOf } from '../../../../tools/fuzz/operation.ts'
import { randomFrom } from '../../../../tools/fuzz/random.ts'
import { valueOf } from '../../../../tools/fuzz/values.ts'
import { buildRollouts } from '../../seed/areas/demo-rollouts.ts'
import { seedDemo } from '../../seed/demo.ts'
import { makeRecord } from '../../seed/record-fixtures.ts'
import { makeDept, makeUser } from '../../seed/fixtures.ts'
import { constraintError } from '../../src/db/constraint-error.ts'
import { unscoped } from '../../src/db/scope.ts'
import { openapi } from '../../src/http/openapi.ts'
import { startFullServer, type FullServer } from '../full-server.ts'
import { fillEmptyTables, fillTable } from './fill-tables.ts'
import { isInOrder, listSorted } from './sorted-lists.ts'
import { spellingsOf } from './walk.ts'

// Responses of every call about a row: for a missing one, an invisible one, a stale version, and an invalid body.

// Each test makes hundreds of calls, and the machine may be busy.
vi.setConfig({ testTimeout: 180_000 })

const NOWHERE = 987_654_321
/** Row numbers start with 1. */
const FIRST = [1, 2, 3, 4, 5]

const scopes = new Map(
  endpoints
    .flatMap(spellingsOf)
    .map(({ method, path, endpoint }) => [`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, endpoint.scope]),
)
const operations = operationsOf(openapi(endpoints, '0.0.0')).filter(({ multipart }) => !multipart)

/** Calls about the caller's own rows, which are always visible. */
const ofHisOwn = new Set(['1002003030 不能强制下线当前会话'])

type Fields = Record<string, unknown>
type Answer = { code: number | string; msg: string; data: (Fields & { errors?: { field: string }[] }) | null }

const propertiesOf = ({ body }: Operation) => Object.keys(body?.properties ?? {})
/** A form of the compatibility API may send its own id beside the one in the address: that one names no row. */
const asksById = (operation: Operation) =>
  operation.path.includes('{id}') ||
  operation.parameters.some(({ name, in: where }) => name === 'id' && where === 'query') ||
  (operation.body?.required?.includes('id') ?? false)

const about = operations.filter((operation) => operation.permission !== 'open' && asksById(operation))
const inSight = about.filter(({ name }) => ['dept', 'school', 'self'].includes(scopes.get(name) ?? ''))
const versioned = operations.filter((operation) => propertiesOf(operation).includes('version'))
/** The field in which a form names its row, if any: some are about rows of the caller. */
const rowNames = ['id', 'userId', 'roleId']
const strict = operations.filter(({ body }) => body?.additionalProperties === false)

let site: FullServer
let admin: string
let blind: string

beforeAll(async () => {
  site = await startFullServer()
  await seedDemo(site.db, { secrets: randomBytes(32), http: randomBytes(32) })
  await buildRollouts(site.db)
  const { id: edu } = await site.db.selectFrom('dept').select('id').where('code', '=', 'EDU').executeTakeFirstOrThrow()
  for (let no = 0; no < 5; no += 1) await makeRecord(site.db, { deptId: edu })
  await site.db
    .insertInto('codegenTable')
    .values({
      tableName: 'demo_item',
      comment: null,
      title: '示例',
      titleEn: 'Demo',
      area: 'school',
      entity: 'item',
      sight: 'OPEN',
      template: 'SINGLE',
    })
    .execute()
  const all = unscoped(site.db, 'tests look at every row')
  await all.insertInto('notice').values({ title: '通知', type: '5', target: 'ALL', content: '', deptId: edu }).execute()
  await fillEmptyTables(all)
  await fillTable(all, 'floor_plan')
  admin = await site.session(site.admin)
  // Every permission, over a department without rows.
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

const send = async (operation: Operation, path: string, body: unknown, token: string): Promise<Answer> => {
  const payload = body === undefined ? {} : { payload: body as object }
  const { type, text } = await site.call(operation.method, path, { token, ...payload })
  return type.startsWith('application/json') ? JSON.parse(text) : { code: 200, msg: 'a file', data: null }
}

/** A valid call for row `id`, generated from `draw`. */
const callFor = (operation: Operation, id: number, draw: string, more: Fields = {}) => {
  const random = randomFrom(`${operation.name} ${draw}`)
  const query = operation.parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map(
      ({ name, schema }) => `${name}=${encodeURIComponent(String(name === 'id' ? id : valueOf(schema, name, random)))}`,
    )
  const path = operation.path.replaceAll(/\{\w+\}/g, String(id))
  const drawn = operation.body && (valueOf(operation.body, '', random) as Fields)
  const ofRow = { ...(propertiesOf(operation).includes('id') && { id }), ...more }
  const body = Array.isArray(drawn) ? drawn : drawn && { ...drawn, ...ofRow }
  return [query.length > 0 ? `${path}?${query.join('&')}` : path, body as Fields | undefined] as const
}

const outcome = ({ code, msg }: Answer) => `${code} ${msg}`
/** A generated body may break a rule that the contract cannot print; another one will not. */
const DRAWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

/** The first response to a call about this row that is no error about its other fields. */
const answerFor = async (operation: Operation, id: number) => {
  let answer: Answer | undefined
  for (const draw of DRAWS) {
    answer = await send(operation, ...callFor(operation, id, draw), admin)
    if (answer.code !== 400) break
  }
  return answer && outcome(answer)
}

describe('a call about a row', () => {
  it('answers the same for an invisible row as for a missing one', async () => {
    const items: string[] = []
    for (const item of inSight) {
      const none = outcome(await send(item, ...callFor(item, NOWHERE, 'a'), blind))
      for (const id of FIRST) {
        const got = outcome(await send(item, ...callFor(item, id, 'a'), blind))
        if (got !== none && !ofHisOwn.has(got)) items.push(`${item.name} ${id}: ${got}, not ${none}`)
      }
    }
    expect(items).toEqual([])
    expect(inSight.length).toBeGreaterThan(70)
    // The rows exist: a user who sees everything gets them.
    const shown = new Set<string>()
    for (const item of inSight.filter(({ method }) => method === 'GET'))
      for (const id of FIRST) if ((await answerFor(item, id))?.startsWith('200')) shown.add(item.name)
    expect(shown.size).toBeGreaterThan(8)
  })

  it('reports a missing row', async () => {
    const wrong: string[] = []
    for (const item of about) {
      const got = await answerFor(item, NOWHERE)
      if (!got || !/^(404|1\d{9}) .*(不存在|不可见)/.test(got)) wrong.push(`${item.name}: ${got}`)
    }
    expect(wrong).toEqual([])
  })

  it('rejects a stale version, and returns the current row', async () => {
    const wrong: string[] = []
    for (const item of versioned) {
      const seen = new Set<string>()
      const named = rowNames.filter((name) => propertiesOf(item).includes(name))
      for (let id = 1; id < 40; id += 1) {
        const row = Object.fromEntries(named.map((name) => [name, id]))
        const got = await send(item, ...callFor(item, id, 'a', { ...row, version: 99_999 }), admin)
        // With its version, so that the form can be sent again over the current row.
        const whole = /"version":\d/.test(JSON.stringify(got.data?.['current'] ?? null))
        seen.add(`${outcome(got)}${whole ? ', with it' : ''}`)
        if (got.code === 409) break
      }
      if (![...seen].some((got) => got.startsWith('409') && got.endsWith('with it')))
        wrong.push(`${item.name}: ${[...seen].join(' | ')}`)
    }
    expect(wrong).toEqual([])
    expect(versioned.length).toBeGreaterThan(20)
  })
})

describe('references to users, roles, menus, departments, schools, places and people', () => {
  it('are named when they block a deletion', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where contype = 'f' and confdeltype = 'a' and connamespace = 'public'::regnamespace
        and confrelid in ('users'::regclass, 'role'::regclass, 'menu'::regclass, 'dept'::regclass,
          'school'::regclass, 'place'::regclass, 'employee'::regclass)`.execute(site.db)
    const unnamed = rows.filter(({ name }) => !constraintError({ code: '23503', constraint: name }))
    expect(rows.length).toBeGreaterThan(10)
    expect(unnamed).toEqual([])
  })
})

describe('a list', () => {
  /** The user's own actions are visible to the user; figures of visits are no rows. */
  const lists = operations.filter(
    ({ name, method, path }) =>
      method === 'GET' &&
      ['dept', 'school'].includes(scopes.get(name) ?? '') &&
      !/operate-log|\/logs\/|visit-trend|template|\{/.test(path),
  )

  it('counts and returns only the user and rows of the own department, in pages, selects and exports', async () => {
    const [wrong, more]: [string[], string[]] = [[], []]
    for (const list of lists) {
      const csv = list.parameters.some(({ name }) => name === 'format') ? '?format=csv' : ''
      const sizeFor = async (token: string) => {
        const { type, text } = await site.call('GET', `${list.path}${csv}`, { token })
        if (type.startsWith('text/csv')) return text.trim().split('\r\n').length - 1
        if (!type.startsWith('application/json')) return Number.NaN
        const { data } = JSON.parse(text) as Answer
        return Array.isArray(data) ? data.length : Number(data?.['total'] ?? Number.NaN)
      }
      const [mine, all] = [await sizeFor(blind), await sizeFor(admin)]
      if (mine > 1) wrong.push(`${list.name}: ${mine} of ${all}`)
      if (all > 1) more.push(list.name)
    }
    expect(wrong).toEqual([])
    expect(more.length).toBeGreaterThan(20)
  })
})

describe('a list with an order', () => {
  /** Sorted by something else than the value of the row: natural numbers, what remains, the school before the unit. */
  const byOther = new Set(['placePath', 'remaining', '/school/employee/page deptName'])

  it('sorts by each column in both directions, and rejects an unknown one by name', async () => {
    const [wrong, compared]: [string[], string[]] = [[], []]
    for (const list of listSorted(endpoints)) {
      const { path, query } = list.endpoint
      const ask = async (orderBy: string): Promise<Answer> => {
        const needed = ['id', 'rolloutId'].filter((name) => query?.shape[name])
        const address = `${path}?pageSize=200&orderBy=${orderBy}`
        const ofRow = (id: number) => needed.map((name) => `&${name}=${id}`).join('')
        const answers = await Promise.all(
          (needed.length > 0 ? FIRST : [1]).map((id) => site.call('GET', address + ofRow(id), { token: admin })),
        )
        const read = answers.map(({ text }): Answer => JSON.parse(text))
        return read.find(({ code }) => code !== 404) ?? { code: 404, msg: 'no such row', data: null }
      }
      for (const name of list.names.flatMap((column) => [column, `-${column}`])) {
        const { code, msg, data } = await ask(name)
        const rows = (data?.['list'] ?? []) as Record<string, string | number | null>[]
        const column = name.replace('-', '')
        const values = rows.map((row) => row[column] ?? null)
        if (code !== 200) wrong.push(`${path} ${name}: ${code} ${msg}`)
        else if (byOther.has(column) || byOther.has(`${path} ${column}`)) continue
        else if (!isInOrder(list, { name, values })) wrong.push(`${path} ${name}: ${values.join(', ')}`)
        if (new Set(values).size > 1) compared.push(`${path} ${name}`)
      }
      const unknown = await ask('noSuchColumn')
      if (unknown.code !== 400 || unknown.data?.errors?.[0]?.field !== 'orderBy')
        wrong.push(`${path}: ${unknown.code} ${unknown.msg}`)
    }
    expect(wrong).toEqual([])
    expect(compared.length).toBeGreaterThan(80)
  })
})

describe('a call with a body', () => {
  const fieldsOf = ({ code, data }: Answer) => (code === 400 ? (data?.errors ?? []).map(({ field }) => field) : [])

  it('names an unknown field, and each missing one', async () => {
    const wrong: string[] = []
    for (const item of strict) {
      const [path, body = {} as Fields] = callFor(item, 1, 'a')
      const unknown = await send(item, path, { ...body, noSuchField: 1 }, admin)
      if (!fieldsOf(unknown).includes('noSuchField')) wrong.push(`${item.name}: noSuchField: ${outcome(unknown)}`)
      for (const name of item.body?.required ?? []) {
        const { [name]: _, ...rest } = body
        const missing = await send(item, path, rest, admin)
        if (!fieldsOf(missing).includes(name)) wrong.push(`${item.name}: no ${name}: ${outcome(missing)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(strict.length).toBeGreaterThan(100)
  })
})
