import { encode } from '@tocsin/protocol/decode'
import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import { upTopic, usernameOf } from '@tocsin/protocol/topics'
import mqtt from 'mqtt'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations, report, cleanReport } from '../../../../tools/fault/consistency-check.ts'
import { waitUntil } from '../../../../tools/fault/wait-until.ts'
import { openAccess } from '../../../../tools/fault/fault-devices.ts'
import type { Stats } from '../../../../tools/simulator/fleet.ts'
import type { Credential } from '../../../../tools/simulator/fleet-file.ts'
import { calmSec, kills, patience } from './kills.ts'
import { startFaultServer, type FaultServer, underLoad } from './fault-server.ts'

let site: FaultServer

beforeAll(async () => {
  site = await startFaultServer({ devices: 1 })
})
afterAll(() => site?.end())

/** X24. */
test(
  'creates one record of a press that arrives as copies, over a second connection and over HTTP',
  async () => {
    const rig = await site.more({ devices: 50, faults: { copies: 5, twoSockets: true, httpAtOnce: true } })
    const load = underLoad(rig.fleet, 50)
    const wanted = kills(300)
    // On a slow machine HTTP answers most of them before the device is back with its copies.
    const enough = ({ pressed, copies }: Stats) => pressed >= wanted && copies > wanted
    await waitUntil('presses and copies', () => enough(rig.fleet.stats()), { seconds: 120 + wanted })
    load.stop()
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    const { copies, fallbacks, fallbackFailures } = rig.fleet.stats()
    report(`${copies} copies, ${fallbacks} at once by HTTP (${fallbackFailures} unanswered)`, verdict)
    expect(violations(verdict)).toEqual(cleanReport)
    expect(fallbacks).toBeGreaterThanOrEqual(verdict.counts.sent)
  },
  patience(),
)

type Said = { sn: string; presserCancelled: boolean; tampered: boolean }

const finalState = async (sns: readonly string[]): Promise<Said[]> => {
  const access = openAccess(site.database.owner)
  const { rows } = await access.pool.query<Said>(
    `select d.sn, coalesce(bool_or(r.presser_cancelled) filter (where r.code = 'PANIC'), false) as "presserCancelled",
       coalesce(bool_or(r.condition = 'ACTIVE' and r.open) filter (where r.code = 'TAMPER'), false) as tampered
     from device d left join warn_record r on r.device_id = d.id where d.sn = any($1) group by d.sn order by d.sn`,
    [sns],
  )
  await access.pool.end()
  return rows
}

/** X25. */
test('reaches the same state from shuffled messages as from ordered ones', async () => {
  const reorderMs = 3000
  const rig = await site.more({ devices: kills(60), heartbeatSec: 0, faults: { reorderMs, copies: 2 } })
  const { fleet } = rig
  const expected = fleet.sns.map((sn) => {
    const said: Said = { sn, presserCancelled: false, tampered: false }
    fleet.press(sn)
    for (let n = 0; n < 6; n += 1) {
      said.presserCancelled = fleet.random() < 0.5
      fleet.press(sn, { code: said.presserCancelled ? 'CANCEL' : 'PANIC' })
      said.tampered = fleet.random() < 0.5
      fleet.event(sn, said.tampered ? 'TAMPER' : 'TAMPER_RESTORED')
    }
    return said
  })
  await rig.calm(calmSec())
  const verdict = await rig.checkConsistency()
  report('shuffled order', verdict)
  // A cancel that overtook its press was suppressed, and belongs to no record.
  expect({ ...violations(verdict), incomplete: [] }).toEqual(cleanReport)
  expect(await finalState(fleet.sns)).toEqual(expected.toSorted((a, b) => (a.sn < b.sn ? -1 : 1)))
})

const PATH = '/device-api/v1/alarms'

type Answer = { recordNo?: string }

const posting =
  (http: string, { productKey, sn, secret }: Credential, body: Uint8Array) =>
  async () => {
    const nonce = randomBytes(16).toString('base64url')
    const headers = signedHeaders(httpKey(secret), { productKey, sn }, Date.now(), {
      method: 'POST',
      path: PATH,
      nonce,
      body,
    })
    const response = await fetch(new URL(PATH, http), {
      method: 'POST',
      body: Buffer.from(body),
      headers: { ...headers, 'content-type': 'application/json' },
    })
    // The receipt is the body itself (domain 3.5).
    const { recordNo } = (await response.json()) as Answer
    return recordNo ?? `answer ${response.status}`
  }

const counts = async (sn: string) => {
  const access = openAccess(site.database.owner)
  const { rows } = await access.pool.query<{ signals: number; records: number; presses: number }>(
    `select count(distinct s.id) as signals, count(distinct r.id) as records, max(r.occurrence_count) as presses
     from device d left join signal s on s.device_id = d.id left join warn_record r on r.id = s.record_id
     where d.sn = $1`,
    [sn],
  )
  await access.pool.end()
  return rows[0]
}

/** X24. Last, because this device receives no receipt: other tests would wait for it to be sent. */
test('counts a thousand concurrent deliveries of one press over both transports as one press', async () => {
  const { node, rig, devices } = site
  const [device] = devices
  if (!device) throw new Error('the site has no device')
  await rig.fleet.stop()
  const eventId = randomUUID().replaceAll('-', '')
  const body = encode({ v: 1, boot: 1, seq: 1, ts: Date.now(), upMs: 1000, eventId, mode: 'LIVE', code: 'PANIC' })
  const client = await mqtt.connectAsync(node.mqtt, {
    protocolVersion: 4,
    clientId: device.sn,
    username: usernameOf(device),
    password: Buffer.from(device.secret).toString('base64url'),
    reconnectPeriod: 0,
  })
  const post = posting(node.http, device, body)
  const byMqtt = Array.from({ length: 500 }, () =>
    client.publishAsync(upTopic(device, 'alarm'), Buffer.from(body), { qos: 1 }),
  )
  const byHttp = Array.from({ length: 500 }, post)
  await Promise.all(byMqtt)
  const numbers = new Set(await Promise.all(byHttp))
  client.end()
  expect([...numbers]).toEqual([expect.stringMatching(/^YJ\d+$/)])
  expect(await counts(device.sn)).toEqual({ signals: 1, records: 1, presses: 1 })
})
