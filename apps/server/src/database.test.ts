import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../test/database.ts'
import { databaseUrl } from '../../../tools/fault/fault-setup.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { appendOnly } from './db/schema/grants.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

const key = randomBytes(32).toString('base64')
const asOwner = async (text: string) => {
  const client = new pg.Client(database.owner)
  await client.connect()
  await client.query(text)
  await client.end()
}

const openGiven = async (said: string[] = []) => {
  const log = { info: () => {}, warn: (text: string) => void said.push(text), error: () => {} }
  const given = { DATABASE_URL: databaseUrl(database.owner), TOCSIN_MASTER_KEY: key }
  const { stop } = await openDatabase(readConfig(given), log)
  await stop()
}

it("warns at the start what an operator's own database does not forbid, and that it does not fsync", async () => {
  const said: string[] = []
  await openGiven(said)
  expect(said).toEqual([
    expect.stringMatching(/^fsync or full_page_writes is off/),
    expect.stringContaining(`may rewrite ${Object.keys(appendOnly).toSorted().join(', ')}:`),
  ])
})

it('rejects a database that answers commits before they are on disk', async () => {
  const set = (value: string) =>
    asOwner(`alter role tocsin_owner in database ${database.owner.database} set synchronous_commit = ${value}`)
  await set('off')
  await expect(openGiven()).rejects.toThrow('synchronous_commit is off in the database')
  await set('local')
  await openGiven()
})
