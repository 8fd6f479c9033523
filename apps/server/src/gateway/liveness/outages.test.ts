import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { type GatewayFixture, openGatewayFixture } from '../../../test/gateway-fixture.ts'
import { quietLog } from '../../../test/quiet-log.ts'
import { ingestServerSignal, ingestSignal } from '../../areas/alarm/ingest.ts'
import { type LivenessMonitor, startLivenessMonitor } from './liveness-monitor.ts'
import { createNodePresence } from './node-presence.ts'

let fixture: GatewayFixture
let watch: LivenessMonitor

beforeAll(async () => {
  fixture = await openGatewayFixture()
})
beforeEach(async () => {
  const presence = createNodePresence(fixture.screenDb, () => 0)
  await presence.heartbeat()
  watch = startLivenessMonitor({ db: fixture.screenDb, log: quietLog, presence, everyMs: 3_600_000 })
  await fixture.query(`update gateway_node set listening_since = now() - interval '1 hour'`)
})
afterEach(async () => {
  await watch.stop()
  await fixture.query('delete from device_state')
  await fixture.query('delete from gateway_node')
})
afterAll(() => fixture.close())

/** Districts with schools with devices, all of them online a moment ago; made in a few statements. */
const makeCity = async (districts: number, schools: number, devices: number): Promise<number[]> => {
  const key = Math.random().toString(36).slice(2, 8)
  const rows = await fixture.query<{ id: number }>(
    `with district as (
      insert into dept (kind, name) select 'EDU_BUREAU', $1 || 'D' || n from generate_series(1, $2::int) n returning id
    ), own as (
      insert into dept (kind, name, parent_id)
      select 'SCHOOL', $1 || 'S' || district.id || '-' || n, district.id from district, generate_series(1, $3::int) n
      returning id, name
    ), campus as (
      insert into school (dept_id, code, name, stage, area_type, status)
      select id, name, name, 'PRIMARY', 'URBAN', 'ACTIVE' from own returning id, dept_id
    ), made as (
      insert into device (sn, model_id, dept_id, school_id, lifecycle)
      select $1 || '-' || campus.id || '-' || n, $5, campus.dept_id, campus.id, 'IN_SERVICE'
      from campus, generate_series(1, $4::int) n returning id
    )
    insert into device_state (device_id, last_seen_at, connectivity, since)
    select id, now(), 'ONLINE', now() - interval '1 day' from made returning device_id as id`,
    [key, districts, schools, devices, fixture.model.id],
  )
  // As autovacuum does: the plans for a city must not come from an empty database.
  await fixture.owner.query('analyze')
  return rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
}
const fallSilent = (ids: readonly number[]) =>
  fixture.query(`update device_state set last_seen_at = now() - interval '200 s' where device_id = any($1)`, [ids])
const return_ = (ids: readonly number[]) =>
  fixture.query('update device_state set last_seen_at = now() where device_id = any($1)', [ids])
const openRecords = (ids: readonly number[]) =>
  fixture.query<{ id: number; code: string; class: string; school_id: number | null; device_id: number }>(
    'select id, code, class, school_id, device_id from warn_record where open and device_id = any($1) order by id',
    [ids],
  )
const countStates = async (ids: readonly number[]) =>
  Object.fromEntries(
    (
      await fixture.query<{ connectivity: string; n: number }>(
        'select connectivity, count(*)::int as n from device_state where device_id = any($1) group by connectivity',
        [ids],
      )
    ).map(({ connectivity, n }) => [connectivity, n]),
  )
const members = async (ids: readonly number[]) =>
  (
    await fixture.query<{ offline: number; restored: number; raised: number }>(
      `select (count(*) filter (where restored_at is null and raised_at is null))::int as offline,
        count(restored_at)::int as restored, count(raised_at)::int as raised
      from outage_device where device_id = any($1)`,
      [ids],
    )
  )[0]

describe('10,000 devices that go offline within a minute', () => {
  it('give one alarm for each district, shrink as devices return, and end with the last of them', async () => {
    const ids = await makeCity(10, 40, 25)
    expect(ids).toHaveLength(10_000)
    // Evenly over the minute: every sweep finds a part of every school.
    for (let part = 0; part < 5; part += 1) {
      await fallSilent(ids.filter((id) => id % 5 <= part))
      await watch.sweep()
    }
    expect(await countStates(ids)).toEqual({ OFFLINE: 10_000 })
    const open = await openRecords(ids)
    expect(open.length).toBeLessThanOrEqual(20)
    expect(new Set(open.map(({ code }) => code))).toEqual(new Set(['OUTAGE']))
    expect(await members(ids)).toEqual({ offline: 10_000, restored: 0, raised: 0 })

    await return_(ids.slice(1000))
    await watch.sweep()
    expect(await members(ids)).toEqual({ offline: 1000, restored: 9000, raised: 0 })
    await return_(ids)
    await watch.sweep()
    expect(await openRecords(ids)).toEqual([])
    const [ended] = await fixture.query<{ n: number }>('select count(*)::int as n from outage where ended_at is null')
    expect(ended?.n).toBe(0)
  })
})

describe('an outage of a school', () => {
  it('takes the alarm of a device that went offline a moment before into its own', async () => {
    const ids = await makeCity(1, 1, 6)
    await fallSilent(ids.slice(0, 1))
    await watch.sweep()
    expect((await openRecords(ids)).map(({ code }) => code)).toEqual(['OFFLINE'])
    await fallSilent(ids)
    await watch.sweep()
    const open = await openRecords(ids)
    expect(open).toMatchObject([{ code: 'OUTAGE', class: 'DEVICE_HEALTH' }])
    expect(await members(ids)).toEqual({ offline: 6, restored: 0, raised: 0 })
    const [merged] = await fixture.query(
      `select disposition, merged_into_id from warn_record where code = 'OFFLINE' and device_id = any($1)`,
      [ids],
    )
    expect(merged).toEqual({ disposition: 'DUPLICATE', merged_into_id: open[0]?.id })
  })

  it('leaves a few devices with alarms of their own', async () => {
    const ids = await makeCity(1, 1, 20)
    await fallSilent(ids.slice(0, 4))
    await watch.sweep()
    expect((await openRecords(ids)).map(({ code }) => code)).toEqual(['OFFLINE', 'OFFLINE', 'OFFLINE', 'OFFLINE'])
    expect(await members(ids)).toEqual({ offline: 0, restored: 0, raised: 0 })
  })

  it('never hides a panic of one of its devices', async () => {
    const ids = await makeCity(1, 1, 6)
    await fallSilent(ids)
    await watch.sweep()
    const [deviceId = 0] = ids
    const message = { v: 1, eventId: 'P-1', boot: 1, seq: 1, ts: Date.now(), upMs: 1, code: 'PANIC', mode: 'LIVE' }
    await ingestSignal(fixture.db, { deviceId, via: 'MQTT', channel: 'alarm', message: message as never })
    expect((await openRecords(ids)).map((record) => record.class)).toEqual(['DEVICE_HEALTH', 'PANIC'])
  })

  it('gives the devices that stay away alarms of their own when most are back and nothing changes', async () => {
    const ids = await makeCity(1, 1, 6)
    await fallSilent(ids)
    await watch.sweep()
    await return_(ids.slice(2))
    await watch.sweep()
    expect((await openRecords(ids)).map(({ code }) => code)).toEqual(['OUTAGE'])
    await fixture.query(`update outage set changed_at = now() - interval '11 minutes' where ended_at is null`)
    await watch.sweep()
    expect((await openRecords(ids)).map(({ code }) => code)).toEqual(['OFFLINE', 'OFFLINE'])
    expect(await members(ids)).toEqual({ offline: 0, restored: 4, raised: 2 })
  })

  it('raises each device by itself when no rule raises an alarm for outages', async () => {
    await fixture.query(`update warn_rule set enabled = false where name = '大面积离线'`)
    const ids = await makeCity(1, 1, 6)
    await fallSilent(ids)
    await watch.sweep()
    await fixture.query(`update warn_rule set enabled = true where name = '大面积离线'`)
    expect((await openRecords(ids)).map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'OFFLINE'))
  })
})

describe('a gateway that is offline', () => {
  it('takes its devices with it, however few they are', async () => {
    const modelId = await fixture.gatewayModel()
    const gateway = await fixture.device({ modelId })
    const children = [
      await fixture.device({ gatewayId: gateway.id }),
      await fixture.device({ gatewayId: gateway.id }),
      ...(await Promise.all(Array.from({ length: 9 }, () => fixture.device()))),
    ]
    const ids = [gateway, ...children].map(({ id }) => id)
    await fixture.query(
      `insert into device_state (device_id, last_seen_at, connectivity, since)
       select id, now(), 'ONLINE', now() - interval '1 day' from unnest($1::bigint[]) id
       on conflict (device_id) do update set last_seen_at = now(), connectivity = 'ONLINE'`,
      [ids],
    )
    await fallSilent(ids.slice(0, 3))
    await watch.sweep()
    expect(await openRecords(ids)).toMatchObject([{ code: 'OUTAGE', device_id: gateway.id }])
    expect(await members(ids)).toMatchObject({ offline: 3 })
  })
})

it('counts a connection that is lost six times in an hour as one unstable device', async () => {
  const [deviceId = 0] = await makeCity(1, 1, 1)
  await fixture.query(
    `insert into device_connectivity (device_id, at, from_state, to_state, reason)
     select $1, now() - make_interval(mins => 11 + n * 9), 'ONLINE', 'OFFLINE', 'SILENCE' from generate_series(1, 5) n`,
    [deviceId],
  )
  await fallSilent([deviceId])
  await watch.sweep()
  expect((await openRecords([deviceId])).map(({ code }) => code)).toEqual(['FLAPPING'])
  await ingestServerSignal(fixture.db, { deviceId, code: 'FLAPPING_ENDED', eventId: 'calm' })
})
