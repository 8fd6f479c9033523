import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { openDb, openPool } from '#db/db'
import { checkSecret } from './credential-check.ts'

let world: GatewayFixture
beforeAll(async () => {
  world = await openGatewayFixture()
})
afterAll(() => world.close())

it('checks concurrent devices separately, and leaves connections to alarms', async () => {
  const pool = openPool({ ...world.database.app, max: 2 }, 10)
  const db = openDb(pool)
  const devices = await Promise.all(Array.from({ length: 20 }, () => world.device()))
  const [first, second] = devices.map(({ credential }) => credential)
  if (!first || !second) throw new Error('no devices')
  const blocker = await world.owner.connect()
  try {
    await blocker.query('begin; lock table device_credential in access exclusive mode')
    const items = [
      ...devices.map(({ credential }) => checkSecret(db, credential, credential.secret)),
      checkSecret(db, first, second.secret),
      checkSecret(db, { ...first, productKey: 'panic2' }, first.secret),
      checkSecret(db, { ...first, sn: 'NOBODY-1' }, first.secret),
    ]
    const isBlocked = () => world.query('select 1 from pg_locks where not granted')
    await expect.poll(isBlocked).not.toEqual([])
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await blocker.query('commit')
    const verdicts = await Promise.all(items)
    expect(verdicts.slice(0, 20)).toMatchObject(devices.map(({ id, sn }) => ({ device: { id, sn } })))
    expect(verdicts.slice(20)).toEqual([
      { refused: 'BAD_SECRET' },
      { refused: 'UNKNOWN_SN' },
      { refused: 'UNKNOWN_SN' },
    ])
  } finally {
    blocker.release(true)
    await pool.end()
  }
})
