import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { metrics } from '#metrics'
import { openDb, openPool } from '#db/db'
import { createBreakableLink } from '../../test/breakable-link.ts'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { createPendingBudget } from './uplink/pending-budget.ts'

let world: GatewayFixture
beforeAll(async () => {
  world = await openGatewayFixture()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const pendingBytes = async (): Promise<number> => (await metrics.pendingBytes.get()).values[0]?.value ?? 0

it('gives a device, a school and the node their shares and resumes who can be read again', async () => {
  const budget = createPendingBudget({ total: 10_000, perSchool: 6000, perDevice: 2000 })
  const [one, two, other] = [
    { id: 1, schoolId: 1 },
    { id: 2, schoolId: 1 },
    { id: 3, schoolId: null },
  ]
  const release = budget.add(one, 500)
  expect([budget.canRead(one), budget.canRead(two), budget.canRead(other)]).toEqual([false, true, true])
  const resumed: string[] = []
  budget.onReadable(one, one, () => resumed.push('one'))
  const releaseTwo = budget.add(two, 1000)
  expect([budget.canRead(two), budget.canRead(other), budget.hasRoom()]).toEqual([false, true, false])
  budget.onReadable(two, two, () => resumed.push('two'))
  budget.cancel(two)
  release()
  releaseTwo()
  await expect.poll(() => resumed).toEqual(['one'])
  expect([budget.canRead(one), budget.canRead(two), budget.hasRoom()]).toEqual([true, true, true])
})

it('reads no further from a device that repeats its alarms while the database is away, and cuts no link', async () => {
  const perDevice = 40_000
  const link = await createBreakableLink(world.database.app)
  const pool = openPool({ ...link.connection, max: 2 }, 1)
  const { mqtt: url } = await world.gateway({ db: openDb(pool), budget: { perDevice } })
  const [flooding, other] = [await world.device(), await world.device()]
  const noisy = world.fleet({ devices: [flooding.credential], mqtt: url, faults: { copies: 1000 } })
  const calm = world.fleet({ devices: [other.credential], mqtt: url })
  await Promise.all([noisy.connected(), calm.connected()])
  const cutByServer = async () => (await metrics.refusedLinks.get()).values.reduce((sum, { value }) => sum + value, 0)
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
  await world.clear()
  await pool.end()
  await link.close()
})
