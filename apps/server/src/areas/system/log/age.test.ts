import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { type Db, openDb, openPool } from '../../../db/db.ts'
import { everything } from '../../../db/scope.ts'
import { audit, auditRows, insertAudits } from '../audit.ts'
import { forgetConfig } from '../config/value.ts'
import { AGE, forgetAudit } from './age.ts'
import { sealHash, sealRoot, sealWaiting } from './seal.ts'
import { sealOf, verifySeals } from './verify-seals.ts'

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Pool
let db: Db
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
beforeEach(async () => {
  await owner.query('truncate audit_log, audit_unsealed, seal restart identity')
  await keep('200')
})

const keep = async (days: string) => {
  await db.deleteFrom('config').where('key', '=', 'log.operate-days').execute()
  const row = {
    category: 'log',
    name: 'x',
    key: 'log.operate-days',
    value: days,
    valueType: 'INT',
    builtIn: true,
  } as const
  await db.insertInto('config').values(row).execute()
  forgetConfig()
}
const ago = (days: number) => new Date(Date.now() - days * 86_400_000)

/** A seal as it was made so many days ago, over operations of then. */
const sealedAgo = async (days: number, ...actions: string[]) => {
  const at = ago(days)
  const entries = actions.map((action) => ({ actor: null, origin: null, action }))
  await insertAudits(db, auditRows(entries, at))
  const all = everything(db, 'a test')
  const rows = await all
    .selectFrom('auditUnsealed')
    .innerJoin('auditLog', 'auditLog.id', 'auditUnsealed.id')
    .select(['auditLog.id', 'auditLog.hash'])
    .orderBy('auditLog.id')
    .execute()
  const last = await db.selectFrom('seal').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst()
  const rowIds = rows.map(({ id }) => id)
  const root = sealRoot(rows)
  const seal = { seq: (last?.seq ?? 0) + 1, kind: 'AUDIT', at, rowIds, root, prevHash: last?.hash ?? Buffer.alloc(0) }
  const row = { ...seal, rowIds: JSON.stringify(rowIds) as unknown as number[], hash: sealHash(seal) }
  await db.insertInto('seal').values(row).execute()
  await db.deleteFrom('auditUnsealed').execute()
}
const actions = async () => {
  const all = everything(db, 'a test').selectFrom('auditLog').select('action').orderBy('id')
  return (await all.execute()).map(({ action }) => action)
}
const seals = async () => (await db.selectFrom('seal').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)

it('removes by whole seals what is older than configured, and is on record with what the rest is chained to', async () => {
  await sealedAgo(300, 'a', 'b')
  await sealedAgo(250, 'c')
  await sealedAgo(190, 'd')
  await forgetAudit(db)
  expect([await actions(), await seals()]).toEqual([
    ['d', AGE],
    [2, 3],
  ])
  const { hash } = await db.selectFrom('seal').select('hash').where('seq', '=', 2).executeTakeFirstOrThrow()
  const removal = await everything(db, 'a test').selectFrom('auditLog').selectAll().where('action', '=', AGE).execute()
  const after = { days: 200, rows: 3, seal: 2, hash: hash.toString('hex'), sealedAt: expect.any(String) }
  expect(removal).toMatchObject([{ userId: null, result: 200, after }])
  await sealWaiting(db)
  expect(await verifySeals(db)).toMatchObject({ seals: 2, rows: 2, aged: expect.any(Date), broken: undefined })
  expect(await sealOf(db, 4)).toEqual({ seal: 3, sealState: 'SEALED' })
})

it('goes on where it ended, once there is something again', async () => {
  await sealedAgo(300, 'a')
  await sealedAgo(250, 'b')
  await sealedAgo(190, 'c')
  await forgetAudit(db)
  await forgetAudit(db)
  expect(await actions()).toEqual(['c', AGE])
  await keep('180')
  await forgetAudit(db)
  expect([await actions(), await seals()]).toEqual([[AGE, AGE], [3]])
  await sealWaiting(db)
  expect(await verifySeals(db)).toMatchObject({ seals: 1, rows: 2, broken: undefined })
})

it('leaves a seal that holds anything younger, and all after it', async () => {
  await insertAudits(db, auditRows([{ actor: null, origin: null, action: 'young' }], ago(100)))
  await sealedAgo(300, 'a')
  await sealedAgo(250, 'b')
  await forgetAudit(db)
  expect(await actions()).toEqual(['young', 'a', 'b'])
})

it('keeps what the law wants, whatever was written past the form', async () => {
  for (const days of [185, 182, 170]) await sealedAgo(days, `${days}`)
  await keep('1')
  await forgetAudit(db)
  expect(await actions()).toEqual(['170', AGE])
})

it('is the only way to remove a row, and none to a younger one, for the server or for reports', async () => {
  for (const days of [185, 170]) await sealedAgo(days, `${days}`)
  const ask = (by: pg.Pool, days: string) => by.query('select * from age_audit($1::interval, 100)', [days])
  await expect(pool.query('delete from audit_log')).rejects.toThrow('permission denied')
  await expect(pool.query('delete from seal')).rejects.toThrow('permission denied')
  await expect(ask(pool, '179 days')).rejects.toThrow('180 days')
  await expect(pool.query('select * from age_audit(null, 100)')).rejects.toThrow('180 days')
  const read = new pg.Pool({ ...database.read, max: 1 })
  await expect(ask(read, '1 year')).rejects.toThrow('permission denied')
  await read.end()
  expect(await actions()).toEqual(['185', '170'])
})

it('takes so many rows at a time', async () => {
  for (const days of [300, 299, 298, 297]) await sealedAgo(days, 'a', 'b', 'c')
  const { rows } = await pool.query("select seal, rows from age_audit('200 days', 4)")
  expect(rows).toEqual([{ seal: 2, rows: 6 }])
})

it('is done by one node at a time, and by its whole or not at all', async () => {
  for (const days of [300, 250, 190]) await sealedAgo(days, 'a')
  await Promise.all([forgetAudit(db), forgetAudit(db), forgetAudit(db)])
  expect(await actions()).toEqual(['a', AGE])
  await sealWaiting(db)
  expect((await verifySeals(db)).broken).toBeUndefined()
})

it.each([
  ['the record of the removal taken away', `delete from audit_log where action = '${AGE}'`, { reason: 'SEAL_MISSING' }],
  ['another seal named', `update audit_log set after = after || '{"seal": 1}' where action = '${AGE}'`, { seal: 1 }],
  ['a seal more taken away', 'delete from seal where seq = 2', { seal: 1, reason: 'SEAL_MISSING' }],
  ['the seal that stayed changed', `update seal set at = at - interval '1 day' where seq = 2`, { seal: 1 }],
  ['a row more taken away', 'delete from audit_log where id = 3', { seal: 3, row: 3, reason: 'ROW_MISSING' }],
])('does not hide %s', async (_what, statement, broken) => {
  for (const days of [300, 250, 190]) await sealedAgo(days, 'a')
  await forgetAudit(db)
  await sealWaiting(db)
  expect((await verifySeals(db)).broken).toBeUndefined()
  await owner.query(statement)
  expect((await verifySeals(db)).broken).toMatchObject(broken)
})

it('does not hide what somebody removed that was too young, by a record made for it', async () => {
  for (const days of [170, 160]) await sealedAgo(days, 'a')
  const first = await db.selectFrom('seal').selectAll().where('seq', '=', 1).executeTakeFirstOrThrow()
  const after = { days: 180, rows: 1, seal: 1, hash: first.hash.toString('hex'), sealedAt: first.at.toISOString() }
  await owner.query('delete from audit_log where id = 1')
  await audit(db, { actor: null, origin: null, action: AGE, after })
  await sealWaiting(db)
  expect((await verifySeals(db)).broken).toMatchObject({ seal: 1, row: 1, reason: 'ROW_MISSING' })
})
