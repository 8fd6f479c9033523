import type { Alarm } from '@tocsin/protocol/alarm'
import mqtt from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { makeModel } from '../../seed/fixtures.ts'
import { createBreakableLink } from '../../test/breakable-link.ts'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { openDb, openPool } from '#db/db'
import { metrics } from '../metrics.ts'

type Made = Awaited<ReturnType<GatewayFixture['device']>>
let fixture: GatewayFixture
const ends: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await fixture.clear()
})
afterAll(() => fixture.close())

let counter = 0
const alarm = (more: Partial<Alarm> = {}): Alarm => {
  counter += 1
  const eventId = `DELIVERY-${String(counter).padStart(10, '0')}`
  return { v: 1, eventId, boot: 1, seq: counter, ts: Date.now(), upMs: 1, mode: 'LIVE', code: 'PANIC', ...more }
}
const raw = async (
  url: string,
  { sn, credential }: Made,
  { productKey = 'panic1', listens = true, keepalive = 60 } = {},
) => {
  const password = Buffer.from(credential.secret).toString('base64url')
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    clientId: sn,
    username: `${productKey}/${sn}`,
    password,
    reconnectPeriod: 0,
    keepalive,
  })
  const items: { channel: string; said: Record<string, unknown> }[] = []
  client.on('error', () => undefined)
  client.on('message', (name, bytes) =>
    items.push({ channel: name.split('/').at(-1) ?? '', said: JSON.parse(bytes.toString()) }),
  )
  ends.push(() => client.endAsync(true))
  const root = `ax/v1/${productKey}/${sn}`
  if (listens) await client.subscribeAsync(`${root}/down/#`, { qos: 1 })
  const say = (channel: string, said: unknown) =>
    client.publishAsync(`${root}/up/${channel}`, JSON.stringify(said), { qos: 1 })
  return { client, heard: items, say, root }
}
const records = (id: number) =>
  fixture.query<{ code: string; n: number }>(
    'select code, occurrence_count as n from warn_record where device_id = $1',
    [id],
  )

it('creates one record of a press that arrives many times over two sockets and HTTP', async () => {
  const { mqtt: url, http } = await fixture.gateway()
  const device = await fixture.device()
  const receipts: { via: string; recordNo?: string | undefined }[] = []
  const fleet = fixture.fleet({
    devices: [device.credential],
    mqtt: url,
    http,
    faults: { copies: 5, twoSockets: true, httpAtOnce: true },
    onReceipt: (receipt) => receipts.push(receipt),
  })
  await fleet.connected()
  fleet.press(device.sn)
  await expect.poll(() => new Set(receipts.map(({ via }) => via))).toEqual(new Set(['http', 'mqtt']))
  expect(await records(device.id)).toEqual([{ code: 'PANIC', n: 1 }])
  expect(await fixture.query('select 1 from signal where device_id = $1', [device.id])).toHaveLength(1)
  expect(new Set(receipts.map(({ recordNo }) => recordNo)).size).toBe(1)
})

it('sends pending messages again when the device reconnects, and drops expired ones', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  const deaf = await raw(url, device, { listens: false })
  const press = alarm()
  await deaf.say('alarm', press)
  await fixture.command(device.id, 'C-1')
  await fixture.command(device.id, 'C-OLD')
  await fixture.query(`update device_outbox set expires_at = now() - interval '1 s' where key = 'C-OLD'`)
  await deaf.client.endAsync()
  const rows = () => fixture.query('select key from device_outbox where device_id = $1 order by key', [device.id])
  expect(await rows()).toEqual([{ key: 'C-1' }, { key: 'C-OLD' }, { key: press.eventId }])
  const { heard } = await raw(url, device)
  await expect.poll(() => heard.map(({ channel }) => channel).toSorted()).toEqual(['ack', 'cmd'])
  expect(heard[0]?.said).toMatchObject({ eventId: press.eventId, stage: 'accepted' })
  await expect.poll(rows).toEqual([{ key: 'C-1' }, { key: 'C-OLD' }])
})

it('sends a command once on each connection until the device answers it', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  await fixture.command(device.id, 'C-REPEATED')
  await fixture.query(
    `insert into device_command (device_id, command_id, type, expires_at)
     values ($1, 'C-REPEATED', 'REBOOT', now() + interval '10 minutes')`,
    [device.id],
  )
  const commandsOf = (heard: { said: Record<string, unknown> }[]) =>
    heard.flatMap(({ said }) => said['commandId'] ?? [])
  const first = await raw(url, device)
  await expect.poll(() => commandsOf(first.heard)).toEqual(['C-REPEATED'])
  const delivered = () =>
    fixture.query('select 1 from device_command where delivered_at is not null and device_id = $1', [device.id])
  await expect.poll(delivered).toHaveLength(1)
  // Another message wakes the outbox, which has sent the command on this connection.
  await fixture.command(device.id, 'C-OTHER')
  await expect.poll(() => commandsOf(first.heard)).toEqual(['C-REPEATED', 'C-OTHER'])
  await first.client.endAsync()
  const second = await raw(url, device)
  await expect.poll(() => commandsOf(second.heard)).toEqual(['C-REPEATED', 'C-OTHER'])
  for (const commandId of ['C-REPEATED', 'C-OTHER']) await second.say('reply', { commandId, state: 'ACCEPTED' })
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [device.id])).toEqual([])
})

it('sends a later stage and a command at once, each once', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  const { heard, say } = await raw(url, device)
  const press = alarm({ ts: Date.now() - 3_600_000 })
  await say('alarm', press)
  await expect.poll(() => heard.map(({ channel }) => channel).toSorted()).toEqual(['ack', 'time'])
  const result = Number(heard.find(({ channel }) => channel === 'time')?.said['ts'])
  expect(Math.abs(result - Date.now())).toBeLessThan(60_000)
  await fixture.command(device.id, 'C-2')
  await expect.poll(() => heard.length).toBe(3)
  await say('reply', { commandId: 'C-2', state: 'ACCEPTED' })
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [device.id])).toEqual([])
  await fixture.query(
    `insert into device_outbox (device_id, channel, key, payload) values ($1, 'config', 'config', '{"cfgVer": 3}')`,
    [device.id],
  )
  await fixture.query(`insert into event (type, ref) values ('device.outbox', $1)`, [device.id])
  await expect.poll(() => heard.at(-1)).toEqual({ channel: 'config', said: { cfgVer: 3 } })
  await say('alarm', press)
  await expect.poll(() => heard.filter(({ channel }) => channel === 'ack')).toHaveLength(2)
})

it('ends a command by its reply, even without a PUBACK', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  const { say } = await raw(url, device, { listens: false })
  await fixture.command(device.id, 'C-3')
  await fixture.query(
    `insert into device_command (device_id, command_id, type, expires_at)
     values ($1, 'C-3', 'SELF_TEST', now() + interval '1 minute')`,
    [device.id],
  )
  await say('reply', { commandId: 'C-3', state: 'SUCCEEDED', result: { passed: true } })
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [device.id])).toEqual([])
  const answered = () => fixture.query('select state, result from device_command where device_id = $1', [device.id])
  await expect.poll(answered).toEqual([{ state: 'SUCCEEDED', result: { passed: true } }])
})

it('keeps link and messages, answers pings and acknowledges later when the database fails', async () => {
  const pool = openPool({ ...fixture.database.app, max: 2 }, 1)
  ends.push(() => pool.end())
  const { mqtt: url } = await fixture.gateway({ db: openDb(pool) })
  const device = await fixture.device()
  const { client, say } = await raw(url, device, { keepalive: 2 })
  const blocker = await fixture.owner.connect()
  await blocker.query('begin; lock table signal in exclusive mode')
  const done: string[] = []
  const presses = [alarm(), alarm(), alarm()].map((press) => say('alarm', press).then(() => done.push(press.eventId)))
  // With a keep-alive of 2 s, several answered pings show that the broker went on reading.
  let pings = 0
  client.on('packetreceive', ({ cmd }) => (pings += cmd === 'pingresp' ? 1 : 0))
  await expect.poll(() => pings).toBeGreaterThanOrEqual(4)
  expect(done).toEqual([])
  expect(client.connected).toBe(true)
  await blocker.query('commit')
  blocker.release()
  await Promise.all(presses)
  expect(await records(device.id)).toEqual([{ code: 'PANIC', n: 3 }])
})

it('shows an unreadable alarm, and its receipt ends the repeats', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  const { heard, say } = await raw(url, device)
  await say('alarm', { ...alarm(), code: 'NEWER_THAN_US' })
  await expect.poll(() => heard.map(({ said }) => said['stage'])).toEqual(['accepted'])
  expect(await records(device.id)).toEqual([{ code: 'UNPARSABLE', n: 1 }])
})

it('stores the items of a gateway batch for its children, and loses no alarm of a batch', async () => {
  const { mqtt: url } = await fixture.gateway()
  const parent = await fixture.device({ modelId: await fixture.gatewayModel() })
  const child = await fixture.device({ gatewayId: parent.id })
  // Sends so rarely that only its gateway can report it as connected.
  const quiet = await makeModel(fixture.db, { productKey: 'quiet1', heartbeatSec: 3600, offlineAfterSec: 10_800 })
  const broken = await fixture.device({ gatewayId: parent.id, modelId: quiet.id })
  // A device of the same school below another gateway.
  const stranger = await fixture.device()
  const { heard, say } = await raw(url, parent, { productKey: 'gateway1' })
  // The command was sent on an earlier link of the gateway, which broke.
  const waiting = { commandId: 'C-WAITS', type: 'LED', payload: {}, expiresAt: Date.now() + 60_000 }
  await fixture.query(
    `insert into device_outbox (device_id, channel, key, payload, sent_at) values ($1, 'cmd', 'C-WAITS', $2, now())`,
    [broken.id, waiting],
  )
  await fixture.query(`update device_state set connectivity = 'ONLINE' where device_id = $1`, [broken.id])
  const press = alarm()
  await say('sub', [
    { sn: child.sn, type: 'alarm', body: press },
    { sn: broken.sn, type: 'alarm', body: { ...alarm(), zone: 'what no database keeps: \0' } },
    { sn: stranger.sn, type: 'alarm', body: alarm() },
    { sn: stranger.sn, type: 'hb', body: {} },
    { sn: child.sn, type: 'hb', body: { v: 1, boot: 1, seq: press.seq, ts: 1, upMs: 1 } },
  ])
  expect(await records(child.id)).toEqual([{ code: 'PANIC', n: 1 }])
  expect(await records(broken.id)).toEqual([{ code: 'UNPARSABLE', n: 1 }])
  expect(await records(stranger.id)).toEqual([])
  expect(await records(parent.id)).toEqual([{ code: 'UNPARSABLE', n: 1 }])
  const stages = () => heard.flatMap(({ said }) => (said['eventId'] === press.eventId ? [said['stage']] : []))
  await expect.poll(stages).toContain('accepted')
  const ofChild = heard.find(({ said }) => said['eventId'] === press.eventId)
  expect(ofChild).toMatchObject({ channel: 'ack', said: { sn: child.sn } })
  await fixture.command(child.id, 'C-CHILD')
  await fixture.command(parent.id, 'C-OWN')
  const commands = () => heard.flatMap(({ said: { commandId, sn } }) => (commandId ? [{ commandId, sn }] : []))
  await expect.poll(() => commands().length).toBe(3)
  expect(commands()).toContainEqual({ commandId: 'C-WAITS', sn: broken.sn })
  expect(commands()).toContainEqual({ commandId: 'C-CHILD', sn: child.sn })
  expect(commands()).toContainEqual({ commandId: 'C-OWN', sn: undefined })
  const plain = await fixture.device()
  const { say: cheat } = await raw(url, plain)
  await cheat('sub', [{ sn: child.sn, type: 'alarm', body: alarm() }])
  expect(await records(child.id)).toEqual([{ code: 'PANIC', n: 1 }])
  expect(await records(plain.id)).toEqual([{ code: 'UNPARSABLE', n: 1 }])
})

it('drops events beyond the rate limit of a device, and never an alarm', async () => {
  const { mqtt: url, stop } = await fixture.gateway()
  const device = await fixture.device()
  const { say } = await raw(url, device)
  const event = (seq: number) => ({
    ...alarm({ seq }),
    code: undefined,
    kind: 'BOOT',
    eventId: `EVENT-${String(seq).padStart(12, '0')}`,
  })
  await Promise.all(Array.from({ length: 340 }, (_, n) => say('event', event(n + 1))))
  const kept = await fixture.query(`select 1 from signal where device_id = $1 and kind = 'EVENT'`, [device.id])
  const lost = 340 - kept.length
  expect(kept.length).toBeGreaterThanOrEqual(300)
  expect(kept.length).toBeLessThan(340)
  await say('alarm', alarm())
  expect(await fixture.query(`select 1 from signal where device_id = $1 and kind = 'ALARM'`, [device.id])).toHaveLength(
    1,
  )
  // The dropped messages become a record, so that staff see them.
  await stop()
  const shown = await fixture.query(
    `select r.class, r.level, s.body from warn_record r join signal s on s.record_id = r.id
     where r.device_id = $1 and r.code = 'MESSAGES_DROPPED'`,
    [device.id],
  )
  expect(shown).toEqual([{ class: 'DEVICE_HEALTH', level: 3, body: { count: lost } }])
})

it('stores every alarm as an occurrence of one record when a device exceeds its rate limit', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  const { say } = await raw(url, device)
  const all = 150
  await Promise.all(Array.from({ length: all }, (_, n) => say('alarm', alarm({ code: 'INTRUSION', zone: `Z${n}` }))))
  const shown = await fixture.query<{ zones: number; said: number }>(
    `select count(distinct s.zone)::int as zones, count(*)::int as said
     from warn_record r join signal s on s.record_id = r.id where r.device_id = $1 group by r.id order by 2 desc`,
    [device.id],
  )
  expect(shown.reduce((sum, { said }) => sum + said, 0)).toBe(all)
  const [crowd, ...alone] = shown
  // The first sixty get a record each. The rate limit allows a few more while the others arrive.
  expect(alone.length).toBeGreaterThanOrEqual(60)
  expect(crowd?.zones).toBe(all - alone.length)
  expect(crowd?.said).toBeGreaterThan(1)
})

it('stores ota and media reports before the PUBACK, also unreadable ones and those of children', async () => {
  const { mqtt: url } = await fixture.gateway()
  const device = await fixture.device()
  const parent = await fixture.device({ modelId: await fixture.gatewayModel() })
  const child = await fixture.device({ gatewayId: parent.id })
  const { say } = await raw(url, device)
  const ota = { rolloutId: 'R1', type: 'FIRMWARE', version: '2', state: 'FAILED', error: 'checksum' }
  const media = { eventId: 'E1763697600-0001', key: 'a/1.wav', sha256: 'a'.repeat(64), kind: 'AUDIO', from: 1, to: 2 }
  const kept = (id: number) =>
    fixture.query(
      `select channel, message, convert_from(raw, 'UTF8') as raw, reason from device_message where device_id = $1 order by at`,
      [id],
    )
  await say('ota', ota)
  expect(await kept(device.id)).toEqual([{ channel: 'ota', message: ota, raw: null, reason: null }])
  await say('media', media)
  await say('media', { ...media, sha256: 'x' })
  await say('reply', { state: 'SUCCEEDED' })
  await say('state', { online: 'perhaps' })
  expect((await kept(device.id)).slice(1)).toEqual([
    { channel: 'media', message: media, raw: null, reason: null },
    { channel: 'media', message: null, raw: JSON.stringify({ ...media, sha256: 'x' }), reason: 'WRONG_SHAPE sha256' },
    { channel: 'reply', message: null, raw: '{"state":"SUCCEEDED"}', reason: 'WRONG_SHAPE commandId' },
    { channel: 'state', message: null, raw: '{"online":"perhaps"}', reason: 'WRONG_SHAPE online' },
  ])
  const { say: pass } = await raw(url, parent, { productKey: 'gateway1' })
  await fixture.command(child.id, 'C-OF-CHILD')
  await pass('sub', [
    { sn: child.sn, type: 'ota', body: ota },
    { sn: child.sn, type: 'reply', body: { commandId: 'C-OF-CHILD', state: 'SUCCEEDED' } },
    { sn: child.sn, type: 'state', body: { online: true, boot: 4, fw: '9', caps: [] } },
  ])
  expect(await kept(child.id)).toMatchObject([{ channel: 'ota', message: ota }, { channel: 'reply' }])
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [child.id])).toEqual([])
  const state = () => fixture.query('select boot, fw from device_state where device_id = $1', [child.id])
  await expect.poll(state).toEqual([{ boot: 4, fw: '9' }])
})

it('measures the device clock by present messages, and not by replayed ones', async () => {
  const { mqtt: url, stop } = await fixture.gateway()
  const device = await fixture.device()
  const { say } = await raw(url, device)
  const old = { replay: true, ts: Date.now() - 1_200_000 }
  await say('alarm', alarm(old))
  // Stopping the gateway writes the buffered activity.
  await stop()
  expect(await fixture.query('select skew_ms from device_state where device_id = $1', [device.id])).toEqual([
    { skew_ms: null },
  ])
  const again = await raw((await fixture.gateway()).mqtt, device)
  await again.say('alarm', alarm(old))
  const rows = await fixture.query('select late, occurred_at from signal where device_id = $1', [device.id])
  expect(rows).toEqual(Array(2).fill({ late: true, occurred_at: new Date(old.ts) }))
})

it('keeps the arrival time of a press of a device or child when the database was unavailable', async () => {
  const link = await createBreakableLink(fixture.database.app)
  const pool = openPool({ ...link.connection, max: 2 }, 1)
  ends.push(async () => {
    await fixture.clear()
    await pool.end()
    await link.close()
  })
  const parent = await fixture.device({ modelId: await fixture.gatewayModel() })
  const [device, child] = [await fixture.device(), await fixture.device({ gatewayId: parent.id })]
  const { mqtt: url } = await fixture.gateway({ db: openDb(pool) })
  const [own, passedOn] = [await raw(url, device), await raw(url, parent, { productKey: 'gateway1' })]
  link.cut()
  const since = Date.now()
  const said = [own.say('alarm', alarm()), passedOn.say('sub', [{ sn: child.sn, type: 'alarm', body: alarm() }])]
  await expect.poll(async () => (await metrics.pendingMessages.get()).values[0]?.value).toBe(2)
  const mended = Date.now()
  link.mend()
  await Promise.all(said)
  const received = await fixture.query<{ at: Date }>(
    'select received_at as at from warn_record where device_id = any($1)',
    [[device.id, child.id]],
  )
  expect(received).toHaveLength(2)
  for (const { at } of received) {
    expect(at.getTime()).toBeGreaterThanOrEqual(since - 1000)
    expect(at.getTime()).toBeLessThanOrEqual(mended)
  }
})
