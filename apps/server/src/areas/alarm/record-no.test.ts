import { zone } from '@tocsin/contract/time-zone'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { alarm, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { seedRules } from './rule-seed.ts'

// Domain 2.4: YJ, the day, a number. DESIGN 3: the day is that of TOCSIN_TZ. Trust finding 10: numbers have no maximum.

let world: IntakeFixture
const usual = zone.name
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
})
afterEach(() => {
  zone.name = usual
})
afterAll(() => world.end())

const raisedNo = async () => {
  const deviceId = await world.button()
  await world.say(deviceId, alarm('PANIC', 1))
  return (await world.recordsOf(deviceId))[0]
}
const dayIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at).replaceAll('-', '')
const countFrom = async (n: number) => {
  const owner = new pg.Client(world.database.owner)
  await owner.connect()
  await owner.query(`select setval('warn_record_no_seq', $1, false)`, [n])
  await owner.end()
}

it('uses the day of the configured zone when other zones have another day', async () => {
  // One of these two zones is always a day ahead of the other.
  for (const name of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Shanghai']) {
    zone.name = name
    const record = await raisedNo()
    expect(record?.no.slice(2, 10)).toBe(dayIn(name, record?.receivedAt ?? new Date(0)))
  }
})

it('continues beyond six digits, and the record is found by the whole number', async () => {
  await countFrom(999_999)
  const numbers = [await raisedNo(), await raisedNo()].map((record) => record?.no.slice(10))
  expect(numbers).toEqual(['999999', '1000000'])
  await countFrom(4_294_967_296)
  expect((await raisedNo())?.no.slice(10)).toBe('4294967296')
})
