import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { type Db, openDb, openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { writeAudit, auditRows, insertAuditRows } from '../audit.ts'
import { invalidateSettings } from '#settings/settings-cache'
import { createAuditRetention } from './audit-retention.ts'
import { AUDIT_RETENTION_ACTION, retentionKey, retentionProof } from './retention-proof.ts'
import { sealHash, sealRoot, sealPendingRows } from './seal.ts'
import { getSealStatus, verifySeals } from './verify-seals.ts'

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Pool
let db: Db
const key = retentionKey(Buffer.alloc(32, 3))
const items: string[] = []
const log = { warn: (text: string) => void items.push(text) }
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
  items.length = 0
})
/** Resets the state of the process, as after a start: nothing was reported yet. */
const age = (on = db) => createAuditRetention(log, key)(on)
const verify = () => verifySeals(db, key)

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
  invalidateSettings()
}
const ago = (days: number) => new Date(Date.now() - days * 86_400_000)

/** Creates a seal of so many days ago, over operations of that time. */
const sealedAgo = async (days: number, ...actions: string[]) => {
  const at = ago(days)
  const entries = actions.map((action) => ({ actor: null, origin: null, action }))
  await insertAuditRows(db, auditRows(entries, at))
  const all = unscoped(db, 'a test')
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
  const all = unscoped(db, 'a test').selectFrom('auditLog').select('action').orderBy('id')
  return (await all.execute()).map(({ action }) => action)
}
/** An operation on every day: without later operations none becomes old. */
const yesterday = () => sealedAgo(2, 'yesterday')
const seals = async () => (await db.selectFrom('seal').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)

it('removes whole seals older than configured, and audits the removal with the last removed seal', async () => {
  await sealedAgo(300, 'a', 'b')
  await sealedAgo(250, 'c')
  await sealedAgo(190, 'd')
  await yesterday()
  await age()
  expect([await actions(), await seals()]).toEqual([
    ['d', 'yesterday', AUDIT_RETENTION_ACTION],
    [2, 3, 4],
  ])
  const { hash } = await db.selectFrom('seal').select('hash').where('seq', '=', 2).executeTakeFirstOrThrow()
  const removal = await unscoped(db, 'a test')
    .selectFrom('auditLog')
    .selectAll()
    .where('action', '=', AUDIT_RETENTION_ACTION)
    .execute()
  const after = { days: 200, rows: 3, seal: 2, hash: hash.toString('hex'), sealedAt: expect.any(String) }
  expect(items).toEqual([])
  expect(removal).toMatchObject([{ userId: null, result: 200, after }])
  await sealPendingRows(db)
  expect(await verify()).toMatchObject({ seals: 3, rows: 3, aged: expect.any(Date), broken: undefined })
  expect(await getSealStatus(db, 4)).toEqual({ seal: 3, sealState: 'SEALED' })
})

it('continues where it ended when more rows are old enough', async () => {
  await sealedAgo(300, 'a')
  await sealedAgo(250, 'b')
  await sealedAgo(190, 'c')
  await yesterday()
  await age()
  await age()
  expect(await actions()).toEqual(['c', 'yesterday', AUDIT_RETENTION_ACTION])
  await keep('180')
  await age()
  expect([await actions(), await seals()]).toEqual([
    ['yesterday', AUDIT_RETENTION_ACTION, AUDIT_RETENTION_ACTION],
    [3, 4],
  ])
  await sealPendingRows(db)
  expect(await verify()).toMatchObject({ seals: 2, rows: 3, broken: undefined })
})

it.each([100, -3650])('keeps a seal with a row of %i days ago and all later ones, and logs this', async (days) => {
  await insertAuditRows(db, auditRows([{ actor: null, origin: null, action: 'young' }], ago(days)))
  await sealedAgo(300, 'a')
  await sealedAgo(250, 'b')
  await yesterday()
  await age()
  expect(await actions()).toEqual(['young', 'a', 'b', 'yesterday'])
  expect(items).toEqual([expect.stringContaining('a row or seal among them is dated later')])
})

it('removes nothing for a day when the clock jumped forward', async () => {
  for (const days of [400, 300, 0]) await sealedAgo(days, `${days}`)
  await age()
  expect(items).toEqual([expect.stringContaining('nobody worked or the clock jumped')])
  expect(await actions()).toEqual(['400', '300', '0'])
})

it('reports once a day why nothing is removed, and a new reason at once', async () => {
  for (const days of [400, 300, 0]) await sealedAgo(days, `${days}`)
  const each = createAuditRetention(log, key)
  await each(db)
  await each(db)
  expect(items).toHaveLength(1)
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 86_400_000)
  await each(db)
  now.mockRestore()
  expect(items).toHaveLength(2)
  await owner.query('update audit_log set result = 1 where id = 1')
  await each(db)
  expect(items[2]).toContain('seal 1 is not what was written')
})

it.each([
  ['ahead', -3650],
  ['ahead by less than what is kept', -100],
])('leaves what follows a seal dated %s, and says so each time', async (_what, days) => {
  for (const at of [300, 290, days, 280, 270, 2]) await sealedAgo(at, `${at}`)
  for (let time = 0; time < 2; time++) {
    await age()
    expect([await actions(), items]).toEqual([
      [`${days}`, '280', '270', '2', AUDIT_RETENTION_ACTION],
      [expect.stringContaining('seal 3 is dated later than one that follows it')],
    ])
    items.length = 0
  }
})

it('reports a broken beginning also on days without operations', async () => {
  for (const days of [300, 290]) await sealedAgo(days, 'a')
  await owner.query('update audit_log set result = 1 where id = 1')
  await age()
  expect(items).toEqual([expect.stringContaining('seal 1 is not what was written')])
})

it.each([
  ['a row that is missing', 'delete from audit_log where id = 3', 2],
  ['a row that was changed', 'update audit_log set result = 1 where id = 4', 2],
  ['a seal that was changed', `update seal set row_ids = '[3]' where seq = 2`, 2],
  ['a beginning that is missing', 'delete from audit_log where id < 3; delete from seal where seq = 1', 1],
])('keeps %s, as a trace, and all after it, and says so', async (_what, statement, seal) => {
  for (const days of [300, 290, 280]) await sealedAgo(days, 'a', 'b')
  await yesterday()
  await owner.query(statement)
  const { broken } = await verify()
  await age()
  expect(items).toEqual([expect.stringContaining(`seal ${seal} is not what was written`)])
  expect(await verify()).toMatchObject({ broken })
  expect(await seals()).toEqual(expect.arrayContaining([2, 3, 4]))
})

it('keeps the legal minimum when a shorter setting was written past the form', async () => {
  for (const days of [185, 182, 170, 2]) await sealedAgo(days, `${days}`)
  await keep('1')
  await age()
  expect(await actions()).toEqual(['170', '2', AUDIT_RETENTION_ACTION])
})

it.each(['', 'abc', '-200', '200 days', '2e2'])(
  'keeps what it would by default where the days are “%s”',
  async (days) => {
    for (const at of [1200, 1100, 1000, 300, 2]) await sealedAgo(at, `${at}`)
    await keep(days)
    await age()
    expect(await actions()).toEqual(['1000', '300', '2', AUDIT_RETENTION_ACTION])
    expect(items).toEqual([expect.stringContaining('log.operate-days is not a number of days')])
  },
)

it('allows no other way to remove a row, and none for a younger row, to the server and to reports', async () => {
  for (const days of [185, 170, 2]) await sealedAgo(days, `${days}`)
  const ask = (by: pg.Pool, days: number | null) => by.query('select * from age_audit($1, 100)', [days])
  await expect(pool.query('delete from audit_log')).rejects.toThrow('permission denied')
  await expect(pool.query('delete from seal')).rejects.toThrow('permission denied')
  for (const days of [179, 0, -200, null]) await expect(ask(pool, days)).rejects.toThrow('180 days')
  await expect(ask(pool, 2_000_000_000)).rejects.toThrow('out of range')
  await expect(pool.query(`select age_audit(interval '-34 years 12420 days', 100)`)).rejects.toThrow('does not exist')
  const read = new pg.Pool({ ...database.read, max: 1 })
  await expect(ask(read, 365)).rejects.toThrow('permission denied')
  await read.end()
  expect(await actions()).toEqual(['185', '170', '2'])
  expect((await ask(pool, 180)).rows).toEqual([{ seal: 1, rows: 1 }])
})

it('counts days of 24 hours, also when a summer time makes one shorter', async () => {
  await sealedAgo(180 - 1 / 48, 'young')
  await yesterday()
  const client = await owner.connect()
  try {
    // In one of the two zones the half year nearly always ends an hour early.
    for (const zone of ['America/New_York', 'Pacific/Auckland']) {
      await client.query(`set timezone = '${zone}'`)
      expect((await client.query('select * from age_audit(180, 100)')).rows).toEqual([])
    }
  } finally {
    client.release(true)
  }
})

it('removes ten thousand rows at a time, each time with an audit row', async () => {
  for (const days of [300, 299, 298]) await sealedAgo(days, ...Array<string>(6000).fill('a'))
  await yesterday()
  await age()
  expect(await actions()).toEqual(['yesterday', AUDIT_RETENTION_ACTION, AUDIT_RETENTION_ACTION])
  await sealPendingRows(db)
  expect(await verify()).toMatchObject({ seals: 2, rows: 3, broken: undefined })
})

it('runs on one node at a time, and removes a seal wholly or not at all', async () => {
  for (const days of [300, 250, 190, 2]) await sealedAgo(days, 'a')
  await Promise.all([age(), age(), age()])
  expect(await actions()).toEqual(['a', 'a', AUDIT_RETENTION_ACTION])
  expect(items).toEqual([])
  await sealPendingRows(db)
  expect((await verify()).broken).toBeUndefined()
})

it('is not reported by a node that asked while another was about to remove', async () => {
  for (const days of [300, 250, 190, 2]) await sealedAgo(days, 'a')
  const slow = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows[0] && 'due' in result.rows[0]) await age()
      return result
    },
  })
  await age(slow)
  expect([await actions(), items]).toEqual([['a', 'a', AUDIT_RETENTION_ACTION], []])
})

it.each([
  [
    'the record of the removal taken away',
    `delete from audit_log where action = '${AUDIT_RETENTION_ACTION}'`,
    { reason: 'SEAL_MISSING' },
  ],
  [
    'another seal named',
    `update audit_log set after = after || '{"seal": 1}' where action = '${AUDIT_RETENTION_ACTION}'`,
    { seal: 1 },
  ],
  ['a seal more taken away', 'delete from seal where seq = 2', { seal: 1, reason: 'SEAL_MISSING' }],
  ['the seal that stayed changed', `update seal set at = at - interval '1 day' where seq = 2`, { seal: 1 }],
  [
    'the proof of the removal taken away',
    `update audit_log set after = after - 'proof' where action = '${AUDIT_RETENTION_ACTION}'`,
    { seal: 1 },
  ],
  ['a row more taken away', 'delete from audit_log where id = 3', { seal: 3, row: 3, reason: 'ROW_MISSING' }],
])('does not hide %s', async (_what, statement, broken) => {
  for (const days of [300, 250, 190, 2]) await sealedAgo(days, 'a')
  await age()
  await sealPendingRows(db)
  expect((await verify()).broken).toBeUndefined()
  await owner.query(statement)
  expect((await verify()).broken).toMatchObject(broken)
})

/** Removes the rows before the second seal, and writes a forged record of it, as the owner of the database could. */
const cutOff = async (at: Date, by: Uint8Array) => {
  const second = await db.selectFrom('seal').selectAll().where('seq', '=', 2).executeTakeFirstOrThrow()
  await owner.query('delete from audit_log where id <= 2; delete from seal where seq < 2')
  const hash = second.hash.toString('hex')
  const after = {
    days: 180,
    rows: 2,
    seal: 2,
    hash,
    sealedAt: second.at.toISOString(),
    proof: retentionProof(by, second),
  }
  await insertAuditRows(db, auditRows([{ actor: null, origin: null, action: AUDIT_RETENTION_ACTION, after }], at))
}
const stranger = new Uint8Array(32)

describe('a forged record of a removal', () => {
  it.each([0, -30])('does not hide rows that were too young, dated %i days ago', async (days) => {
    for (const at of [160, 150, 2]) await sealedAgo(at, 'a')
    await cutOff(ago(days), key)
    expect((await verify()).broken).toMatchObject({ reason: 'SEAL_MISSING' })
    await sealPendingRows(db)
    expect((await verify()).broken).toMatchObject({ reason: 'SEAL_MISSING' })
  })

  it.each([
    [4, undefined],
    [6, expect.objectContaining({ reason: 'SEAL_MISSING' })],
  ])('%i minutes too early is found beyond the five by which clocks are put right', async (minutes, broken) => {
    for (const at of [190, 180 - minutes / 1440, 2]) await sealedAgo(at, 'a')
    await cutOff(ago(0), key)
    await sealPendingRows(db)
    expect((await verify()).broken).toEqual(broken)
  })

  it('does not hide rows that were too young by a seal dated far ahead', async () => {
    for (const at of [160, 150, 2]) await sealedAgo(at, 'a')
    await cutOff(ago(-30), key)
    await sealedAgo(-30, 'b')
    expect((await verify()).broken).toMatchObject({ reason: 'SEAL_MISSING' })
  })

  it('does not hide rows that were old enough, without the key', async () => {
    for (const at of [400, 390, 2]) await sealedAgo(at, 'a')
    await cutOff(ago(0), stranger)
    await sealPendingRows(db)
    expect((await verify()).broken).toMatchObject({ reason: 'SEAL_MISSING' })
  })
})

describe('verifying finds', () => {
  it.each([
    ['a seal dated ahead', [2, -1], 2],
    ['a seal dated before the one it follows', [2, 5, 1], 2],
  ])('%s', async (_what, days, seal) => {
    for (const at of days) await sealedAgo(at, 'a')
    expect((await verify()).broken).toEqual({ seal, row: null, reason: 'TIME' })
  })

  it('a row dated after its seal, and a changed row before it', async () => {
    await sealedAgo(2, 'a')
    await insertAuditRows(db, auditRows([{ actor: null, origin: null, action: 'ahead' }], ago(-1)))
    await sealPendingRows(db)
    expect((await verify()).broken).toEqual({ seal: 2, row: null, reason: 'TIME' })
    await writeAudit(db, { actor: null, origin: null, action: 'changed' })
    await sealPendingRows(db)
    await owner.query("update audit_log set result = 1 where action = 'changed'")
    expect((await verify()).broken).toMatchObject({ seal: 3, reason: 'ROW' })
  })

  it('a row hidden in a seal below the first, which the server cannot write', async () => {
    await sealedAgo(3, 'a')
    await writeAudit(db, { actor: null, origin: null, action: 'hidden' })
    const hide = `insert into seal select 0, 'AUDIT', now(), jsonb_agg(id), '', '', '' from audit_unsealed`
    await expect(pool.query(hide)).rejects.toThrow('seal_seq_check')
    await owner.query('alter table seal drop constraint seal_seq_check')
    await pool.query(`${hide}; delete from audit_unsealed`)
    await sealedAgo(2, 'b')
    expect((await verify()).broken).toMatchObject({ reason: 'SEAL_MISSING' })
    await owner.query('delete from seal where seq = 0; alter table seal add constraint seal_seq_check check (seq > 0)')
  })
})
