import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { quietLog } from '../../../test/quiet-log.ts'
import { lockWaiters } from '../../../test/lock-waiters.ts'
import { createSequenceGapDetector } from './sequence-gaps.ts'
import { createNodePresence } from './node-presence.ts'
import { createActivityBuffer } from './activity-buffer.ts'
import { startLivenessMonitor, type LivenessMonitor } from './liveness-monitor.ts'

let fixture: GatewayFixture
let clock = 0
let watch: LivenessMonitor
let device: Awaited<ReturnType<GatewayFixture['device']>> & { heartbeatSec: number }

beforeAll(async () => {
  fixture = await openGatewayFixture()
})
beforeEach(async () => {
  clock = 0
  device = { ...(await fixture.device()), heartbeatSec: 30 }
  await fixture.query('truncate gateway_node').catch(() => fixture.query('delete from gateway_node'))
  const presence = createNodePresence(fixture.screenDb, () => clock)
  // Registers the node now; a later first heartbeat would set `listening_since` again.
  await presence.heartbeat()
  // The test calls sweep(); the interval is too long to fire.
  watch = startLivenessMonitor({ db: fixture.screenDb, log: quietLog, presence, everyMs: 3_600_000 })
  await watch.sweep()
  await listenedFor(3600)
})
afterEach(() => watch.stop())
afterAll(() => fixture.close())

const listenedFor = (seconds: number) =>
  fixture.query('update gateway_node set listening_since = now() - make_interval(secs => $1)', [seconds])
/** Moves the stored activity of the device into the past. */
const age = (seconds: number) =>
  fixture.query(
    `update device_state set last_seen_at = last_seen_at - make_interval(secs => $2), since = since - make_interval(secs => $2),
       link_lost_at = link_lost_at - make_interval(secs => $2) where device_id = $1`,
    [device.id, seconds],
  )
const state = async () => {
  const rows = await fixture.query<Record<string, unknown> & { connectivity: string }>(
    'select * from device_state where device_id = $1',
    [device.id],
  )
  return rows[0]
}
const connectivity = async () => (await state())?.connectivity
const signals = async () =>
  (await fixture.query<{ code: string }>('select code from signal where device_id = $1 order by id', [device.id])).map(
    ({ code }) => code,
  )
const sink = () => {
  const returned: number[] = []
  const made = createActivityBuffer({
    db: fixture.screenDb,
    log: quietLog,
    onReturn: (ids) => returned.push(...ids),
    everyMs: 3_600_000,
  })
  return { ...made, returned }
}
const beat = (boot: number, seq: number, more: object = {}) => ({
  v: 1 as const,
  boot,
  seq,
  ts: Date.now(),
  upMs: 1,
  ...more,
})
const seen = async () => {
  const { seen: note, stop } = sink()
  note(device)
  await stop()
  await watch.sweep()
}

const somebodyWaits = () => expect.poll(() => fixture.query(lockWaiters)).not.toEqual([])

it('changes from never seen to online, late, offline and back, with history, one record and its recovery', async () => {
  expect(await connectivity()).toBe('NEVER_SEEN')
  await seen()
  expect(await connectivity()).toBe('ONLINE')
  await age(35)
  await watch.sweep()
  expect(await connectivity()).toBe('ONLINE')
  await age(11)
  await watch.sweep()
  expect(await connectivity()).toBe('LATE')
  expect(await signals()).toEqual([])
  await age(45)
  await watch.sweep()
  await watch.sweep()
  expect(await connectivity()).toBe('OFFLINE')
  expect(await signals()).toEqual(['OFFLINE'])
  await seen()
  expect(await connectivity()).toBe('ONLINE')
  expect(await signals()).toEqual(['OFFLINE', 'ONLINE'])
  const history = await fixture.query(
    'select from_state, to_state, reason from device_connectivity where device_id = $1 order by at',
    [device.id],
  )
  expect(history.map(({ from_state, to_state, reason }) => `${from_state} ${to_state} ${reason}`)).toEqual([
    'NEVER_SEEN ONLINE SEEN',
    'ONLINE LATE SILENCE',
    'LATE OFFLINE SILENCE',
    'OFFLINE ONLINE SEEN',
  ])
  const [record] = await fixture.query('select class, state, disposition from warn_record where device_id = $1', [
    device.id,
  ])
  expect(record).toMatchObject({ class: 'DEVICE_HEALTH', disposition: 'AUTO_RECOVERED' })
  const [result] = await fixture.query(
    `select count(*)::int as n from event where type = 'device.status' and ref = $1`,
    [device.id],
  )
  expect(result).toEqual({ n: 4 })
})

it('sets no device offline before the server has listened for a whole term', async () => {
  await seen()
  await age(1000)
  await listenedFor(40)
  await watch.sweep()
  expect(await connectivity()).toBe('ONLINE')
  await listenedFor(80)
  await watch.sweep()
  expect(await connectivity()).toBe('LATE')
  // The process was stopped for a minute: it received nothing, and reports that before it judges.
  await listenedFor(3600)
  clock += 60_000
  await watch.sweep()
  expect(await connectivity()).toBe('LATE')
  await listenedFor(91)
  await watch.sweep()
  expect(await connectivity()).toBe('OFFLINE')
})

it('waits for the devices of a stopped node to reach another node', async () => {
  await seen()
  await age(1000)
  const other = createNodePresence(fixture.screenDb, () => 0)
  await other.heartbeat()
  await fixture.query(`update gateway_node set listening_since = now() - interval '1 hour'`)
  await fixture.query(
    `update gateway_node set beat_at = now() - interval '50 s' where id = (select id from gateway_node order by beat_at desc limit 1)`,
  )
  await watch.sweep()
  expect(await connectivity()).toBe('LATE')
  await fixture.query(
    `update gateway_node set beat_at = now() - interval '91 s' where beat_at < now() - interval '15 s'`,
  )
  await watch.sweep()
  expect(await connectivity()).toBe('OFFLINE')
})

it('waits 15 seconds after a lost link, and ignores the will of an earlier boot', async () => {
  const { heartbeat, linkLost, flush, stop } = sink()
  heartbeat(device, beat(7, 1))
  await flush()
  linkLost(device.id, { boot: 6, heardAt: null })
  await flush()
  expect(await state()).toMatchObject({ link_lost_at: null })
  linkLost(device.id, { boot: 7, heardAt: performance.now() })
  await flush()
  await watch.sweep()
  expect(await connectivity()).toBe('ONLINE')
  await age(16)
  await watch.sweep()
  expect(await connectivity()).toBe('OFFLINE')
  const last = await fixture.query(
    'select reason from device_connectivity where device_id = $1 order by at desc limit 1',
    [device.id],
  )
  expect(last).toEqual([{ reason: 'LINK_LOST' }])
  heartbeat(device, beat(7, 1))
  await stop()
  await watch.sweep()
  expect(await connectivity()).toBe('ONLINE')
})

it('ignores a lost link that was silent while the device used another one', async () => {
  const { heartbeat, linkLost, stop } = sink()
  heartbeat(device, beat(7, 1))
  linkLost(device.id, { boot: 7, heardAt: performance.now() - 40_000 })
  await stop()
  expect(await state()).toMatchObject({ link_lost_at: null })
})

it('locks devices in the order of their ids, so that lost links and activity do not deadlock', async () => {
  // With so many rows, a plan without ORDER BY would lock them in table order, the later ids first.
  const others = await Promise.all(Array.from({ length: 500 }, () => fixture.device({ installed: false })))
  const [later = device] = others
  await fixture.owner.query(
    'insert into device_state (device_id) select id from device order by id desc on conflict do nothing',
  )
  await fixture.query('update device_state set since = now() where device_id = $1', [device.id])
  await fixture.owner.query('analyze device_state')
  const { linkLost, flush, stop } = sink()
  for (const { id } of [later, device]) linkLost(id, { boot: null, heardAt: null })
  const held = await fixture.owner.connect()
  try {
    await held.query('begin')
    await held.query('select from device_state where device_id = $1 for update', [device.id])
    const written = flush()
    await somebodyWaits()
    await held.query('select from device_state where device_id = $1 for update nowait', [later.id])
    await held.query('commit')
    await written
  } finally {
    held.release(true)
  }
  await stop()
  const lost = 'select from device_state where device_id in ($1, $2) and link_lost_at is not null'
  expect(await fixture.query(lost, [device.id, later.id])).toHaveLength(2)
})

it('locks the device row last, so that the write of activities is not blocked', async () => {
  await seen()
  await age(100)
  await watch.sweep()
  expect(await signals()).toEqual(['OFFLINE'])
  const held = await fixture.owner.connect()
  try {
    await held.query('begin')
    await held.query('select from warn_record where device_id = $1 for update', [device.id])
    const back = seen()
    await somebodyWaits()
    await held.query('select from device_state where device_id = $1 for update nowait', [device.id])
    await held.query('commit')
    await back
  } finally {
    held.release(true)
  }
  expect(await connectivity()).toBe('ONLINE')
  expect(await signals()).toEqual(['OFFLINE', 'ONLINE'])
})

it('cancels a lost link when the device sends a message before the write', async () => {
  await seen()
  await age(100)
  const held = await fixture.owner.connect()
  try {
    await held.query('begin')
    await held.query('lock table warn_log in exclusive mode')
    const swept = watch.sweep()
    await somebodyWaits()
    await fixture.query('update device_state set last_seen_at = now() where device_id = $1', [device.id])
    await held.query('commit')
    await swept
  } finally {
    held.release(true)
  }
  expect(await connectivity()).toBe('ONLINE')
  expect(await signals()).toEqual([])
})

it('keeps the newer state when a heartbeat arrives late', async () => {
  const { heartbeat, flush, stop } = sink()
  heartbeat(device, beat(3, 9, { battery: 80, fw: '2', cfgVer: 4, unsent: 3_000_000_000 }))
  heartbeat(device, beat(3, 8, { battery: 99 }))
  await flush()
  heartbeat(device, beat(2, 500, { battery: 10, fw: '1' }))
  await stop()
  expect(await state()).toMatchObject({
    boot: 3,
    seq: 9,
    battery_pct: 80,
    fw: '2',
    cfg_version: '4',
    unsent: 2_147_483_647,
  })
})

it('measures the battery drain from its first reading, and again after a charge or change', async () => {
  const { heartbeat, flush } = sink()
  const measured: unknown[] = []
  for (const [at, battery] of [80, 70, 73, 69, 74, 71, 100].entries()) {
    heartbeat(device, beat(1, at + 1, { battery }))
    await flush()
    const now = await state()
    measured.push([now?.['battery_from_pct'], now?.['battery_low_pct'], now?.['battery_from_at'] instanceof Date])
  }
  heartbeat(device, beat(1, 1, { battery: 20 }))
  await flush()
  expect(measured.map((item) => JSON.stringify(item))).toEqual([
    '[80,80,true]',
    '[80,70,true]',
    '[80,70,true]',
    '[80,69,true]',
    '[74,74,true]',
    '[74,71,true]',
    '[100,100,true]',
  ])
  expect(await state()).toMatchObject({ battery_pct: 100, battery_low_pct: 100 })
})

it('ignores an impossible battery reading, and writes the other devices', async () => {
  const other = { ...(await fixture.device()), heartbeatSec: 30 }
  const { heartbeat, seen: note, flush } = sink()
  for (const [at, battery] of [2_147_483_647, 2_147_483_647, -2_147_483_648, 101].entries()) {
    heartbeat(device, beat(1, at + 1, { battery }))
    await flush()
  }
  note(other)
  await flush()
  expect(await state()).toMatchObject({ seq: 4, battery_pct: null, battery_low_pct: null })
  expect(
    await fixture.query('select 1 from device_state where device_id = $1 and last_seen_at is not null', [other.id]),
  ).not.toEqual([])
})

it('writes a device at most every ten seconds, and reports active devices that are not online', async () => {
  const buffer = createActivityBuffer({ db: fixture.screenDb, log: quietLog, onReturn: () => {}, everyMs: 5 })
  buffer.heartbeat(device, beat(1, 1, { battery: 50 }))
  await expect.poll(async () => await state()).toMatchObject({ battery_pct: 50 })
  buffer.heartbeat(device, beat(1, 1, { battery: 49 }))
  buffer.birth({ ...device, id: (await fixture.device()).id }, { online: true, boot: 1, fw: '1', caps: [] })
  const born = () => fixture.query('select 1 from device_state where boot = 1 and device_id <> $1', [device.id])
  await expect.poll(born).not.toEqual([])
  expect(await state()).toMatchObject({ battery_pct: 50 })
  await buffer.stop()
  expect(await state()).toMatchObject({ battery_pct: 49 })
  const { seen: note, stop, returned } = sink()
  note(device)
  await stop()
  expect(returned).toEqual([device.id])
})

it('raises flapping once after six changes, and ends it after half an hour without a change', async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    await seen()
    await age(50)
    await watch.sweep()
  }
  expect(await state()).toMatchObject({ flapping: true, connectivity: 'LATE' })
  await age(45)
  await watch.sweep()
  expect(await signals()).toEqual(['FLAPPING'])
  await seen()
  await age(31 * 60)
  await seen()
  expect(await state()).toMatchObject({ flapping: false, connectivity: 'ONLINE' })
  expect(await signals()).toEqual(['FLAPPING', 'FLAPPING_ENDED', 'ONLINE'])
})

it('raises a gap for numbers that never arrived, and none for pending ones', async () => {
  const gaps = createSequenceGapDetector({ db: fixture.screenDb, log: quietLog })
  gaps.event(device.id, { boot: 5, seq: 1 })
  gaps.event(device.id, { boot: 5, seq: 3 })
  gaps.event(device.id, { boot: 5, seq: 2 })
  gaps.heartbeat(device.id, { boot: 5, seq: 9, unsent: 6 })
  await gaps.check(true)
  expect(await signals()).toEqual([])
  gaps.event(device.id, { boot: 5, seq: 6 })
  gaps.heartbeat(device.id, { boot: 5, seq: 7, unsent: 0 })
  await gaps.check(true)
  const found = await fixture.query(`select code, body from signal where device_id = $1`, [device.id])
  expect(found).toEqual([{ code: 'SEQ_GAP', body: { boot: 5, from: 4, to: 7, count: 3 } }])
  gaps.event(device.id, { boot: 6, seq: 2 })
  await gaps.check(true)
  expect((await fixture.query('select body from signal where device_id = $1 order by id', [device.id]))[1]).toEqual({
    body: { boot: 6, from: 1, to: 1, count: 1 },
  })
  gaps.stop()
})

it('finds numbers lost while this node did not listen, and none of a new device', async () => {
  const stranger = await fixture.device()
  const received = (boot: number, seq: number) =>
    fixture.query(
      `insert into signal (device_id, event_id, kind, code, mode, boot, seq, occurred_at, via, dept_id, suppressed)
       values ($1, $2, 'EVENT', 'BOOT', 'LIVE', $3, $4, now(), 'MQTT', $5, 'INFORMATION')`,
      [device.id, `E-${boot}-${seq}`, boot, seq, fixture.school.deptId],
    )
  for (const seq of [1, 2]) await received(7, seq)
  const bodies = async () =>
    (
      await fixture.query(`select body from signal where device_id = $1 and code = 'SEQ_GAP' order by id`, [device.id])
    ).map(({ body }) => body)
  const reportSequence = async (boot: number, seq: number) => {
    const gaps = createSequenceGapDetector({ db: fixture.screenDb, log: quietLog })
    gaps.event(device.id, { boot, seq })
    gaps.event(stranger.id, { boot: 3, seq: 900 })
    await gaps.check(true)
    gaps.stop()
  }
  await reportSequence(7, 3)
  expect(await bodies()).toEqual([])
  await reportSequence(7, 6)
  expect(await bodies()).toEqual([{ boot: 7, from: 3, to: 5, count: 3 }])
  await reportSequence(8, 3)
  expect((await bodies())[1]).toEqual({ boot: 8, from: 1, to: 2, count: 2 })
  expect(await fixture.query('select from signal where device_id = $1', [stranger.id])).toEqual([])
})
