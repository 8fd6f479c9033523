import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type Console, openConsole } from '../../../../../test/console.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../../../../test/database.ts'
import { SEED_PASSWORD } from '../../../../../test/seed-password.ts'
import { type LiveServer, startLiveServer } from '../../../../../test/live-server.ts'
import { openPool } from '#db/db'
import { authenticateToken } from '#http/session-auth'
import { lockRoutes } from './lock.ts'

const password = SEED_PASSWORD
let database: TestDatabase
let pool: ReturnType<typeof openPool>
let site: Console
let live: LiveServer

beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 6 }, 30)
  site = await openConsole(pool, (db) => lockRoutes({ db }))
  await makeUser(site.db, { username: 'wang', password, roles: ['guard'] })
  // The socket checks the real session, as the server's does.
  live = await startLiveServer(database, { find: authenticateToken(site.db) })
})
afterAll(async () => {
  await live.stop()
  await site.app.close()
  await pool.end()
  await database.drop()
})

it('a locked session receives only counts on its socket, and everything again after the unlock', async () => {
  const token = await site.tokenOf('wang', password)
  const page = await live.page(token)
  const turn = async (path: string, body: object) => {
    expect((await site.call('POST', path, { token, body })).code).toBe(200)
  }
  await turn('/system/auth/lock', {})
  expect(await page.until((frame) => frame.type === 'ready' && frame.locked)).toBeTruthy()
  expect(await page.until(({ type }) => type === 'count')).toMatchObject({ type: 'count' })
  await live.commit({ type: 'alarm.raised', ref: 1 })
  expect(await page.until(({ type }) => type === 'count')).toMatchObject({ type: 'count' })
  await turn('/system/auth/unlock', { password })
  expect(await page.until((frame) => frame.type === 'ready' && !frame.locked)).toBeTruthy()
  expect(await page.until(({ type }) => type === 'alarm.raised')).toMatchObject({ data: { ref: 1 } })
})
