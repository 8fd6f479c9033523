import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../test/database.ts'
import { databaseUrl } from '../../../tools/fault/rig.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

it("says at the start that the one role of an operator's own database may rewrite what is only added to", async () => {
  const said: string[] = []
  const log = { info: () => {}, warn: (text: string) => void said.push(text), error: () => {} }
  const given = { DATABASE_URL: databaseUrl(database.owner), TOCSIN_MASTER_KEY: randomBytes(32).toString('base64') }
  const { stop } = await openDatabase(readConfig(given), log)
  await stop()
  expect(said).toEqual([expect.stringContaining('may rewrite audit_log, seal, signal, warn_log:')])
})
