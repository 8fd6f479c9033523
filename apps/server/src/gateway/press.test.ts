import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { makeWorld, type World } from '../../test/gateway-world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

it('brings a press to a record, and the receipt with its number back to the device', async () => {
  const { mqtt } = await world.gateway()
  const device = await world.device()
  const receipts: unknown[] = []
  const fleet = world.fleet({ devices: [device.credential], mqtt, onReceipt: (receipt) => receipts.push(receipt) })
  await fleet.connected()
  const pressed = fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
  const [record] = await world.query<{ no: string; code: string }>(
    'select no, code from warn_record where device_id = $1',
    [device.id],
  )
  expect(record).toMatchObject({ code: 'PANIC' })
  expect(receipts).toEqual([
    expect.objectContaining({ eventId: pressed?.eventId, stage: 'accepted', recordNo: record?.no, via: 'mqtt' }),
  ])
  await expect.poll(() => world.query('select 1 from device_outbox where device_id = $1', [device.id])).toEqual([])
})

it('acknowledges a press only after its commit', async () => {
  const { mqtt } = await world.gateway()
  const device = await world.device()
  const receipts: string[] = []
  const fleet = world.fleet({ devices: [device.credential], mqtt, onReceipt: ({ via }) => receipts.push(via) })
  await fleet.connected()
  const blocker = await world.owner.connect()
  await blocker.query('begin; lock table warn_record in exclusive mode')
  fleet.press(device.sn)
  const isBlocked = () => world.query(`select 1 from pg_locks where not granted and relation = 'warn_record'::regclass`)
  await expect.poll(isBlocked).not.toEqual([])
  expect(receipts).toEqual([])
  expect(fleet.unsent()).toBe(1)
  await blocker.query('commit')
  blocker.release()
  await expect.poll(fleet.unsent).toBe(0)
  expect(receipts).toContain('mqtt')
})
