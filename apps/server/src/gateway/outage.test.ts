import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Log } from '#config'
import { metrics } from '#metrics'
import { linkTo } from '../../test/database-link.ts'
import { makeWorld, type World } from '../../test/gateway-world.ts'
import { openDb, openPool } from '../db/db.ts'
import { makeHold, NotTaken } from './uplink/hold.ts'
import { sparing } from './sparing.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const listening = () => {
  const said: string[] = []
  const at = (level: string) => (text: string) => void said.push(`${level}: ${text}`)
  const log: Log = { info: at('info'), warn: at('warn'), error: at('error') }
  return { said, log }
}

const refusals = async (): Promise<number> => (await metrics.notTaken.get()).values[0]?.value ?? 0

it('says once that no more messages are held, and counts every one that is not taken', async () => {
  const { said, log } = listening()
  const hold = makeHold({ most: 2, log: sparing(log) })
  const before = await refusals()
  const release = Promise.withResolvers<string>()
  const held = [hold.take('a', () => release.promise), hold.take('b', () => release.promise)]
  for (const key of ['c', 'd', 'e']) await expect(hold.take(key, async () => key)).rejects.toThrow(NotTaken)
  // The same message again is not a further one.
  held.push(hold.take('a', async () => 'another'))
  expect(said).toEqual([expect.stringMatching(/^warn: 2 messages of devices wait/)])
  expect((await refusals()) - before).toBe(3)
  release.resolve('kept')
  expect(await Promise.all(held)).toEqual(['kept', 'kept', 'kept'])
  expect(await hold.take('c', async () => 'c')).toBe('c')
})

it('puts calls of devices off while the database is away: 503, one line, no stack', async () => {
  const { said, log } = listening()
  const link = await linkTo(world.database.app)
  const pool = openPool({ ...link.connection, max: 2 }, 1)
  const device = await world.device()
  const { http } = await world.gateway({ db: openDb(pool), log })
  const post = async (path: string, method = 'POST', body = '{}') => {
    const target = `/device-api/v1/${path}`
    const nonce = randomBytes(16).toString('base64url')
    const signed = { method, path: target, nonce, body: Buffer.from(method === 'GET' ? '' : body) }
    const headers = signedHeaders(httpKey(device.credential.secret), device.credential, Date.now(), signed)
    const response = await fetch(`${http}${target}`, { method, headers, ...(method === 'POST' && { body }) })
    return [response.status, response.headers.get('retry-after'), await response.json()]
  }
  expect((await post('commands?wait=0', 'GET'))[0]).toBe(200)
  link.cut()
  const away = [503, '5', { error: 'not now' }]
  for (let turn = 0; turn < 3; turn += 1) expect(await post('alarms')).toEqual(away)
  expect(await post('commands?wait=0', 'GET')).toEqual(away)
  const calls = said.filter((line) => line.includes('calls of devices'))
  expect(calls).toEqual([expect.stringMatching(/^warn: calls of devices are put off, the database is away: [^\n]+$/)])
  expect(said.filter((line) => line.startsWith('error') || line.includes('\n'))).toEqual([])
  link.mend()
  await expect.poll(async () => (await post('alarms'))[0]).toBe(202)
  await world.clear()
  await pool.end()
  await link.close()
})
