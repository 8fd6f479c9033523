import mqtt from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'

// DESIGN 6, domain 2.6: a connection ends within 30 s after its device was retired or its own secret has ended.

type Made = Awaited<ReturnType<GatewayFixture['device']>>
let fixture: GatewayFixture
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await fixture.clear()
})
afterAll(() => fixture.close())

const connect = async (url: string, { sn, credential }: Made) => {
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    clientId: sn,
    username: `panic1/${sn}`,
    password: Buffer.from(credential.secret).toString('base64url'),
    reconnectPeriod: 0,
  })
  client.on('error', () => undefined)
  ends.push(() => client.endAsync(true))
  return client
}

it.each([
  ['retired', `update device set lifecycle = 'RETIRED' where id = $1`],
  ['left without a secret', 'delete from device_credential where device_id = $1'],
  ['left with an expired secret', `update device_credential set expires_at = now() where device_id = $1`],
  [
    'left with a newer secret than that of its connection',
    `with ended as (update device_credential set expires_at = now() where device_id = $1 returning *)
     insert into device_credential (device_id, secret_hash, http_key_sealed, broker_hash)
     select device_id, sha256(secret_hash), http_key_sealed, broker_hash from ended`,
  ],
])('closes the connection of a device that is %s, and no other', async (_what, change) => {
  const { mqtt: url } = await fixture.gateway({ limits: { recheckMs: 100 } })
  const [gone, stays] = [await fixture.device(), await fixture.device()]
  const [link, other] = [await connect(url, gone), await connect(url, stays)]
  // Several checks run and close no connection.
  const startedAt = performance.now()
  await expect.poll(() => performance.now() - startedAt).toBeGreaterThan(300)
  expect([link.connected, other.connected]).toEqual([true, true])
  const closed = new Promise<void>((done) => link.once('close', () => done()))
  await fixture.owner.query(change, [gone.id])
  await closed
  await other.publishAsync(`ax/v1/panic1/${stays.sn}/up/hb`, '{}', { qos: 1 })
  expect(other.connected).toBe(true)
})
