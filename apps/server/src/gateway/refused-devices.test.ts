import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { quietLog } from '../../test/quiet-log.ts'
import { createRefusedDeviceLog } from './refused-devices.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterAll(() => fixture.close())

const count = async () => (await fixture.query<{ n: number }>('select count(*)::int as n from unknown_device'))[0]?.n

it('stores a thousand refused devices, and skips rows that another transaction locks', async () => {
  await fixture.query(
    `insert into unknown_device (sn, product_key, ip, reason, last_at)
     select 'S' || n, 'panic1', '10.0.0.1', 'UNKNOWN_SN', now() - make_interval(secs => n) from generate_series(1, 1010) n`,
  )
  const refusedDevices = createRefusedDeviceLog({ db: fixture.screenDb, log: quietLog })
  const other = await fixture.owner.connect()
  try {
    await other.query('begin')
    await other.query(`update unknown_device set count = count + 1 where sn = 'S1010'`)
    refusedDevices.note({ sn: 'NEW', productKey: 'panic1', ip: '10.0.0.2', reason: 'UNKNOWN_SN' })
    await refusedDevices.flush()
    // Eleven too many: all but the one that another transaction writes.
    expect(await count()).toBe(1001)
    await other.query('commit')
  } finally {
    other.release(true)
  }
  refusedDevices.note({ sn: 'NEW', productKey: 'panic1', ip: '10.0.0.2', reason: 'UNKNOWN_SN' })
  await refusedDevices.stop()
  expect(await count()).toBe(1000)
})
