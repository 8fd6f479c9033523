import { codes } from '@tocsin/contract/codes'
import type { Code } from '@tocsin/contract/codes/code'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { unwrap } from '@tocsin/contract/field'
import { sortNames } from '@tocsin/contract/page'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { EntityCalls, ReadCalls } from '../src/areas/audit/entity/declaration.ts'
import { type AdminServer, errorFields, pageIn } from './admin-server.ts'
import { anyRow } from './any-row.ts'

type Wire = Record<string, unknown>

/** A row that the users of another department may not see. */
type Elsewhere = {
  /** A draft whose references are visible to the administrator only. */
  draft: (admin: AdminServer) => Promise<Wire> | Wire
  /** The references of that draft which a user of `here` may not choose. */
  references: readonly string[]
}

export type EntityCases = {
  of: EntityCalls & Record<string, Endpoint>
  /** The table, by its SQL name. */
  subject: string
  /** By default the path of the calls. */
  event?: string
  /** The code for a row that does not exist; without it the general one. */
  missing?: Code
  /** A valid draft as it travels, another one each time, with a value in every field. */
  draft: (admin: AdminServer) => Promise<Wire> | Wire
  /** A field with another valid value. */
  change: Wire
  /** Further wrong values, by field: those that its type alone does not refuse. */
  wrong?: Wire
  /** Query fields that find a row by the value of its draft; by default all fields of both that hold a text. */
  filters?: readonly string[]
  /** The field whose value the export shows; by default the first text of the draft. */
  exported?: string
  elsewhere?: Elsewhere
}

const NOBODY = 999_999

const coreOf = (schema: z.ZodType): z.ZodType => {
  const inner = unwrap(schema)
  return inner ? coreOf(inner) : schema
}

/** A value beyond the limit of the field: too long, too large, or of another kind. */
const beyond = (schema: z.ZodType): unknown => {
  const core = coreOf(schema) as z.ZodType & { maxLength?: number | null; maxValue?: number | null }
  if (core.def.type === 'string' && core.maxLength) return 'x'.repeat(core.maxLength + 1)
  const largest = core.def.type === 'number' ? core.maxValue : undefined
  return largest !== undefined && largest !== null && largest < Number.MAX_SAFE_INTEGER ? largest + 1 : { no: 'value' }
}

const openCases = (admin: () => AdminServer, { of, draft }: EntityCases) => {
  const call = (endpoint: Endpoint, given: { query?: string; body?: unknown; token?: string } = {}) =>
    admin().call(
      endpoint.method as 'GET',
      `${endpoint.path}${given.query ? `?${given.query}` : ''}`,
      given.body,
      given.token,
    )
  const create = async (more: Wire = {}) => {
    const body = { ...(await draft(admin())), ...more }
    return { body, id: Number((await call(of.create, { body })).data) }
  }
  const get = (id: number, token?: string) => call(of.get, { query: `id=${id}`, ...(token && { token }) })
  return {
    call,
    create,
    get,
    update: (body: Wire) => call(of.update, { body }),
    remove: (id: number, token?: string) => call(of.delete, { query: `id=${id}`, ...(token && { token }) }),
    find: async (query: string, token?: string) =>
      pageIn(await call(of.page, { query, ...(token && { token }) })).list.map((row) => row['id']),
  }
}
type Cases = ReturnType<typeof openCases>

const testWrites = (admin: () => AdminServer, cases: EntityCases, { call, create, get, update, remove }: Cases) => {
  const { of, subject, change, draft, wrong = {}, missing = codes.notFound } = cases
  it('creates, changes and deletes a row with audit and event', async () => {
    const { id, body } = await create()
    expect((await get(id)).data).toMatchObject({ ...body, id, version: 1 })
    expect(await update({ id, version: 1, ...change })).toMatchObject({ code: 200, data: true })
    expect((await get(id)).data).toMatchObject({ ...body, ...change, version: 2 })
    expect((await remove(id)).code).toBe(200)
    expect((await get(id)).code).toBe(missing.code)
    const verbs = [of.create, of.update, of.delete].map(({ permission }) => permission)
    expect(await admin().audited(subject, id)).toEqual(verbs)
    expect(
      (await admin().events(cases.event ?? of.page.path.replace(/\/page$/, ''))).filter(({ ref }) => ref === id),
    ).toHaveLength(3)
  })

  it('names each field whose value is beyond its limit, and one that does not exist', async () => {
    const shape = of.create.body.shape as Record<string, z.ZodType>
    const values = [...Object.entries(shape).map(([name, schema]) => [name, beyond(schema)]), ...Object.entries(wrong)]
    for (const [name, value] of [...values, ['noSuchField', 1]] as [string, unknown][]) {
      const answer = await call(of.create, { body: { ...(await draft(admin())), [name]: value } })
      const [field] = errorFields(answer)
      expect([answer.code, field?.split(/[.[]/)[0]], `${name}: ${JSON.stringify(value)}`).toEqual([400, name])
    }
  })

  it('answers a stale version with the current row, and a missing row with its code', async () => {
    const { id } = await create()
    expect(await update({ id, version: 9, ...change })).toMatchObject({
      code: codes.stale.code,
      data: { current: { id, version: 1 } },
    })
    for (const answer of [await get(NOBODY), await update({ id: NOBODY, version: 1, ...change }), await remove(NOBODY)])
      expect(answer.code).toBe(missing.code)
  })

  const { deleteList } = of
  if (!deleteList) return
  it('deletes several rows, all or none', async () => {
    const rows = [await create(), await create()]
    const ids = rows.map(({ id }) => id).join()
    const removeAll = (list: string) => call(deleteList, { query: `ids=${list}` })
    expect((await removeAll(`${ids},${NOBODY}`)).code).toBe(missing.code)
    for (const { id } of rows) expect((await get(id)).code).toBe(200)
    expect((await removeAll(ids)).code).toBe(200)
    for (const { id } of rows) expect((await get(id)).code).toBe(missing.code)
    expect(errorFields(await call(deleteList))).toEqual(['ids'])
  })
}

const testReads = (admin: () => AdminServer, cases: EntityCases, { call, create, find }: Cases) => {
  const { of } = cases
  if (cases.filters?.length !== 0)
    it('finds a row by the values of its fields', async () => {
      const { id, body } = await create()
      const isText = (name: string) => typeof body[name] === 'string' && body[name] !== ''
      const names = cases.filters ?? Object.keys(of.page.query.shape).filter(isText)
      expect(names).not.toEqual([])
      for (const name of names)
        expect(await find(`${name}=${encodeURIComponent(String(body[name]))}&pageSize=200`), name).toContain(id)
      const isContained = (name: string) => coreOf(of.page.query.shape[name] as z.ZodType).def.type === 'string'
      for (const name of names.filter(isContained)) expect(await find(`${name}=%25none%25`), name).not.toContain(id)
      if ('createTime' in of.page.query.shape)
        expect(await find('createTime[0]=2000-01-01&createTime[1]=2001-01-01')).toEqual([])
    })

  const sorts = sortNames(of.page.query)
  it(`sorts by ${sorts.join(', ') || 'nothing'} in both directions when the query says so`, async () => {
    await Promise.all([create(), create()])
    for (const name of sorts) {
      const [up, down] = [await find(`orderBy=${name}&pageSize=200`), await find(`orderBy=-${name}&pageSize=200`)]
      expect(up.length, name).toBeGreaterThan(1)
      expect(new Set(down), name).toEqual(new Set(up))
      expect(down[0], name).not.toBe(up[0])
    }
  })

  it('refuses each call to a user without its permission', async () => {
    const { token } = await admin().clerk()
    const calls = Object.values(of).filter(({ permission }) => permission !== 'token')
    for (const endpoint of calls)
      expect((await call(endpoint, { token, query: 'id=1&ids=1' })).code, endpoint.path).toBe(403)
    if (of.simpleList?.permission === 'token') expect((await call(of.simpleList, { token })).code).toBe(200)
  })

  const { export: exportNow } = of
  if (!exportNow) return
  it('exports the rows of the filter with the headings of both languages', async () => {
    const { body } = await create()
    const [name] = cases.filters ?? Object.keys(of.page.query.shape).filter((key) => typeof body[key] === 'string')
    const filter = name === undefined ? '' : `&${name}=${encodeURIComponent(String(body[name]))}`
    const texts = Object.entries(of.create.body.shape).filter(
      ([, schema]) => coreOf(schema as z.ZodType).def.type === 'string',
    )
    const shown = String(body[cases.exported ?? texts[0]?.[0] ?? ''])
    for (const lang of ['zh-cn', 'en']) {
      const { statusCode, body: text } = await admin().site.app.inject({
        url: `/admin-api${exportNow.path}?format=csv&lang=${lang}${filter}`,
        headers: { authorization: `Bearer ${admin().adminToken}` },
      })
      expect(statusCode).toBe(200)
      expect(text).toContain(shown)
      expect(/[\u4e00-\u9fff]/.test(text.split('\n')[0] ?? '')).toBe(lang === 'zh-cn')
    }
  })
}

const testVisibility = (admin: () => AdminServer, cases: EntityCases, { create, find, get, remove, call }: Cases) => {
  const { of, elsewhere, draft, change, missing = codes.notFound } = cases
  const isLimited = of.page.scope === 'dept' || of.page.scope === 'school'
  if (isLimited && !elsewhere) throw new Error(`${of.page.path}: name a row of another department`)
  if (!elsewhere) return
  it('hides a row of another department, and refuses it as a reference', async () => {
    const { draft: foreign, references } = elsewhere
    const { id } = await create(await foreign(admin()))
    const rights = [of.page, of.create, of.update, of.delete].map(({ permission }) => permission)
    const { token } = await admin().clerk(...new Set(rights))
    expect(await find('pageSize=200', token)).not.toContain(id)
    expect((await get(id, token)).code).toBe(missing.code)
    expect((await call(of.update, { token, body: { id, ...change } })).code).toBe(missing.code)
    expect((await remove(id, token)).code).toBe(missing.code)
    const values = await foreign(admin())
    for (const field of references) {
      const body = { ...(await draft(admin())), [field]: values[field] }
      expect(errorFields(await call(of.create, { token, body })), field).toEqual([field])
    }
    expect((await get(id)).code).toBe(200)
  })
}

const isChildList = (schema: z.ZodType): boolean => {
  const core = coreOf(schema)
  return core instanceof z.ZodArray && core.element instanceof z.ZodObject && 'id' in core.element.shape
}

const testChildren = (admin: () => AdminServer, { of, draft }: EntityCases, { create, get, update, remove }: Cases) => {
  const fields = Object.entries(of.create.body.shape).flatMap(([name, schema]) =>
    isChildList(schema as z.ZodType) ? [name] : [],
  )
  for (const field of fields)
    it(`changes and deletes ${field} with the row, and only those of the row`, async () => {
      const { id } = await create()
      const other = await create()
      const childrenOf = async (row: number) => ((await get(row)).data as Wire)[field] as Wire[]
      const [first] = await childrenOf(id)
      const [foreign] = await childrenOf(other.id)
      const [changed] = (await draft(admin()))[field] as Wire[]
      expect((await update({ id, version: 1, [field]: [{ ...changed, id: first?.['id'] }] })).code).toBe(200)
      expect(await childrenOf(id)).toMatchObject([{ ...changed, id: first?.['id'] }])
      const taken = await update({ id, version: 2, [field]: [{ ...changed, id: foreign?.['id'] }] })
      expect(taken.code).toBe(codes.notFound.code)
      expect(await childrenOf(other.id)).toEqual([foreign])
      expect((await update({ id, version: 2, [field]: [] })).code).toBe(200)
      expect(await childrenOf(id)).toEqual([])
      expect((await remove(other.id)).code).toBe(200)
    })
}

const testTree = ({ of }: EntityCases, { call, create, remove, update }: Cases) => {
  const { list, move } = of
  if (!list) return
  it('has a parent, forms no cycle, and is not deleted with rows below it', async () => {
    const { id } = await create({ parentId: 0 })
    const below = await create({ parentId: id })
    expect(errorFields(await update({ id, version: 1, parentId: below.id }))).toEqual(['parentId'])
    expect(errorFields(await update({ id, version: 1, parentId: NOBODY }))).toEqual(['parentId'])
    expect((await remove(id)).code).toBe(codes.referred.code)
    const order = async () => ((await call(list)).data as unknown as Wire[]).map((row) => row['id'])
    if (move) {
      const body = { id: below.id, parentId: 0, beforeId: id }
      expect((await call(move, { body: { ...body, version: 9 } })).code).toBe(codes.stale.code)
      expect((await call(move, { body: { ...body, version: 1 } })).code).toBe(200)
      const into = { id: below.id, parentId: below.id, beforeId: null, version: 2 }
      expect(errorFields(await call(move, { body: into }))).toEqual(['parentId'])
      if ('sort' in of.get.data.shape)
        expect((await order()).filter((row) => row === id || row === below.id)).toEqual([below.id, id])
    }
    expect(await order()).toEqual(expect.arrayContaining([id, below.id]))
    expect((await remove(below.id)).code).toBe(200)
    expect((await remove(id)).code).toBe(200)
  })
}

/** The standard behaviour of an entity, over the real database: one call in the test file of the entity. */
export const testEntity = (admin: () => AdminServer, cases: EntityCases): void => {
  const opened = openCases(admin, cases)
  describe(`the calls of ${cases.of.page.path.replace(/\/page$/, '')}`, () => {
    testWrites(admin, cases, opened)
    testReads(admin, cases, opened)
    testVisibility(admin, cases, opened)
    testChildren(admin, cases, opened)
    testTree(cases, opened)
  })
}

type ReadCases = {
  of: ReadCalls & Record<string, Endpoint>
  /** The table, by its SQL name. */
  subject: string
}

/** The standard behaviour of rows that people only read. */
export const testReadEntity = (admin: () => AdminServer, { of, subject }: ReadCases): void => {
  const path = of.page.path.replace(/\/page$/, '')
  const call = (endpoint: Endpoint, query = '', token?: string) =>
    admin().call(endpoint.method as 'GET', `${endpoint.path}?${query}`, undefined, token)
  describe(`the calls of ${path}`, () => {
    it('lists, shows and exports a row', async () => {
      const id = await anyRow(admin().site.db, subject)
      const listed = pageIn(await call(of.page, 'pageSize=200')).list.find((row) => row['id'] === id)
      expect(listed).toBeDefined()
      expect((await call(of.get, `id=${id}`)).data).toEqual(listed)
      const { statusCode, body } = await admin().site.app.inject({
        url: `/admin-api${of.export?.path}?format=csv`,
        headers: { authorization: `Bearer ${admin().adminToken}` },
      })
      expect(statusCode).toBe(200)
      expect(body.trimEnd().split('\r\n').length).toBeGreaterThan(1)
      expect((await call(of.get, `id=${NOBODY}`)).code).toBe(codes.notFound.code)
      expect(errorFields(await call(of.page, 'noSuchField=1'))).toEqual(['noSuchField'])
    })

    it('refuses each call to a user without its permission, and every change to anybody', async () => {
      const { token } = await admin().clerk()
      for (const endpoint of Object.values(of))
        expect((await call(endpoint, 'id=1', token)).code, endpoint.path).toBe(403)
      for (const verb of ['create', 'update', 'delete'])
        for (const method of ['POST', 'PUT', 'DELETE'] as const)
          expect((await admin().call(method, `${path}/${verb}?id=1`)).code).toBe(404)
    })

    if (of.page.scope !== 'none')
      it('hides a row of another department', async () => {
        const id = await anyRow(admin().site.db, subject)
        const { token } = await admin().clerk(of.page.permission)
        expect((await call(of.get, `id=${id}`, token)).code).toBe(codes.notFound.code)
        expect(pageIn(await call(of.page, 'pageSize=200', token)).list.map((row) => row['id'])).not.toContain(id)
      })
  })
}
