import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Log } from '#config'
import { metrics } from '#metrics'
import { createBreakableLink } from '../../test/breakable-link.ts'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { openDb, openPool } from '#db/db'
import { createStorageStatus } from '#db/storage/storage-status'
import { createDeviceMessageStore } from './device-message-store.ts'
import { QueueFullError } from './uplink/queue-full.ts'
import { createRetryQueue } from './uplink/retry-queue.ts'
import { createIngestAdapter } from './uplink/ingest-adapter.ts'
import { throttleLog } from './throttled-log.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const listening = () => {
  const said: string[] = []
  const at = (level: string) => (text: string) => void said.push(`${level}: ${text}`)
  const log: Log = { info: at('info'), warn: at('warn'), error: at('error') }
  return { said, log }
}

const refusals = async (): Promise<number> => (await metrics.overloadRejections.get()).values[0]?.value ?? 0

it('logs once that the queue is full, and counts every rejected message', async () => {
  const { said, log } = listening()
  const retryQueue = createRetryQueue({ concurrency: 1, maxPending: 1, log: throttleLog(log) })
  const before = await refusals()
  const release = Promise.withResolvers<string>()
  const held = [
    retryQueue.run('a', () => release.promise, { lane: 1 }),
    retryQueue.run('b', () => release.promise, { lane: 2 }),
  ]
  for (const key of ['c', 'd', 'e'])
    await expect(retryQueue.run(key, async () => key, { lane: key })).rejects.toThrow(QueueFullError)
  // A copy of a pending message does not count against the limit.
  held.push(retryQueue.run('a', async () => 'another', { lane: 1 }))
  expect(said).toEqual([expect.stringMatching(/^warn: 2 messages of devices wait/)])
  expect((await refusals()) - before).toBe(3)
  release.resolve('kept')
  expect(await Promise.all(held)).toEqual(['kept', 'kept', 'kept'])
  expect(await retryQueue.run('c', async () => 'c', { lane: 'c' })).toBe('c')
})

it('runs the works of one sender in order, and delays no other sender, when many works wait', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ concurrency: 1, maxPending: 9, log })
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const say = (key: string) => retryQueue.run(key, async () => void done.push(key), { lane: key.slice(0, 1) })
  const first = retryQueue.run('first', () => gate.promise, { lane: 'a' })
  const broken = retryQueue.run('broken', () => Promise.reject(new Error('no outage')), { lane: 'b' })
  const rest = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map(say)
  expect(retryQueue.pendingCount()).toBe(8)
  gate.resolve()
  await first
  await expect(broken).rejects.toThrow(QueueFullError)
  await Promise.all(rest)
  expect(done).toEqual(['c1', 'a1', 'b1', 'c2', 'a2', 'a3'])
  expect(retryQueue.pendingCount()).toBe(0)
})

it('reports trouble once to each work, also to later ones, when the database fails', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ log })
  const items: string[] = []
  const gate = Promise.withResolvers<string>()
  const say = (key: string, work: () => Promise<string>) =>
    retryQueue.run(key, work, { lane: 1, onTrouble: () => void items.push(key) })
  let tries = 0
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  const failing = say('failing', () => (tries++ < 3 ? Promise.reject(away) : gate.promise))
  const behind = say('behind', async () => 'behind')
  expect(items).toEqual([])
  await expect.poll(() => items).toEqual(['failing', 'behind'])
  const late = say('late', async () => 'late')
  expect(items).toEqual(['failing', 'behind', 'late'])
  gate.resolve('failing')
  expect(await Promise.all([failing, behind, late])).toEqual(['failing', 'behind', 'late'])
  expect(tries).toBeGreaterThan(2)
  await say('after', async () => 'after')
  expect(items).toHaveLength(3)
})

it('keeps messages for every network error when the database machine is unreachable', async () => {
  const { said, log } = listening()
  const retryQueue = createRetryQueue({ log })
  const named = ['ECONNREFUSED', 'ECONNABORTED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT']
  const unreachable = [...named, 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']
  const take = (code: string) => {
    let failures = 0
    const work = async () => {
      if (failures === 4) return code
      failures += 1
      throw Object.assign(new Error('away'), { code })
    }
    return retryQueue.run(code, work, { lane: code })
  }
  expect(await Promise.all(unreachable.map(take))).toEqual(unreachable)
  expect(said).toEqual([])
})

it('stores both messages when they differ only at their end and are pending together', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ log })
  const { id } = await fixture.device()
  const head = Buffer.alloc(1000, 'x')
  const both = ['1', '2'].map((tail) => Buffer.concat([head, Buffer.from(tail)]))
  const kept = (table: string) => fixture.query(`select raw from ${table} where device_id = $1 order by raw`, [id])
  const storeMessage = createDeviceMessageStore({
    db: fixture.db,
    retryQueue,
    droppedMessages: { countDropped: () => {}, check: async () => {}, stop: async () => {} },
  })
  await Promise.all(both.map((bytes) => storeMessage({ device: { id } }, 'ota', bytes)))
  expect(await kept('device_message')).toEqual(both.map((raw) => ({ raw })))
  const device = { id, schoolId: null, deptId: 0, gatewayId: null, kind: 'PANIC_BUTTON', heartbeatSec: 30 } as const
  const sender = { device: { ...device, sn: 'x', productKey: 'panic1' }, via: 'MQTT', heardAt: null } as const
  const intake = createIngestAdapter({ db: fixture.db, retryQueue })
  await Promise.all(both.map((bytes) => intake.unreadable(sender, id, { channel: 'sub', bytes, reason: 'NOT_CBOR' })))
  expect(await kept('signal')).toEqual(both.map((raw) => ({ raw })))
})

it('reports trouble to a work that waits long behind many others', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ concurrency: 1, longMs: 50, log })
  const items: string[] = []
  const gate = Promise.withResolvers<void>()
  const say = (lane: string, work: () => Promise<void>) =>
    retryQueue.run(lane, work, { lane, onTrouble: () => void items.push(lane) })
  const both = [say('a', () => gate.promise), say('b', async () => {})]
  await expect.poll(() => items).toEqual(['a', 'b'])
  gate.resolve()
  await Promise.all(both)
})

it('reports trouble at once behind a work of the same lane that waits long, unless the queue is half full', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ concurrency: 1, maxPending: 6, longMs: 2000, log })
  const items: string[] = []
  const gate = Promise.withResolvers<void>()
  const say = (key: string, lane: string) =>
    retryQueue.run(key, () => gate.promise, { lane, onTrouble: () => void items.push(key) })
  const works = [say('first', 'a')]
  await expect.poll(() => items).toEqual(['first'])
  works.push(say('second', 'a'), say('other', 'b'))
  await expect.poll(() => items).toEqual(['first', 'second'])
  works.push(say('third', 'a'))
  await expect.poll(() => items).toEqual(['first', 'second', 'other', 'third'])
  gate.resolve()
  await Promise.all(works)
})

it('rejects waiting works when the server stops', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ concurrency: 1, maxPending: 1, log })
  const gate = Promise.withResolvers<void>()
  const running = retryQueue.run('running', () => gate.promise, { lane: 1 })
  let tried = false
  const waiting = retryQueue.run('waiting', async () => void (tried = true), { lane: 2 })
  retryQueue.stop()
  gate.resolve()
  await running
  await expect(waiting).rejects.toThrow(QueueFullError)
  expect(tried).toBe(false)
})

it('answers calls of devices 503 and logs one line without a stack when the database is unavailable', async () => {
  const { said, log } = listening()
  const link = await createBreakableLink(fixture.database.app)
  const pool = openPool({ ...link.connection, max: 2 }, 1)
  const device = await fixture.device()
  const { http } = await fixture.gateway({ db: openDb(pool), log })
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
  expect(calls).toEqual([
    expect.stringMatching(/^warn: calls of devices are answered 503, the database is unavailable: [^\n]+$/),
  ])
  expect(said.filter((line) => line.startsWith('error') || line.includes('\n'))).toEqual([])
  link.mend()
  await expect.poll(async () => (await post('alarms'))[0]).toBe(202)
  await fixture.clear()
  await pool.end()
  await link.close()
})

it('reports progress while messages are committed or none waits', async () => {
  const { log } = listening()
  const retryQueue = createRetryQueue({ log, stillMs: 500 })
  expect(retryQueue.isProgressing()).toBe(true)
  const gate = Promise.withResolvers<string>()
  const stuck = retryQueue.run('stuck', () => gate.promise, { lane: 'a', commits: true })
  expect(retryQueue.isProgressing()).toBe(true)
  await expect.poll(retryQueue.isProgressing).toBe(false)
  await retryQueue.run('who', async () => 'a device', { lane: 'b' })
  expect(retryQueue.isProgressing()).toBe(false)
  await retryQueue.run('other', async () => 'kept', { lane: 'b', commits: true })
  expect(retryQueue.isProgressing()).toBe(true)
  await expect.poll(retryQueue.isProgressing).toBe(false)
  gate.resolve('kept')
  await stuck
  expect(retryQueue.isProgressing()).toBe(true)
})

it('reports no progress when the intake is blocked, and is unhealthy when stopped', async () => {
  const { mqtt: url, isHealthy: works, isProgressing: moves, stop } = await fixture.gateway({ stillMs: 1000 })
  const device = await fixture.device()
  const fleet = fixture.fleet({ devices: [device.credential], mqtt: url })
  await fleet.connected()
  expect([works(), moves()]).toEqual([true, true])
  const blocker = await fixture.owner.connect()
  await blocker.query('begin; lock table signal in exclusive mode')
  fleet.press(device.sn)
  await expect.poll(moves).toBe(false)
  expect(works()).toBe(true)
  await blocker.query('commit')
  blocker.release()
  await expect.poll(fleet.unsent).toBe(0)
  expect(moves()).toBe(true)
  await stop()
  expect(works()).toBe(false)
})

const signedPress = async (http: string, { credential }: Awaited<ReturnType<GatewayFixture['device']>>) => {
  const path = '/device-api/v1/alarms'
  const eventId = `FULL-DISK-${randomBytes(6).toString('hex')}`
  const body = Buffer.from(
    JSON.stringify({ v: 1, eventId, boot: 1, seq: 1, ts: Date.now(), upMs: 1, mode: 'LIVE', code: 'PANIC' }),
  )
  const nonce = randomBytes(12).toString('base64url')
  const headers = signedHeaders(httpKey(credential.secret), credential, Date.now(), {
    method: 'POST',
    path,
    nonce,
    body,
  })
  return fetch(`${http}${path}`, { method: 'POST', headers, body })
}

it('reports since when alarms cannot be stored, answers presses 503 after 5 s, and stores all later', async () => {
  const storage = createStorageStatus()
  const { mqtt, http } = await fixture.gateway({ storage })
  const [first, second] = [await fixture.device(), await fixture.device()]
  const fleet = fixture.fleet({ devices: [first.credential], mqtt })
  await fleet.connected()
  await fixture.owner.query(`
    create function fail_as_full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger full_disk before insert on signal execute function fail_as_full_disk()`)
  const before = Date.now()
  try {
    fleet.press(first.sn)
    await expect.poll(storage.failingSince).toBeGreaterThanOrEqual(before)
    const answer = await signedPress(http, second)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(Date.now() - before).toBeGreaterThan(4900)
  } finally {
    await fixture.owner.query('drop trigger full_disk on signal; drop function fail_as_full_disk()')
  }
  await expect.poll(storage.failingSince, { timeout: 10_000 }).toBeUndefined()
  const raised = () =>
    fixture.query('select device_id from warn_record where device_id in ($1, $2)', [first.id, second.id])
  await expect.poll(raised, { timeout: 10_000 }).toHaveLength(2)
})
