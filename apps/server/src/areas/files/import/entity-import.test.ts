import { codes } from '@tocsin/contract/codes'
import { Millis } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'
import { importEndpoints, ImportQuery } from '@tocsin/contract/files/import'
import { Status } from '@tocsin/contract/settings/wire-codecs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { linesOf, openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { runJob } from '#jobs/run'
import { createRowWriter } from './row-writer.ts'
import { openEntityCheck } from './entity-check.ts'
import type { Importer } from './importer.ts'
import { importJobs } from './job.ts'
import { importRoutes } from './routes.ts'
import { readDay, readInstant, readNumber, readerFor } from './cell-readers.ts'

/** Dictionaries are the smallest table with a unique key; their own forms are not tested here. */
const Draft = z.strictObject({
  type: field(z.string().regex(/^[a-z_]{3,30}$/), '类型', 'Type'),
  name: field(z.string().min(1).max(20), '名称', 'Name'),
  status: field(Status, '状态', 'Status'),
  remark: field(z.string().nullable().optional(), '备注', 'Remark'),
})
type Draft = z.output<typeof Draft>
const Sheet = z.strictObject({
  type: field(z.string(), '类型', 'Type'),
  name: field(z.string(), '名称', 'Name'),
  status: field(z.string(), '状态', 'Status'),
  remark: field(z.string(), '备注', 'Remark'),
})
const permission = 'system:user:import'
const key = 'type'

const importer: Importer<Draft> = {
  endpoints: importEndpoints({
    permission,
    scope: 'none',
    path: '/test/thing',
    title: '事物',
    titleEn: 'Things',
    query: ImportQuery,
  }),
  jobName: 'thing-import',
  page: '/test/thing',
  title: '事物',
  titleEn: 'Things',
  sheet: Sheet,
  required: ['type', 'name'],
  key,
  template: async () => ({ samples: [['some_thing', '某物', '启用', '']], choices: { status: ['启用', '停用'] } }),
  openCheck: (context) =>
    openEntityCheck<Draft>(
      {
        sheet: Sheet,
        draft: Draft,
        key,
        open: async ({ db }) => ({
          defaults: { status: true },
          uniqueKeys: ({ type }) => (type ? [[key, type]] : []),
          keyOf: ({ type }) => type,
          findExisting: async (drafts) => {
            const types = drafts.flatMap(({ type }) => type ?? [])
            const rows = await db
              .selectFrom('dictType')
              .selectAll()
              .where('type', 'in', ['', ...types])
              .execute()
            return new Map(rows.map((row) => [row.type, { id: row.id, values: { ...row, status: row.enabled } }]))
          },
        }),
      },
      context,
    ),
  writer: createRowWriter<Draft>({
    draft: Draft,
    key,
    constraints: { dict_type_name_key: 'name' },
    permissions: { create: permission, update: permission },
    create: async (trx, { status, ...draft }) => {
      const values = { ...draft, enabled: status }
      return (await trx.insertInto('dictType').values(values).returning('id').executeTakeFirstOrThrow()).id
    },
    update: async (trx, id, { status, ...draft }) => {
      const values = { ...draft, ...(status !== undefined && { enabled: status }) }
      await trx.updateTable('dictType').set(values).where('id', '=', id).execute()
    },
  }),
}

let world: JobFixture
beforeAll(async () => {
  world = await openJobFixture((db) => importRoutes(db, importer))
  // Its handlers are those of the product; this import is run by the test.
  await world.stopWorker()
})
afterEach(() => world.db.deleteFrom('dictType').where('type', 'like', 'thing_%').execute())
afterAll(() => world.close())

const HEADS = ['类型', '名称（必填）', '状态', '附注', '备注']
const run = (id: number) =>
  runJob(world.db, importJobs(importer), { id, stopping: new AbortController().signal }).then(() => world.job(id))
const check = async (rows: (string | null)[][], query = '', heads = HEADS) => {
  const { data } = await world.send(await workbook(rows, heads), `dryRun=true&${query}`, 'admin', '/test/thing/import')
  return run(Number(data.id))
}
const commit = async (id: number, onlyGood: boolean) => {
  expect((await world.post('/test/thing/import-commit', { id, onlyGood })).code).toBe(200)
  return run(id)
}
const stored = () =>
  world.db
    .selectFrom('dictType')
    .select(['type', 'name', 'enabled', 'remark'])
    .where('type', 'like', 'thing_%')
    .orderBy('type')
    .execute()
const reasons = async (id: number) =>
  (
    (await world.get(`/test/thing/import-rows?id=${id}`)).data as unknown as {
      list: { verdict: string; reasons: { field: string; message: string }[] }[]
    }
  ).list.map(({ verdict, reasons: all }) => [verdict, ...all.map((item) => `${item.field}: ${item.message}`)])

describe('the import of an entity', () => {
  it('creates rows, and names columns that were not read and defaults that were filled in', async () => {
    const job = await check([
      ['thing_a', '甲', '停用', '没有人读', '一'],
      ['thing_b', '乙', null, null, null],
    ])
    expect(job).toMatchObject({
      counts: { create: 2, update: 0, same: 0, bad: 0 },
      import: {
        notes: {
          headingLine: 1,
          unreadColumns: ['附注'],
          defaults: [{ title: '状态', value: 'true', rows: 1 }],
        },
      },
    })
    expect(await stored()).toEqual([])
    expect(await commit(job.id, false)).toMatchObject({ state: 'DONE', counts: { created: 2, bad: 0 } })
    expect(await stored()).toEqual([
      { type: 'thing_a', name: '甲', enabled: false, remark: '一' },
      { type: 'thing_b', name: '乙', enabled: true, remark: null },
    ])
    const [head, first] = await world.download(`/test/thing/import-result?id=${job.id}`)
    expect([head, first?.slice(0, 3)]).toEqual([
      ['结果', '类型', '名称', '状态', '备注', '错误原因'],
      ['已新增', 'thing_a', '甲'],
    ])
  })

  it('reports each cell, repeated rows, missing fields and rows that exist', async () => {
    await check([['thing_old', '旧', null, null, null]]).then(({ id }) => commit(id, false))
    const job = await check([
      ['X', '坏', '半开', null, null],
      ['thing_two', '二', null, null, null],
      ['thing_two', '又', null, null, null],
      ['thing_none', null, null, null, null],
      ['thing_old', '旧', null, null, null],
    ])
    expect(await reasons(job.id)).toEqual([
      ['BAD', 'type: 类型格式不正确', 'status: 状态不是可选的值'],
      ['CREATE'],
      ['BAD', 'type: 与第 3 行重复'],
      ['BAD', 'name: 名称不能为空'],
      ['BAD', 'type: 已经存在'],
    ])
  })

  it('changes what differs and leaves empty cells as they are when updates are asked for', async () => {
    await check([
      ['thing_a', '甲', '停用', null, '一'],
      ['thing_b', '乙', null, null, null],
    ]).then(({ id }) => commit(id, false))
    const job = await check(
      [
        ['thing_a', '丙', null, null, null],
        ['thing_b', '乙', '启用', null, null],
      ],
      'updateSupport=true',
    )
    expect(job.counts).toEqual({ create: 0, update: 1, same: 1, bad: 0 })
    await commit(job.id, false)
    expect(await stored()).toMatchObject([
      { type: 'thing_a', name: '丙', enabled: false, remark: '一' },
      { type: 'thing_b', name: '乙', enabled: true },
    ])
  })

  it('writes nothing when one of all lines is rejected while it is written, and the others when asked', async () => {
    const rows = ['a', 'b', 'c'].map((item) => [`thing_${item}`, `名${item}`, null, null, null])
    const job = await check(rows)
    await world.db.insertInto('dictType').values({ type: 'thing_x', name: '名b' }).execute()
    const rolledBack = await commit(job.id, false)
    expect(rolledBack).toMatchObject({ state: 'READY', counts: { create: 2, bad: 1, takenBack: 1 } })
    expect(await reasons(job.id)).toEqual([['CREATE'], ['BAD', expect.stringContaining('name: ')], ['CREATE']])
    expect(await stored()).toHaveLength(1)
    expect((await world.post('/test/thing/import-commit', { id: job.id, onlyGood: false })).code).toBe(
      codes.importHasBad.code,
    )
    expect(await commit(job.id, true)).toMatchObject({ state: 'DONE', counts: { created: 2, bad: 1 } })
    expect((await stored()).map(({ type }) => type)).toEqual(['thing_a', 'thing_c', 'thing_x'])
  })

  it('continues with the other lines when one of the good ones is rejected while it is written', async () => {
    const job = await check(
      [
        ['thing_a', '甲'],
        ['thing_b', '乙'],
      ].map((row) => [...row, null, null, null]),
    )
    await world.db.insertInto('dictType').values({ type: 'thing_x', name: '甲' }).execute()
    expect(await commit(job.id, true)).toMatchObject({ state: 'DONE', counts: { created: 1, bad: 1 } })
  })

  it('can read its own template', async () => {
    const lines = await world.download('/test/thing/get-import-template')
    const [head = [], sample = []] = lines
    const job = await check([sample.map((cell) => cell.replace('some', 'thing'))], '', head)
    expect(job.counts).toMatchObject({ create: 1, bad: 0 })
    expect(await linesOf(await workbook([]))).toHaveLength(1)
  })
})

describe('cell readers', () => {
  it.each([
    [readNumber, '1,234.5', 1234.5],
    [readNumber, '１２', 12],
    [readDay, '2026/3/1', '2026-03-01'],
    [readDay, '2026年3月1日', '2026-03-01'],
    [readDay, '2026-03-01 00:00:00', '2026-03-01'],
    [readInstant, '2026/3/1', Date.UTC(2026, 1, 28, 16)],
    [readInstant, '2026-03-01 08:30', Date.UTC(2026, 2, 1, 0, 30)],
    [readerFor(Millis.nullable()), '2026-03-01', Date.UTC(2026, 1, 28, 16)],
    [readerFor(z.int().optional()), '7', 7],
    [readerFor(Status), '停用', 1],
    [readerFor(z.boolean()), '是', true],
  ])('%o reads %s', (read, text, value) => {
    expect(read(text)).toEqual({ value })
  })

  it.each([
    [readNumber, '12a'],
    [readDay, '3月1日'],
    [readerFor(z.boolean()), '也许'],
  ])('%o rejects %s', (read, text) => {
    expect(read(text)).toHaveProperty('rule')
  })
})
