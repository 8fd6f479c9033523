import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { canonicalJson } from '#db/canonical-json'
import { type Db, openDb, openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { writeAudit, writeAudits } from '../audit.ts'
import { MAX_ROWS_PER_SEAL, sealAllPending, sealPendingRows } from './seal.ts'
import { verifySeals } from './verify-seals.ts'

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Pool
let db: Db
const key = new Uint8Array(32)
beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 6 }, 30)
  owner = new pg.Pool(database.owner)
  db = openDb(pool)
})
afterAll(async () => {
  await pool.end()
  await owner.end()
  await database.drop()
})
beforeEach(() => owner.query('truncate audit_log, audit_unsealed, seal restart identity'))

const act = (action: string, on: Db = db) =>
  writeAudit(on, { actor: null, origin: null, action, after: { n: 1.5, 名: '值' } })
const sealed = async (...actions: string[]) => {
  for (const action of actions) await act(action)
  return sealPendingRows(db)
}

describe('seals', () => {
  it('cover every committed row once, and each contains the hash of the one before', async () => {
    const first = await sealed('a', 'b')
    const second = await sealed('c')
    expect(first).toMatchObject({ seq: 1, rowIds: [1, 2] })
    expect(second).toMatchObject({ seq: 2, rowIds: [3], prevHash: first?.hash })
    expect(await sealPendingRows(db)).toBeUndefined()
    expect(await verifySeals(db, key)).toEqual({
      seals: 2,
      rows: 3,
      head: second?.hash.toString('hex'),
      aged: undefined,
      broken: undefined,
    })
  })

  it('include a row that commits late in the next seal', async () => {
    let early: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (trx) => {
      await act('late', trx)
      early = sealed('early')
      expect(await early).toMatchObject({ rowIds: [2] })
    })
    expect(await sealPendingRows(db)).toMatchObject({ seq: 2, rowIds: [1] })
    expect((await verifySeals(db, key)).broken).toBeUndefined()
  })

  it('leave out rows that were rolled back', async () => {
    const undone = db.transaction().execute(async (trx) => {
      await act('undone', trx)
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    expect(await sealed('kept')).toMatchObject({ rowIds: [2] })
  })

  it('are created by one node at a time', async () => {
    for (let i = 0; i < 30; i += 1) await act('many')
    await Promise.all(Array.from({ length: 6 }, () => sealPendingRows(db)))
    await sealPendingRows(db)
    expect(await verifySeals(db, key)).toMatchObject({ rows: 30, broken: undefined })
  })

  it('cover the many rows of an import one after the other, without waiting for the next run', async () => {
    const items: string[] = []
    const log = { info: (text: string) => void items.push(text), warn: (text: string) => void items.push(text) }
    const entry = { actor: null, origin: null, action: 'import' }
    await writeAudits(db, Array<typeof entry>(2 * MAX_ROWS_PER_SEAL + 1).fill(entry))
    const stopping = new AbortController()
    const stopped = { ...log, info: (text: string) => void (items.push(text), stopping.abort()) }
    await sealAllPending({ db, log: stopped }, stopping.signal)
    expect(items).toEqual([expect.stringMatching(`^audit sealed: ${MAX_ROWS_PER_SEAL} rows, seal 1, `)])
    await sealAllPending({ db, log }, new AbortController().signal)
    expect(items.slice(1)).toEqual([
      expect.stringMatching(`^audit sealed: ${MAX_ROWS_PER_SEAL} rows, seal 2, `),
      expect.stringMatching('^audit sealed: 1 rows, seal 3, '),
    ])
    expect(await verifySeals(db, key)).toMatchObject({ seals: 3, rows: 2 * MAX_ROWS_PER_SEAL + 1, broken: undefined })
  })
})

describe('verifying', () => {
  it.each([
    ['a changed row', "update audit_log set action = 'x' where id = 2", { seal: 1, row: 2, reason: 'ROW' }],
    ['a duration put in', 'update audit_log set duration_ms = 5 where id = 1', { seal: 1, row: 1, reason: 'ROW' }],
    ['an address put in', `update audit_log set request_url = '/x' where id = 1`, { seal: 1, row: 1, reason: 'ROW' }],
    ['a changed state', `update audit_log set after = '{"n": 2}' where id = 1`, { seal: 1, row: 1, reason: 'ROW' }],
    ['a deleted row', 'delete from audit_log where id = 3', { seal: 2, row: 3, reason: 'ROW_MISSING' }],
    ['a deleted seal', 'delete from seal where seq = 1', { seal: 1, reason: 'SEAL_MISSING' }],
    ['a row taken out of its seal', `update seal set row_ids = '[1]' where seq = 1`, { seal: 1, reason: 'SEAL' }],
    ['another hash before', `update seal set prev_hash = '\\x00' where seq = 2`, { seal: 2, reason: 'PREVIOUS' }],
    ['a row taken out of the queue', 'delete from audit_unsealed', { seal: null, row: 4, reason: 'UNSEALED' }],
    [
      'a changed row in the queue',
      'update audit_log set result = 1 where id = 4',
      { seal: null, row: 4, reason: 'ROW' },
    ],
  ])('finds %s', async (_what, statement, broken) => {
    await sealed('a', 'b')
    await sealed('c')
    await act('waiting')
    expect((await verifySeals(db, key)).broken).toBeUndefined()
    await owner.query(statement)
    expect((await verifySeals(db, key)).broken).toMatchObject(broken)
  })

  it('accepts a row from before durations and addresses were stored, and finds a changed later one', async () => {
    const at = new Date('2026-01-01T00:00:00Z')
    const old = { at, userId: 1, username: 'old', deptId: 1, sessionId: 1, ip: null, userAgent: null, traceId: null }
    const did = { action: 'a', subject: null, subjectId: null, result: 200, before: null, after: { n: 1 } }
    const hash = createHash('sha256')
      .update(canonicalJson({ ...old, ...did, at: at.getTime() }))
      .digest()
    const all = unscoped(db, 'a test')
    await all
      .insertInto('auditLog')
      .values({ ...old, ...did, hash })
      .execute()
    const request = { method: 'POST', url: '/system/user/create' }
    const origin = { ip: '10.0.0.1', userAgent: 'test', traceId: 't', since: performance.now() - 1500, request }
    await writeAudit(db, { actor: null, origin, action: 'b' })
    await sealPendingRows(db)
    const rows = await all.selectFrom('auditLog').select('durationMs').orderBy('id').execute()
    expect(rows.map(({ durationMs }) => durationMs)).toEqual([null, expect.any(Number)])
    expect(rows[1]?.durationMs).toBeGreaterThanOrEqual(1500)
    expect(await verifySeals(db, key)).toMatchObject({ rows: 2, broken: undefined })
    for (const column of ['duration_ms', 'request_method', 'request_url']) {
      const keep = `update audit_log set ${column} = (select ${column} from kept) where id = 2`
      await owner.query('create table kept as select * from audit_log where id = 2')
      await owner.query(`update audit_log set ${column} = null where id = 2`)
      expect((await verifySeals(db, key)).broken).toMatchObject({ row: 2, reason: 'ROW' })
      await owner.query(keep)
      await owner.query('drop table kept')
    }
    expect((await verifySeals(db, key)).broken).toBeUndefined()
  })

  it('finds a changed row with a recomputed hash by its seal', async () => {
    await sealed('a')
    await act('b')
    await owner.query(
      "update audit_log set action = 'b', hash = (select hash from audit_log where id = 2) where id = 1",
    )
    expect((await verifySeals(db, key)).broken).toMatchObject({ seal: 1 })
  })
})
