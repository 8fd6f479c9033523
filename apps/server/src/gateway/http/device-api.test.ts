import { randomBytes } from 'node:crypto'
import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { embedded, openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { deriveBrokerSecret } from '../gateway.ts'

type Made = Awaited<ReturnType<GatewayFixture['device']>>
let fixture: GatewayFixture
let device: Made
beforeAll(async () => {
  fixture = await openGatewayFixture()
  device = await fixture.device()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

type Given = { secret?: Uint8Array; sn?: string; ts?: number; nonce?: string; signs?: string; method?: string }
const call = async (http: string, path: string, body: string | Uint8Array, given: Given = {}) => {
  const { secret = device.credential.secret, sn = device.sn, ts = Date.now(), method = 'POST' } = given
  const nonce = given.nonce ?? randomBytes(16).toString('base64url')
  const bytes = Buffer.from(body)
  const target = `/device-api/v1/${path}`
  const signed = { method, path: target, nonce, body: given.signs === undefined ? bytes : Buffer.from(given.signs) }
  const headers = signedHeaders(httpKey(secret), { productKey: 'panic1', sn }, ts, signed)
  const response = await fetch(`${http}${target}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: bytes }),
  })
  return { status: response.status, said: (await response.json()) as Record<string, unknown> }
}
let counter = 0
const message = (more: object = {}) => {
  counter += 1
  return {
    v: 1,
    eventId: `HTTP-${String(counter).padStart(14, '0')}`,
    boot: 1,
    seq: counter,
    ts: 0,
    upMs: 1,
    mode: 'LIVE',
    ...more,
  }
}

it('answers an alarm with its receipt, and a repeat with the same', async () => {
  const { http } = await fixture.gateway()
  const alarm = message({ code: 'PANIC' })
  const first = await call(http, 'alarms', JSON.stringify(alarm))
  expect(first).toEqual({
    status: 202,
    said: { recordNo: expect.any(String), stage: 'accepted', eventId: alarm.eventId },
  })
  expect(await call(http, 'alarms', JSON.stringify(alarm), { ts: 0 })).toEqual({ ...first, status: 200 })
  const [record] = await fixture.query('select no from warn_record where device_id = $1', [device.id])
  expect(record?.['no']).toBe(first.said['recordNo'])
})

it('computes the time of a press from X-Ts whatever the device clock is', async () => {
  const { http } = await fixture.gateway()
  const other = await fixture.device()
  const clock = 1_000_000_000
  const pressed = message({ code: 'PANIC', ts: clock - 20 * 60_000, replay: true })
  const { said } = await call(http, 'alarms', JSON.stringify(pressed), {
    ts: clock,
    sn: other.sn,
    secret: other.credential.secret,
  })
  const [record] = await fixture.query(
    `select late, extract(epoch from received_at - first_at)::float8 as ago from warn_record
      where no = $1 and device_id = $2`,
    [said['recordNo'], other.id],
  )
  expect(record?.['late']).toBe(true)
  expect(record?.['ago']).toBeGreaterThan(19 * 60)
  expect(record?.['ago']).toBeLessThan(21 * 60)
  await expect
    .poll(() => fixture.query('select skew_ms from device_state where device_id = $1', [other.id]))
    .toEqual([{ skew_ms: expect.closeTo(clock - Date.now(), -5) }])
})

it('gives the same answer for a wrong key, an unknown device, a changed body and a retired device', async () => {
  const { http, stop } = await fixture.gateway()
  const retired = await fixture.device()
  await fixture.query(`update device set lifecycle = 'RETIRED' where id = $1`, [retired.id])
  const body = JSON.stringify(message({ code: 'PANIC' }))
  const wrong = [
    await call(http, 'alarms', body, { secret: Buffer.alloc(32, 1) }),
    await call(http, 'alarms', body, { sn: 'NOBODY-3' }),
    await call(http, 'alarms', body, { signs: `${body} ` }),
    await call(http, 'alarms', body, { sn: retired.sn, secret: retired.credential.secret }),
  ]
  for (const item of wrong) expect(item).toEqual({ status: 401, said: wrong[0]?.said })
  const unsigned = await fetch(`${http}/device-api/v1/alarms`, { method: 'POST', body })
  expect({ status: unsigned.status, said: await unsigned.json() }).toMatchObject({
    status: 401,
    said: { field: 'X-Dev' },
  })
  await stop()
  const strangers = await fixture.query('select reason from unknown_device where sn = any($1)', [
    ['NOBODY-3', retired.sn],
  ])
  expect(strangers.map(({ reason }) => reason).toSorted()).toEqual(['RETIRED', 'UNKNOWN_SN'])
})

it('stores an unreadable alarm, and rejects an unreadable event with its field', async () => {
  const { http } = await fixture.gateway()
  const odd = message({ code: 'NEWER' })
  expect(await call(http, 'alarms', JSON.stringify(odd))).toMatchObject({
    status: 202,
    said: { stage: 'accepted', eventId: odd.eventId, recordNo: expect.any(String) },
  })
  expect(await call(http, 'alarms', Buffer.from([0xff, 0xfe]))).toMatchObject({ status: 202, said: { eventId: null } })
  expect(await call(http, 'events', JSON.stringify(message({ kind: 'NEWER' })))).toEqual({
    status: 400,
    said: { error: 'WRONG_SHAPE', field: 'kind' },
  })
  expect(await call(http, 'events', JSON.stringify(message({ kind: 'TAMPER' })))).toMatchObject({ status: 202 })
  expect(await call(http, 'heartbeats', JSON.stringify({ v: 1, boot: 1 }))).toMatchObject({
    status: 400,
    said: { field: 'seq' },
  })
  expect(await call(http, 'alarms', 'x'.repeat(5000))).toMatchObject({
    status: 202,
    said: { recordNo: expect.any(String) },
  })
  for (const [path, size] of [
    ['alarms', 65_537],
    ['events', 5000],
  ] as const)
    expect(await call(http, path, 'x'.repeat(size))).toEqual({ status: 413, said: { error: 'the body is too large' } })
})

/** Texts and numbers below 256 in CBOR. */
const cborOf = (said: object): Buffer => {
  const item = (value: unknown) =>
    typeof value === 'number' ? [0x18, value] : [0x78, String(value).length, ...Buffer.from(String(value))]
  const entries = Object.entries(said)
  return Buffer.from([0xa0 + entries.length, ...entries.flat().flatMap(item)])
}

it('accepts an alarm in CBOR like one in JSON, and stores an unreadable one', async () => {
  const { http } = await fixture.gateway()
  const alarm = message({ code: 'PANIC' })
  const taken = await call(http, 'alarms', cborOf(alarm))
  expect(taken).toMatchObject({ status: 202, said: { eventId: alarm.eventId } })
  expect(await call(http, 'alarms', JSON.stringify(alarm))).toEqual({ ...taken, status: 200 })
  const cut = message({ code: 'PANIC' })
  expect(await call(http, 'alarms', cborOf(cut).subarray(0, -3))).toMatchObject({
    status: 202,
    said: { eventId: cut.eventId },
  })
  const found = `select code, body->>'reason' as reason from signal where device_id = $1 order by id desc limit 2`
  expect(await fixture.query(found, [device.id])).toEqual([
    { code: 'UNPARSABLE', reason: 'NOT_CBOR' },
    { code: 'PANIC', reason: null },
  ])
  expect((await call(http, 'media:presign', '{}')).status).toBe(404)
})

it('shows a device as online when it uses HTTP only', async () => {
  const { http, stop } = await fixture.gateway()
  const quiet = await fixture.device()
  const beat = { v: 1, boot: 4, seq: 0, ts: Date.now(), upMs: 1, battery: 55 }
  const given = { sn: quiet.sn, secret: quiet.credential.secret }
  expect(await call(http, 'heartbeats', JSON.stringify(beat), given)).toEqual({ status: 202, said: {} })
  await stop()
  const [state] = await fixture.query('select boot, battery_pct from device_state where device_id = $1', [quiet.id])
  expect(state).toEqual({ boot: 4, battery_pct: 55 })
})

it('sends each command once for each request within the window of X-Ts', async () => {
  const { http } = await fixture.gateway()
  const result = await fixture.device()
  const given = { sn: result.sn, secret: result.credential.secret, method: 'GET' }
  const get = (wait: string, more: Given = {}) => call(http, `commands?wait=${wait}`, '', { ...given, ...more })
  expect(await get('0')).toEqual({ status: 200, said: [] })
  const waiting = get('30')
  await fixture.command(result.id, 'C-HTTP')
  const items = [{ channel: 'cmd', message: expect.objectContaining({ commandId: 'C-HTTP', type: 'LED' }) }]
  expect(await waiting).toEqual({ status: 200, said: items })
  expect(await get('0')).toEqual({ status: 200, said: [] })
  const nonce = randomBytes(16).toString('base64url')
  expect(await get('0', { nonce })).toMatchObject({ status: 200 })
  expect(await get('0', { nonce })).toMatchObject({ status: 401, said: { field: 'X-Nonce' } })
  const other = await fixture.gateway()
  expect(await call(other.http, 'commands?wait=0', '', { ...given, nonce })).toMatchObject({
    status: 401,
    said: { field: 'X-Nonce' },
  })
  expect(await get('0', { ts: Date.now() - 301_000 })).toMatchObject({ status: 401, said: { field: 'X-Ts' } })
  expect(await get('soon')).toMatchObject({ status: 400, said: { field: 'wait' } })
  const reply = JSON.stringify({ commandId: 'C-HTTP', state: 'SUCCEEDED' })
  expect(await call(http, 'replies', reply, { ...given, method: 'POST' })).toMatchObject({ status: 202 })
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [result.id])).toEqual([])
})

it('sends commands before receipts, and each stage twice', async () => {
  const { http } = await fixture.gateway()
  const result = await fixture.device()
  const given = { sn: result.sn, secret: result.credential.secret }
  const get = async () => (await call(http, 'commands?wait=0', '', { ...given, method: 'GET' })).said as unknown
  const later = () =>
    fixture.query(`update device_outbox set sent_at = sent_at - interval '31 seconds' where device_id = $1`, [
      result.id,
    ])
  const pressed = Array.from({ length: 60 }, () => message({ code: 'PANIC' }))
  for (const item of pressed) await call(http, 'alarms', JSON.stringify(item), given)
  await fixture.command(result.id, 'C-FIRST')
  const command = { channel: 'cmd', message: expect.objectContaining({ commandId: 'C-FIRST' }) }
  const receipts = (from: number, to: number) =>
    pressed.slice(from, to).map(({ eventId }) => ({
      channel: 'ack',
      message: expect.objectContaining({ eventId, stage: 'accepted' }),
    }))
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await get()).toEqual([command, ...receipts(0, 49)])
    expect(await get()).toEqual(receipts(49, 60))
    expect(await get()).toEqual([])
    await later()
  }
  expect(await get()).toEqual([command])
  const last = pressed.at(-1)?.eventId
  const closed = JSON.stringify({ eventId: last, stage: 'closed' })
  await fixture.query(`insert into device_outbox (device_id, channel, key, payload) values ($1, 'ack', $2, $3)`, [
    result.id,
    last,
    closed,
  ])
  expect(await get()).toEqual([{ channel: 'ack', message: { eventId: last, stage: 'closed' } }])
})

it('accepts an alarm whatever number X-Ts is', async () => {
  const { http } = await fixture.gateway()
  const path = '/device-api/v1/alarms'
  for (const ts of ['0', '-1', '9'.repeat(16), '9'.repeat(400)]) {
    const body = Buffer.from(JSON.stringify({ text: `not an alarm ${ts}` }))
    const signed = { method: 'POST', path, nonce: randomBytes(16).toString('base64url'), body }
    const headers = { ...signedHeaders(httpKey(device.credential.secret), device.credential, 0, signed), 'X-Ts': ts }
    expect((await fetch(`${http}${path}`, { method: 'POST', headers, body })).status, ts).toBe(202)
  }
})

it('answers an external broker by the rules of the embedded one, when it sends its bearer', async () => {
  // Nothing listens there: only the calls of a broker matter here.
  const { http } = await fixture.gateway({ config: { ...embedded, mqttUrl: 'mqtt://127.0.0.1:1' } })
  const authorization = `Bearer ${deriveBrokerSecret(fixture.masterKey, 'broker-token')}`
  const ask = async (path: string, body: object, headers: Record<string, string> = { authorization }) => {
    const response = await fetch(`${http}/device-api/v1/broker/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, said: ((await response.json()) as { result?: string }).result }
  }
  const password = Buffer.from(device.credential.secret).toString('base64url')
  const me = { username: `panic1/${device.sn}`, clientid: device.sn }
  expect(await ask('auth', { ...me, password })).toEqual({ status: 200, said: 'allow' })
  expect(await ask('auth', { ...me, password: 'x' })).toEqual({ status: 200, said: 'deny' })
  expect(await ask('auth', { ...me, password, clientid: 'other' })).toEqual({ status: 200, said: 'deny' })
  expect(await ask('auth', { username: 'tocsin-server', clientid: 'x', password })).toEqual({
    status: 200,
    said: 'deny',
  })
  const own = deriveBrokerSecret(fixture.masterKey, 'broker-password')
  expect(await ask('auth', { username: 'tocsin-server', clientid: 'x', password: own })).toEqual({
    status: 200,
    said: 'allow',
  })
  const may = async (action: string, topic: string) => (await ask('acl', { ...me, action, topic })).said
  expect(await may('publish', `ax/v1/panic1/${device.sn}/up/alarm`)).toBe('allow')
  expect(await may('publish', `ax/v1/panic1/${device.sn}/down/ack`)).toBe('deny')
  expect(await may('publish', 'ax/v1/panic1/SN-OTHER/up/alarm')).toBe('deny')
  expect(await may('subscribe', `ax/v1/panic1/${device.sn}/down/#`)).toBe('allow')
  expect(await may('subscribe', '#')).toBe('deny')
  const proxied = { 'x-forwarded-for': '203.0.113.5' }
  for (const headers of [{}, proxied, { authorization: 'Bearer x' }])
    expect((await ask('auth', { ...me, password }, headers)).status).toBe(401)
  expect((await ask('acl', { ...me, action: 'subscribe', topic: '#' }, {})).status).toBe(401)
  const wrong = async () => (await ask('auth', { ...me, password }, { authorization: 'Bearer x' })).status
  const answers = await Promise.all(Array.from({ length: 12 }, wrong))
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(3)
  // The broker itself, at the same address, goes on.
  expect(await ask('auth', { ...me, password })).toEqual({ status: 200, said: 'allow' })
  const { http: withoutBroker } = await fixture.gateway()
  const answer = await fetch(`${withoutBroker}/device-api/v1/broker/auth`, {
    method: 'POST',
    headers: { authorization },
  })
  expect(answer.status).toBe(404)
  expect(await ask('auth', { ...me, password }, { ...proxied, authorization })).toEqual({ status: 200, said: 'allow' })
  expect((await ask('auth', { username: 1 })).status).toBe(400)
})
