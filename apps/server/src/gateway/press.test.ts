import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

it('creates a record for a press and sends its number to the device', async () => {
  const { mqtt } = await fixture.gateway()
  const device = await fixture.device()
  const receipts: unknown[] = []
  const fleet = fixture.fleet({ devices: [device.credential], mqtt, onReceipt: (receipt) => receipts.push(receipt) })
  await fleet.connected()
  const pressed = fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
  const [record] = await fixture.query<{ no: string; code: string }>(
    'select no, code from warn_record where device_id = $1',
    [device.id],
  )
  expect(record).toMatchObject({ code: 'PANIC' })
  // On a slow machine the device may repeat the press and get the same receipt twice.
  for (const receipt of receipts)
    expect(receipt).toMatchObject({ eventId: pressed?.eventId, stage: 'accepted', recordNo: record?.no })
  expect(receipts[0]).toMatchObject({ via: 'mqtt' })
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [device.id])).toEqual([])
})

it('creates a record when the school has no station and no recipient', async () => {
  const { mqtt } = await fixture.gateway()
  const device = await fixture.device()
  const lacks = await fixture.query('select lack from school_lacks() where device_id = $1 order by lack', [device.id])
  expect(lacks).toEqual([{ lack: 'POLICE_STATION' }, { lack: 'RECIPIENT' }])
  const fleet = fixture.fleet({ devices: [device.credential], mqtt })
  await fleet.connected()
  fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
  const raised = 'select code, mode, state from warn_record where device_id = $1'
  expect(await fixture.query(raised, [device.id])).toEqual([{ code: 'PANIC', mode: 'LIVE', state: 'NEW' }])
})

it('ends the repeats and reports the stage when the record is already handled', async () => {
  const { mqtt } = await fixture.gateway()
  const device = await fixture.device()
  const stages: string[] = []
  const fleet = fixture.fleet({ devices: [device.credential], mqtt, onReceipt: ({ stage }) => stages.push(stage) })
  await fleet.connected()
  fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
  expect(new Set(stages)).toEqual(new Set(['accepted']))
  const sent = `update warn_record set state = 'HANDLING', dispatched_at = now() where device_id = $1 returning 1`
  expect(await fixture.query(sent, [device.id])).toHaveLength(1)
  fleet.press(device.sn)
  await expect.poll(() => stages).toContain('dispatched')
  expect(stages[stages.indexOf('dispatched') - 1]).toBe('accepted')
  expect(fleet.unsent()).toBe(0)
})

it('acknowledges a press only after its commit', async () => {
  const { mqtt } = await fixture.gateway()
  const device = await fixture.device()
  const receipts: string[] = []
  const fleet = fixture.fleet({ devices: [device.credential], mqtt, onReceipt: ({ via }) => receipts.push(via) })
  await fleet.connected()
  const blocker = await fixture.owner.connect()
  await blocker.query('begin; lock table warn_record in exclusive mode')
  fleet.press(device.sn)
  const isBlocked = () =>
    fixture.query(`select 1 from pg_locks where not granted and relation = 'warn_record'::regclass`)
  await expect.poll(isBlocked).not.toEqual([])
  expect(receipts).toEqual([])
  expect(fleet.unsent()).toBe(1)
  await blocker.query('commit')
  blocker.release()
  await expect.poll(fleet.unsent).toBe(0)
  expect(receipts).toContain('mqtt')
})

it('stores a broken link, and neither a DISCONNECT nor links that the server ends', async () => {
  const { mqtt, stop } = await fixture.gateway()
  const [cut, polite, kept] = [await fixture.device(), await fixture.device(), await fixture.device()]
  const fleet = fixture.fleet({
    devices: [cut.credential, polite.credential, kept.credential],
    mqtt,
    reconnect: { baseMs: 600_000, capMs: 600_000 },
  })
  await fleet.connected()
  fleet.device(cut.sn).cut()
  await fleet.device(polite.sn).stop()
  const lost = async () =>
    (
      await fixture.query<{ sn: string }>(
        'select sn from device join device_state on device_id = id where link_lost_at is not null',
      )
    ).map(({ sn }) => sn)
  await expect.poll(lost).toEqual([cut.sn])
  await stop()
  expect(await lost()).toEqual([cut.sn])
})

it('logs a takeover when a connected device connects again', async () => {
  const warnings: string[] = []
  const log = { info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} }
  const { mqtt } = await fixture.gateway({ log })
  const { credential, sn } = await fixture.device()
  for (const boot of [1, 2]) await fixture.fleet({ devices: [credential], mqtt, boot }).connected()
  expect(warnings).toContainEqual(expect.stringContaining(`device ${sn} at 127.0.0.1 takes over`))
})
