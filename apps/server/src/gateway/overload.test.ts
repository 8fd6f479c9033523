import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { metrics } from '#metrics'
import { openDb, openPool } from '#db/db'
import { createBreakableLink } from '../../test/breakable-link.ts'
import { quietLog } from '../../test/quiet-log.ts'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { LinkEndedError } from './uplink/copy-waiters.ts'
import { createFairQueue } from './uplink/fair-queue.ts'
import { createPendingBudget } from './uplink/pending-budget.ts'
import { createRetryQueue } from './uplink/retry-queue.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const pendingBytes = async (): Promise<number> => (await metrics.pendingBytes.get()).values[0]?.value ?? 0

it('limits a device, a school and the node, and resumes senders below their limits', async () => {
  const busy: boolean[] = []
  const limits = { total: 12_000, perSchool: 6000, perDevice: 2000 }
  const budget = createPendingBudget(limits, (isBusy) => busy.push(isBusy))
  const [first, second, third] = [
    { id: 1, schoolId: 1 },
    { id: 2, schoolId: 1 },
    { id: 3, schoolId: null },
  ]
  const release = budget.add(first, 500)
  expect([budget.canRead(first), budget.canRead(second), budget.canRead(third)]).toEqual([false, true, true])
  const resumed: string[] = []
  budget.onReadable(first, first, () => resumed.push('one'))
  const releaseTwo = budget.add(second, 1000)
  expect([budget.canRead(second), budget.canRead(third), budget.hasRoom()]).toEqual([false, true, false])
  budget.onReadable(second, second, () => resumed.push('two'))
  budget.cancel(second)
  release()
  releaseTwo()
  await expect.poll(() => resumed).toEqual(['one'])
  expect([budget.canRead(first), budget.canRead(second), budget.hasRoom()]).toEqual([true, true, true])
  expect(busy).toEqual([true, false])
})

it('starts the first press of each device before repeats, and a waiting lane at every fourth place', async () => {
  const queue = createFairQueue(1)
  const gate = Promise.withResolvers<void>()
  const started: string[] = []
  const add = (name: string) => queue.add(name.slice(0, 1), async () => void started.push(name))
  queue.add('a', () => gate.promise)
  for (const name of ['a1', 'a2', 'a3', ...'bcdefgh']) add(name)
  expect(queue.oldestMs('a')).toBeGreaterThan(0)
  expect(queue.oldestMs('z')).toBe(0)
  gate.resolve()
  await expect.poll(() => started).toEqual(['b', 'c', 'a1', 'd', 'e', 'f', 'a2', 'g', 'h', 'a3'])
})

it('keeps one waiter for the copies of a message on a link, and drops it when the link ends', async () => {
  const queue = createRetryQueue({ log: quietLog })
  const gate = Promise.withResolvers<string>()
  const send = (link: object) => queue.run('press', () => gate.promise, { lane: 1, link })
  const [first, second, third] = [{}, {}, {}]
  const message = send(first)
  const copies = [send(second), send(second)]
  expect(copies[0]).toBe(copies[1])
  const other = send(third)
  queue.endLink(second)
  queue.endLink(first)
  await expect(copies[0]).rejects.toThrow(LinkEndedError)
  expect(queue.pendingCount()).toBe(1)
  gate.resolve('committed')
  expect(await Promise.all([message, other])).toEqual(['committed', 'committed'])
  await expect.poll(queue.pendingCount).toBe(0)
})

it('repeats at once what waits when the first commit ends an outage', async () => {
  const queue = createRetryQueue({ log: quietLog })
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  let isAway = true
  let tries = 0
  const work = async () => {
    tries += 1
    if (isAway) throw away
  }
  const paused = queue.run('paused', work, { lane: 1, commits: true })
  // After the fifth failure the pause is at least 1.6 s.
  await expect.poll(() => tries).toBe(5)
  isAway = false
  const from = performance.now()
  await queue.run('other', async () => {}, { lane: 2, commits: true })
  await paused
  expect(performance.now() - from).toBeLessThan(1500)
})

it('reads no further from a device that repeats its alarms while the database is away, and cuts no link', async () => {
  const perDevice = 40_000
  const link = await createBreakableLink(fixture.database.app)
  const pool = openPool({ ...link.connection, max: 2 }, 1)
  const { mqtt: url } = await fixture.gateway({ db: openDb(pool), budget: { perDevice } })
  const [flooding, other] = [await fixture.device(), await fixture.device()]
  const noisy = fixture.fleet({ devices: [flooding.credential], mqtt: url, faults: { copies: 1000 } })
  const calm = fixture.fleet({ devices: [other.credential], mqtt: url })
  await Promise.all([noisy.connected(), calm.connected()])
  const cutByServer = async () =>
    (await metrics.rejectedConnections.get()).values.reduce((sum, { value }) => sum + value, 0)
  const before = await cutByServer()
  link.cut()
  for (let n = 0; n < 20; n += 1) noisy.press(flooding.sn)
  await expect.poll(pendingBytes).toBeGreaterThan(perDevice)
  const withNoisy = await pendingBytes()
  calm.press(other.sn)
  await expect.poll(pendingBytes).toBeGreaterThan(withNoisy)
  await new Promise((done) => setTimeout(done, 3000))
  // One read of the socket (64 KiB) may pass the limit; all that was sent would be ten times as much.
  expect(await pendingBytes()).toBeLessThan(1_500_000)
  expect([noisy.stats().accepted, calm.stats().accepted]).toEqual([0, 0])
  link.mend()
  await expect.poll(() => [noisy.unsent(), calm.unsent()]).toEqual([0, 0])
  await expect.poll(pendingBytes).toBe(0)
  expect([noisy.stats().lost, calm.stats().lost, await cutByServer()]).toEqual([0, 0, before])
  await fixture.clear()
  await pool.end()
  await link.close()
})
