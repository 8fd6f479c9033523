import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDb, openPool } from '#db/db'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { isOpenByState } from './open-records.ts'

let database: TestDatabase
/** As the owner, who may drop an index. */
let db: Db
beforeAll(async () => {
  database = await cloneDatabase()
  db = openDb(openPool({ ...database.owner, max: 1 }, 20))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

describe('isOpenByState', () => {
  const explain = () =>
    db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select id from warn_record where device_id = 1 and class = 'PANIC' and ${isOpenByState}`.execute(trx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })

  it('reads by the index of open records of a device', async () => {
    expect(await explain()).toContain('using warn_record_open_device')
  })

  it('reads by no other index of open records when that index is missing', async () => {
    await sql`drop index warn_record_open_device`.execute(db)
    const plan = await explain()
    expect(plan).toContain('warn_record')
    expect(plan).not.toMatch(/warn_record_open_/)
  })
})
