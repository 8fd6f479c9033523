import { insertReceipts, type DeviceReceipt } from '#areas/alarm/intake/pending-writes'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { lockWaiters } from '../../../test/lock-waiters.ts'
import { claimPending, markSent, listPending, deleteExpired, deleteDelivered } from './outbox-rows.ts'

let fixture: GatewayFixture
let deviceId: number
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
beforeEach(async () => {
  deviceId = (await fixture.device()).id
  await fixture.query(`update device_state set connectivity = 'ONLINE' where device_id = $1`, [deviceId])
})
afterAll(() => fixture.close())

const receipt = (key: string, stage = 'claimed', seconds = 60): DeviceReceipt => {
  const payload = { eventId: 'E1763697600-0001', stage }
  return { deviceId, channel: 'ack', key, payload, seconds }
}
const say = (...rows: DeviceReceipt[]) => insertReceipts(rows).execute(fixture.db)
const waiting = async () => (await listPending(fixture.db, [deviceId])).map(({ id, key }) => ({ id, key }))

/** All writers that lock several rows of a device. */
const holders: [string, (ids: number[]) => Promise<unknown>][] = [
  ['intake', () => say(receipt('9.claimed'), receipt('10.claimed'))],
  ['a note of what left', (ids) => markSent(fixture.db, ids)],
  [
    'a note of what arrived',
    () =>
      deleteDelivered(
        fixture.db,
        ['9.claimed', '10.claimed'].map((key) => ({ ...receipt(key), payload: null })),
      ),
  ],
  ['who takes what waits', () => claimPending(fixture.db, [deviceId])],
  ['the end of what expired', () => deleteExpired(fixture.db)],
]

it.each(holders)('%s locks the rows of a device in the common order', async (user, hold) => {
  // Inserts in reverse order, so that neither ids nor table order give the common order.
  await say(receipt('9.claimed', 'claimed', -1))
  await say(receipt('10.claimed', 'claimed', -1))
  const ids = (
    await fixture.query<{ id: number }>('select id from device_outbox where device_id = $1', [deviceId])
  ).map(({ id }) => Number(id))
  if (user.startsWith('who takes'))
    await fixture.query('update device_outbox set expires_at = null where device_id = $1', [deviceId])
  const row = `select from device_outbox where device_id = ${deviceId} and key =`
  const held = await fixture.owner.connect()
  try {
    await held.query('begin')
    await held.query(`${row} '10.claimed' for update`)
    const done = hold(ids)
    await expect.poll(() => fixture.query(lockWaiters)).not.toEqual([])
    expect((await held.query(`${row} '9.claimed' for update nowait`)).rowCount).toBe(1)
    await held.query('commit')
    await done
  } finally {
    held.release(true)
  }
})

it('sends the row that was updated last at the end', async () => {
  await say(receipt('7.claimed'))
  await say(receipt('7.dispatched'))
  await say(receipt('7.claimed'))
  expect((await waiting()).map(({ key }) => key)).toEqual(['7.dispatched', '7.claimed'])
  expect((await claimPending(fixture.db, [deviceId])).map(({ key }) => key)).toEqual(['7.dispatched', '7.claimed'])
})

it('sends an updated row when its earlier payload is marked as sent afterwards', async () => {
  await say(receipt('7.claimed'))
  const [before] = await claimPending(fixture.db, [deviceId])
  await say(receipt('7.claimed', 'closed'))
  await markSent(fixture.db, [before?.id ?? 0])
  expect(await claimPending(fixture.db, [deviceId])).toMatchObject([{ key: '7.claimed', payload: { stage: 'closed' } }])
})
