import mqtt from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { quietLog } from '../../../test/quiet-log.ts'
import { createTakeoverCounter } from '../liveness/anomaly-counters.ts'

// Domain 3.1: a second connection with the secret of a device may be an attack.

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const shown = (deviceId: number) =>
  fixture.query(
    `select r.class, r.level, r.state, r.occurrence_count as times from warn_record r
     where r.device_id = $1 and r.code = 'TAKEN_OVER'`,
    [deviceId],
  )

it('raises one record when connections of a device end each other, and none for a single return', async () => {
  const device = await fixture.device()
  const connect = async (url: string) => {
    const client = await mqtt.connectAsync(url, {
      protocolVersion: 4,
      clientId: device.sn,
      username: `panic1/${device.sn}`,
      password: Buffer.from(device.credential.secret).toString('base64url'),
      reconnectPeriod: 0,
    })
    client.on('error', () => undefined)
    const closed = new Promise<void>((gone) => client.once('close', () => gone()))
    return { client, closed }
  }
  const calm = await fixture.gateway()
  for (let n = 0; n < 2; n += 1) await (await connect(calm.mqtt)).client.endAsync()
  const halfOpen = await connect(calm.mqtt)
  await connect(calm.mqtt)
  await halfOpen.closed
  await calm.stop()
  expect(await shown(device.id)).toEqual([])
  for (let round = 1; round <= 2; round += 1) {
    const { mqtt: url, stop } = await fixture.gateway()
    let last = await connect(url)
    for (let n = 0; n < 3; n += 1) {
      const before = last
      last = await connect(url)
      await before.closed
    }
    last.client.end(true)
    // The counts are reported at the end at the latest.
    await stop()
    expect(await shown(device.id)).toEqual([{ class: 'DEVICE_HEALTH', level: 4, state: 'NEW', times: round }])
  }
})

it('raises a record when takeovers spread over two checks, and none for rare ones', async () => {
  const device = await fixture.device()
  const { countTakeover: happened, check, stop } = createTakeoverCounter({ db: fixture.screenDb, log: quietLog })
  for (let n = 0; n < 3; n += 1) {
    happened(device.id)
    await check()
    await check()
  }
  expect(await shown(device.id)).toEqual([])
  for (let n = 0; n < 2; n += 1) {
    happened(device.id)
    await check()
  }
  await stop()
  expect(await shown(device.id)).toEqual([{ class: 'DEVICE_HEALTH', level: 4, state: 'NEW', times: 1 }])
})
