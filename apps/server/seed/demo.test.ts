import { httpKey } from '@tocsin/protocol/sign'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secretHash } from '../src/areas/device/credential.ts'
import { deviceRoutes } from '../src/areas/device/device.ts'
import { seedSystem } from '../src/areas/access/seed/seed.ts'
import { openPool } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import { decrypt } from '../src/db/encryption.ts'
import { type Console, openConsole } from '../test/console.ts'
import { cloneDatabase, type TestDatabase } from '../test/database.ts'
import { parseLoadSize } from './start-demo.ts'
import { seedLoad } from './demo-load.ts'
import { openFiles } from '../test/files.ts'
import { buildRollouts } from './areas/demo-rollouts.ts'
import { type Demo, seedDemo, writeAccounts, writeFleet } from './demo.ts'

const keys = { secrets: randomBytes(32), http: randomBytes(32) }
let database: TestDatabase
let pool: pg.Pool
let site: Console
let demo: Demo

beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 4 }, 30)
  site = await openConsole(pool, (db) => deviceRoutes({ db }))
  await seedSystem(site.db, 'Given-admin-pass-1')
  demo = await seedDemo(site.db, keys)
})
afterAll(async () => {
  await site.app.close()
  await pool.end()
  await database.drop()
})

const all = () => unscoped(site.db, 'test')
/** Reads devices as a maintainer. */
const devicesIn = async (lifecycle: string) => {
  const { username, password } = demo.accounts.find((account) => account.username === 'maintainer') ?? expect.fail()
  const token = await site.tokenOf(username, password)
  const path = `/device/device/page?lifecycle=${lifecycle}&pageSize=100`
  const { list } = (await site.call('GET', path, { token })).data as unknown as {
    list: { sn: string; lacks: string[] }[]
  }
  expect(list.flatMap(({ lacks }) => lacks)).toEqual([])
  return list.map(({ sn }) => sn).toSorted()
}

describe('the demo', () => {
  it('creates three schools of one station in two districts, with a gateway and twelve devices in service each', async () => {
    const { rows } = await pool.query(`
      select s.name, p.name as station, e.name as district, count(sd.id)::int as devices,
        count(distinct sd.place_id)::int as places
      from school s join dept p on p.id = s.police_dept_id join dept d on d.id = s.dept_id
      join dept e on e.id = d.parent_id join school_device sd on sd.school_id = s.id and sd.status = 'ACCEPTED'
      group by 1, 2, 3 order by 1`)
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ station }) => station)).size).toBe(1)
    expect(new Set(rows.map(({ district }) => district)).size).toBe(2)
    expect(rows.map(({ devices, places }) => [devices, places])).toEqual(Array(3).fill([13, 12]))
  })

  it('includes the demo pages until a user switches them off', async () => {
    const shown = async () =>
      (await site.db.selectFrom('config').select('value').where('key', '=', 'site.demo').executeTakeFirst())?.value
    expect(await shown()).toBe('true')
    await site.db.updateTable('config').set({ value: 'false' }).where('key', '=', 'site.demo').execute()
    await seedDemo(site.db, keys)
    expect(await shown()).toBe('false')
  })

  it('gives each school a fence, contacts, cameras in public places, and a gateway with child devices', async () => {
    const { rows } = await pool.query(`
      select s.lng between min((p.point->>0)::float8) and max((p.point->>0)::float8) as around, s.duty_phone is not null as duty,
        jsonb_array_length(s.emergency_contacts) > 2 as contacts,
        (select array_agg(pl.name order by pl.name) from place pl where pl.school_id = s.id and pl.camera_ids <> '{}') as filmed,
        (select count(*)::int from school_device i where i.school_id = s.id and i.camera_ids <> '{}') as seen,
        (select count(*)::int from device d join device g on g.id = d.gateway_id
          where d.school_id = s.id and g.sn = s.code || '-G1') as children,
        (select count(*)::int from place pl where pl.school_id = s.id and pl.polygon is not null) as outlined
      from school s cross join jsonb_array_elements(s.geofence->'coordinates'->0) as p (point) group by s.id`)
    expect(rows).toHaveLength(3)
    for (const row of rows)
      expect(row).toEqual({
        around: true,
        duty: true,
        contacts: true,
        filmed: ['南门', '食堂'],
        seen: 2,
        children: 12,
        outlined: 11,
      })
    expect(demo.fleet.filter(({ presses }) => presses === false).map(({ sn }) => sn)).toEqual([
      'DEMO-S1-G1',
      'DEMO-S2-G1',
      'DEMO-S3-G1',
    ])
  })

  it('has every pressing device in service: each school has a station and an alarm recipient', async () => {
    expect(await devicesIn('IN_SERVICE')).toEqual(demo.fleet.map(({ sn }) => sn).toSorted())
    expect(await devicesIn('COMMISSIONING')).toEqual(
      [1, 2, 3].flatMap((school) => [1, 2].map((camera) => `DEMO-S${school}-C${camera}`)),
    )
  })

  it('has people with posts, tests done, overdue and planned, and devices in stock, under repair and lost', async () => {
    const { rows: lifecycles } = await pool.query(
      `select lifecycle, count(*)::int as devices from device where lifecycle in ('IN_STOCK', 'UNDER_REPAIR', 'LOST')
       group by 1 order by 1`,
    )
    expect(lifecycles).toEqual([
      { lifecycle: 'IN_STOCK', devices: 2 },
      { lifecycle: 'LOST', devices: 1 },
      { lifecycle: 'UNDER_REPAIR', devices: 1 },
    ])
    const { rows: tests } = await pool.query(`
      select s.code, p.closed_at is not null as done, count(*) filter (where r.result = 'PASSED')::int as passed,
        count(*) filter (where i.next_test_due < current_date)::int as overdue, count(*)::int as devices
      from test_plan p join school s on s.id = p.school_id join test_result r on r.plan_id = p.id
      join school_device i on i.id = r.school_device_id group by s.code, p.id order by s.code`)
    expect(tests).toEqual([
      { code: 'DEMO-S1', done: true, passed: 11, overdue: 0, devices: 12 },
      { code: 'DEMO-S2', done: true, passed: 11, overdue: 12, devices: 12 },
      { code: 'DEMO-S3', done: false, passed: 0, overdue: 0, devices: 12 },
    ])
    const { rows: people } = await pool.query(`
      select s.code, s.principal_id is not null and s.safety_officer_id is not null
          and s.legal_vice_head_id is not null as led,
        count(*) filter (where e.post is null)::int as without_post, count(*) > 2 as several,
        bool_or(e.cert_expires_on < current_date + 30) as cert_due
      from school s join employee e on e.school_id = s.id where s.code in ('DEMO-S1', 'DEMO-S2', 'DEMO-S3')
      group by s.id order by s.code`)
    expect(people).toEqual(
      ['DEMO-S1', 'DEMO-S2', 'DEMO-S3'].map((code) => ({
        code,
        led: true,
        without_post: 0,
        several: true,
        cert_due: true,
      })),
    )
  })

  it('has two months of shifts, rounds and handovers, with people who were late, ill or on leave', async () => {
    const { rows } = await pool.query(`
      select (select min(from_at) < now() - interval '55 days' from shift where dept_id is null) as shifts,
        (select min(from_at) < now() - interval '55 days' from shift where dept_id is not null) as seats,
        (select min(from_at) < now() - interval '55 days' from patrol_run) as rounds,
        (select min(given_at) < now() - interval '55 days' from handover) as handovers,
        (select count(distinct state)::int from shift) as states,
        (select count(*) > 3 from shift where checked_in_at > from_at + interval '5 minutes') as late,
        (select count(*) > 2 from patrol_scan where is_odd) as odd,
        (select count(*) > 3 from patrol_run where state = 'MISSED') as missed,
        (select count(*)::int from shift a join shift b on a.employee_id = b.employee_id and a.id < b.id
          and a.from_at < b.to_at and b.from_at < a.to_at) as doubled`)
    const found = { shifts: true, seats: true, rounds: true, handovers: true, late: true, odd: true, missed: true }
    expect(rows).toEqual([{ ...found, states: expect.any(Number), doubled: 0 }])
    // Whether somebody is on duty now depends on the hour.
    expect(rows[0].states).toBeGreaterThanOrEqual(4)
  })

  it('is the same at the next start, with accounts and secrets', async () => {
    const count = async () => {
      const { rows } = await pool.query(
        'select (select count(*) from users) u, (select count(*) from device) d, (select count(*) from place) p',
      )
      return rows
    }
    const before = await count()
    expect(await seedDemo(site.db, keys)).toEqual(demo)
    expect(await count()).toEqual(before)
  })

  it('keeps the devices of a demo that an earlier release created', async () => {
    const rename = (from: string, to: string) =>
      all().updateTable('device').set({ sn: to }).where('sn', '=', from).execute()
    await rename('DEMO-S1-G1', 'NOT-YET-KNOWN')
    const { fleet } = await seedDemo(site.db, keys)
    await rename('NOT-YET-KNOWN', 'DEMO-S1-G1')
    expect(fleet).toEqual(demo.fleet.filter(({ sn }) => sn !== 'DEMO-S1-G1'))
  })

  it('gives every role an account that can sign in', async () => {
    const held = await site.db
      .selectFrom('role')
      .select('role.code')
      .where('role.id', 'not in', (eb) => eb.selectFrom('userRole').select('roleId'))
      .execute()
    // Belongs to another system, which the demo does not have.
    expect(held).toEqual([{ code: 'api_client' }])
    for (const { username, password } of demo.accounts)
      expect((await site.signIn(username, password)).data, username).toMatchObject({ mustChangePassword: false })
  })

  it('stores the verifier of a device, and not its secret', async () => {
    const [first] = demo.fleet
    const secret = Buffer.from(first?.secret ?? '', 'base64url')
    const kept = await all()
      .selectFrom('deviceCredential')
      .innerJoin('device', 'device.id', 'deviceCredential.deviceId')
      .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
      .select(['secretHash', 'httpKeySealed', 'productKey'])
      .where('sn', '=', first?.sn ?? '')
      .executeTakeFirstOrThrow()
    expect(kept.productKey).toBe(first?.productKey)
    expect(kept.secretHash).toEqual(secretHash(secret))
    expect(decrypt(keys.http, kept.httpKeySealed)).toEqual(httpKey(secret))
    expect(decrypt(randomBytes(32), kept.httpKeySealed)).toBeUndefined()
    const changed = Buffer.from(kept.httpKeySealed)
    changed.writeUInt8(changed.readUInt8(40) ^ 1, 40)
    expect(decrypt(keys.http, changed)).toBeUndefined()
  })

  it('writes accounts and devices readable for their owner alone, also over an open file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-demo-'))
    const [accounts, fleet] = [join(folder, 'demo-accounts.txt'), join(folder, 'fleet.json')]
    writeFileSync(fleet, 'old', { mode: 0o644 })
    writeAccounts(accounts, demo.accounts)
    writeFleet(fleet, demo.fleet)
    for (const file of [accounts, fleet]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(fleet, 'utf8'))).toEqual(demo.fleet)
    expect(readFileSync(accounts, 'utf8').split('\n')[0]).toContain(demo.accounts[0]?.password)
    rmSync(folder, { recursive: true })
  })
})

describe('additional devices', () => {
  it('are added in rooms of their own, and existing ones stay', async () => {
    const first = await seedLoad(site.db, keys, 2)
    expect((await seedLoad(site.db, keys, 3)).slice(0, 2)).toEqual(first)
    const { rows } = await pool.query(`
      select d.sn, p.name, i.status from device d join school s on s.id = d.school_id
      join school_device i on i.device_id = d.id join place p on p.id = i.place_id
      where s.code = 'DEMO-CROWD' order by d.sn`)
    expect(rows.map(({ sn, name, status }) => [sn, name, status])).toEqual(
      [1, 2, 3].map((n) => [`DEMO-CROWD-0000${n}`, `${n} 号室`, 'ACCEPTED']),
    )
    expect(await devicesIn('IN_SERVICE')).toEqual(expect.arrayContaining(rows.map(({ sn }) => sn)))
  })

  it.each(['', '0', '-1', '1e3', '20001', 'many'])('reject a number of "%s"', (text) => {
    expect(() => parseLoadSize(['--demo', '--crowd', text], true)).toThrow('--crowd takes a number')
    expect(() => parseLoadSize(['--crowd', '5'], false)).toThrow('for the demo alone')
  })
})

describe('the rollouts of the demo', () => {
  it('are one complete and one that its gate has halted, built once', async () => {
    const files = openFiles()
    await buildRollouts(site.db)
    await buildRollouts(site.db)
    files.close()
    const rows = await site.db.selectFrom('rollout').select(['state', 'ring']).orderBy('id').execute()
    expect(rows).toEqual([
      { state: 'COMPLETED', ring: 4 },
      { state: 'HALTED', ring: 2 },
    ])
  })
})
