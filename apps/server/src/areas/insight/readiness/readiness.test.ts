import { NEVER, schoolScore, scoreWithout } from '@tocsin/contract/insight/readiness'
import type { Weights } from '@tocsin/contract/insight/weights/readiness-weights'
import { startOfDay } from '@tocsin/contract/security/hours'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userRoutes } from '#areas/access/people/routes'
import { postRoutes } from '#areas/security/post/routes'
import { makeInstallation, makePlace, makeSchool, makeUser } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { pageIn } from '../../../../test/admin-server.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { makePostDraft } from '../../../../test/duty-server.ts'
import { openLowOrders } from './readiness-timer.ts'
import { refreshAll, refreshChanged } from './refresh.ts'
import { getCurrentWeights } from './weights.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

const R = '/insight/readiness'
const DAY_MS = 86_400_000
let site: DeviceServer
const deviceIds: number[] = []
const schoolIds: number[] = []
let otherRoomId: number
/** The only person of each school who takes its alarms, and its only post. */
const recipients = new Map<number, number>()
const posts = new Map<number, number>()

const transact = <T>(work: (trx: Parameters<typeof refreshAll>[0]) => Promise<T>) =>
  site.site.db.transaction().execute(work)
const run = (sql: string, values: unknown[] = []) => site.pool.query(sql, values)
/** The sequencer, which numbers events, does not run here. */
const numberEvents = () => run(`update event set seq = id where seq is null`)

beforeAll(async () => {
  site = await startDeviceServer((db) => [...userRoutes({ db }), ...postRoutes({ db })])
  const other = await makeSchool(site.site.db, { eduDeptId: site.there.deptId })
  const room = await makePlace(site.site.db, { schoolId: other.id })
  otherRoomId = room.id
  schoolIds.push(site.schoolId, other.id)
  for (let n = 0; n < 4; n += 1) {
    const { id } = await site.register(`RDY-000${n}`)
    await makeInstallation(
      site.site.db,
      { id },
      n < 3 ? { id: site.placeIds[0], schoolId: site.schoolId } : { id: room.id, schoolId: other.id },
    )
    deviceIds.push(id)
  }
})
afterAll(() => site.end())

const scores = async () => {
  const devices = await run(
    `select device_id, school_id, score, reasons, weights_version from device_readiness order by device_id`,
  )
  const schools = await run(
    `select school_id, score, devices, low, reasons, weights_version from school_readiness order by school_id`,
  )
  return { devices: devices.rows, schools: schools.rows }
}

const setState = (deviceId: number, state: { connectivity?: string; battery?: number; skew?: number }) =>
  run(
    `insert into device_state (device_id, connectivity, battery_pct, skew_ms) values ($1, $2, $3, $4)
      on conflict (device_id) do update set connectivity = excluded.connectivity, battery_pct = excluded.battery_pct,
        skew_ms = excluded.skew_ms`,
    [deviceId, state.connectivity ?? 'ONLINE', state.battery ?? 100, state.skew ?? 0],
  )
const tellDevice = (deviceId: number) =>
  run(`insert into event (type, ref, school_id) select 'device.status', id, school_id from device where id = $1`, [
    deviceId,
  ])
const prove = (deviceId: number, at: Date) =>
  run(`update school_device set last_test_at = $2 where device_id = $1 and valid_to is null`, [deviceId, at])
/** A school without any deduction. */
const completeSchool = async (schoolId: number) => {
  await run(`update school set police_dept_id = dept_id where id = $1`, [schoolId])
  await run(`update school_device set plan_x = 1, plan_y = 1 where school_id = $1`, [schoolId])
}
const reasonsOf = async (deviceId: number) => {
  const { rows } = await run(`select score, reasons from device_readiness where device_id = $1`, [deviceId])
  return rows[0] as { score: number; reasons: { code: string; points: number; value: number }[] }
}

describe('refreshAll', () => {
  it('deducts the points of the first weights for each fact and explains the score', async () => {
    const now = new Date()
    const [device = 0] = deviceIds
    await completeSchool(site.schoolId)
    await setState(device, { battery: 15, skew: 7000 })
    await prove(device, new Date(now.getTime() - 112.5 * DAY_MS))
    await run(
      `insert into device_connectivity (device_id, at, from_state, to_state, reason) values
        ($1, $2::timestamptz - interval '3 days', 'ONLINE', 'OFFLINE', 'SILENCE'),
        ($1, $2::timestamptz - interval '2 days 12 hours', 'OFFLINE', 'ONLINE', 'SEEN')`,
      [device, now],
    )
    await transact((trx) => refreshAll(trx, now))
    const { score, reasons } = await reasonsOf(device)
    expect(reasons).toEqual([
      { code: 'RECIPIENT', points: 25, value: 1 },
      { code: 'PRESS', points: 20, value: 112 },
      { code: 'BATTERY', points: 15, value: 85 },
      { code: 'HEARTBEAT', points: 8, value: 7 },
      { code: 'CLOCK', points: 5, value: 7 },
    ])
    expect(score).toBe(27)
    expect(scoreWithout(reasons as never)).toBe(score)
    expect((await reasonsOf(deviceIds[1] ?? 0)).reasons).toContainEqual({ code: 'PRESS', points: 30, value: NEVER })
    await site.press(device)
    await transact((trx) => refreshAll(trx, new Date()))
    expect((await reasonsOf(device)).reasons.map(({ code }) => code)).not.toContain('PRESS')
  })

  it('keeps the value of the day and deletes a device that was removed', async () => {
    const { rows } = await run(`select score, devices from school_readiness_day where school_id = $1`, [site.schoolId])
    const { schools, devices } = await scores()
    const school = schools.find((row) => row.school_id === site.schoolId)
    expect(rows).toEqual([{ score: school?.score, devices: 3 }])
    const own = devices.filter((row) => row.school_id === site.schoolId).map((row) => row.score)
    expect(school?.score).toBe(schoolScore(own))
    await run(`update school_device set status = 'SUSPENDED' where device_id = $1`, [deviceIds[2]])
    await transact((trx) => refreshAll(trx, new Date()))
    expect(await reasonsOf(deviceIds[2] ?? 0)).toBeUndefined()
    await run(`update school_device set status = 'ACCEPTED' where device_id = $1`, [deviceIds[2]])
  })
})

describe('a coverage gap', () => {
  it('costs points 24 hours ahead, and more while nobody is on duty', async () => {
    const [device = 0] = deviceIds
    const midnight = startOfDay(new Date()).getTime() + DAY_MS
    const at = async (hour: number) => {
      await transact((trx) => refreshAll(trx, new Date(midnight + hour * 3_600_000)))
      return (await reasonsOf(device)).reasons.flatMap(({ code }) => (code.startsWith('SHIFT') ? [code] : []))
    }
    expect(await at(6)).toEqual([])
    await run(
      `insert into security_post (school_id, name, type, from_min, to_min, check_code)
       values ($1, '东门', 'GATE', 420, 1140, 'gap')`,
      [site.schoolId],
    )
    expect(await at(6)).toEqual(['SHIFT_AHEAD'])
    expect(await at(8)).toEqual(['SHIFT', 'SHIFT_AHEAD'])
    await run(`delete from security_post where school_id = $1`, [site.schoolId])
    expect(await at(6)).toEqual([])
    await run(`delete from school_readiness_day where day > (now() at time zone 'Asia/Shanghai')::date`)
  })
})

describe('refreshChanged', () => {
  beforeAll(async () => {
    for (const id of schoolIds) {
      const { deptId } = await site.all
        .selectFrom('school')
        .select('deptId')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      recipients.set(id, (await makeUser(site.site.db, { deptId, roles: ['school_admin'] })).id)
      const draft = makePostDraft({ schoolId: id, fromMin: 0, toMin: 1440 })
      posts.set(id, Number((await site.call('POST', '/security/post/create', draft)).data))
    }
  })
  beforeEach(async () => {
    await run(`delete from device_readiness`)
    await run(`delete from school_readiness`)
    await numberEvents()
    await run(`update readiness_cursor set full_at = null`)
    for (const [at, id] of deviceIds.entries()) await moveDevice(id, at === deviceIds.length - 1)
  })

  const moveDevice = async (id: number, toOther: boolean) => {
    const [schoolId, placeId] = toOther ? [schoolIds[1], otherRoomId] : [schoolIds[0], site.placeIds[0]]
    await run(`update school_device set school_id = $2, place_id = $3 where device_id = $1`, [id, schoolId, placeId])
    await run(`update device set school_id = $2 where id = $1`, [id, schoolId])
  }

  const device = fc.nat({ max: 3 })
  const fact = fc.oneof(
    fc.record({
      kind: fc.constant('state' as const),
      device,
      connectivity: fc.constantFrom('ONLINE', 'LATE', 'OFFLINE'),
      battery: fc.nat({ max: 100 }),
      skew: fc.integer({ min: -90_000, max: 90_000 }),
    }),
    fc.record({ kind: fc.constant('test' as const), device, daysAgo: fc.nat({ max: 300 }) }),
    fc.record({ kind: fc.constant('station' as const), device, known: fc.boolean() }),
    fc.record({ kind: fc.constant('status' as const), device, accepted: fc.boolean() }),
    fc.record({ kind: fc.constant('press' as const), device }),
    fc.record({ kind: fc.constant('offline' as const), device, hours: fc.nat({ max: 60 }) }),
    fc.record({ kind: fc.constant('recipient' as const), device, enabled: fc.boolean() }),
    fc.record({ kind: fc.constant('post' as const), device, enabled: fc.boolean() }),
    fc.record({ kind: fc.constant('move' as const), device, toOther: fc.boolean() }),
    fc.record({
      kind: fc.constant('weights' as const),
      code: fc.constantFrom<keyof Weights>('OFFLINE', 'PRESS', 'BATTERY', 'HEARTBEAT', 'RECIPIENT', 'CLOCK'),
      points: fc.nat({ max: 100 }),
    }),
    fc.record({ kind: fc.constant('refresh' as const) }),
  )
  type Fact = typeof fact extends fc.Arbitrary<infer T> ? T : never

  type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>

  const schoolOf = async (id: number): Promise<number> => {
    const { rows } = await run(`select school_id from school_device where device_id = $1 and valid_to is null`, [id])
    return Number(rows[0]?.school_id)
  }
  const tellSchool = (schoolId: number, type: string) =>
    run(`insert into event (type, school_id) values ($2, $1)`, [schoolId, type])
  const must = async (answer: ReturnType<DeviceServer['call']>) => {
    const { code, msg, data } = await answer
    expect(code, `${msg} ${JSON.stringify(data)}`).toBe(200)
  }

  const publish = async (change: (weights: Weights) => Weights) => {
    const { version, weights } = await getCurrentWeights(site.site.db)
    const draft = { version, weights: change(weights), note: null }
    if (isDeepStrictEqual(draft.weights, weights)) return
    await must(site.call('POST', '/insight/readiness-weights/publish', draft))
  }

  /** What changes, with the event of those who change it; users and posts by their calls. */
  const changes: { [K in Fact['kind']]: (item: FactOf<K>, id: number, now: Date) => Promise<unknown> } = {
    refresh: async (_, __, now) => {
      await numberEvents()
      // One school of the sweep in each run, so that facts change in the middle of it.
      await transact((trx) => refreshChanged(trx, now, 1))
    },
    state: async (value, id) => {
      await setState(id, value)
      await tellDevice(id)
    },
    test: async ({ daysAgo }, id, now) => {
      await prove(id, new Date(now.getTime() - daysAgo * DAY_MS))
      await tellSchool(await schoolOf(id), 'test.changed')
    },
    station: async ({ known }, id) => {
      const schoolId = await schoolOf(id)
      await run(`update school set police_dept_id = case when $2 then dept_id end where id = $1`, [schoolId, known])
      await tellSchool(schoolId, 'school.changed')
    },
    status: async ({ accepted }, id) => {
      const status = accepted ? 'ACCEPTED' : 'SUSPENDED'
      await run(`update school_device set status = $2 where device_id = $1`, [id, status])
      await tellDevice(id)
    },
    press: async (_, id) => {
      const schoolId = await schoolOf(id)
      await site.press(id)
      const record = await makeRecord(site.site.db, { deptId: site.here.deptId, schoolId, deviceId: id })
      await run(`insert into event (type, ref, school_id) values ('alarm.raised', $1, $2)`, [record.id, schoolId])
    },
    offline: async ({ hours }, id, now) => {
      await run(
        `insert into device_connectivity (device_id, at, from_state, to_state, reason) values
          ($1, $2::timestamptz - make_interval(hours => $3), 'ONLINE', 'OFFLINE', 'SILENCE'), ($1, $2, 'OFFLINE', 'ONLINE', 'SEEN')`,
        [id, now, hours],
      )
      await tellDevice(id)
    },
    recipient: async ({ enabled }, id) => {
      const userId = recipients.get(await schoolOf(id)) ?? 0
      const { version, ...user } = await site.all
        .selectFrom('users')
        .select(['enabled', 'version'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      if (user.enabled === enabled) return
      const status = enabled ? 0 : 1
      await must(site.call('PUT', '/system/user/update-status', { id: userId, version, status }))
    },
    post: async ({ enabled }, id) => {
      await must(site.call('PUT', '/security/post/update', { id: posts.get(await schoolOf(id)), enabled }))
    },
    weights: ({ code, points }) =>
      publish((weights) => ({
        ...weights,
        [code]: weights[code].map(({ over }, n) => ({ over, points: Math.max(0, points - n) })),
      })),
    move: async ({ toOther }, id) => {
      await moveDevice(id, toOther)
      await tellDevice(id)
    },
  }
  const apply = (item: Fact, now: Date) =>
    (changes[item.kind] as (fact: Fact, id: number, at: Date) => Promise<unknown>)(
      item,
      deviceIds['device' in item ? item.device : 0] ?? 0,
      now,
    )

  it('stores the same values as a computation from scratch, after any history', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 1, maxLength: 15 }), async (history) => {
        const now = new Date()
        for (const item of history) await apply(item, now)
        await numberEvents()
        while (await transact((trx) => refreshChanged(trx, now, 1)));
        const incremental = await scores()
        await run(`delete from device_readiness`)
        await run(`delete from school_readiness`)
        await transact((trx) => refreshAll(trx, now))
        expect(incremental).toEqual(await scores())
      }),
      { numRuns: sampleSize(25) },
    )
  })

  it('announces the schools whose score changed, and nothing when nothing changed', async () => {
    const { weights } = await site.site.db
      .selectFrom('readinessWeights')
      .select('weights')
      .orderBy('version')
      .executeTakeFirstOrThrow()
    await publish(() => weights)
    await numberEvents()
    const now = new Date()
    await run(`update school_device set status = 'ACCEPTED'`)
    await transact((trx) => refreshChanged(trx, now))
    await numberEvents()
    const before = (await site.events('readiness.changed')).length
    await transact((trx) => refreshChanged(trx, now))
    expect(await site.events('readiness.changed')).toHaveLength(before)
    await setState(deviceIds[3] ?? 0, { connectivity: 'OFFLINE', battery: 3 })
    await tellDevice(deviceIds[3] ?? 0)
    await numberEvents()
    await transact((trx) => refreshChanged(trx, now))
    expect((await site.events('readiness.changed')).slice(before).map(({ ref }) => ref)).toEqual([schoolIds[1]])
  })
})

describe('openLowOrders', () => {
  it('opens one order for a device that stays low for a reason that work on it can fix', async () => {
    const [low = 0, brief = 0] = deviceIds
    await run(`delete from maintenance_order`)
    await transact((trx) => refreshAll(trx, new Date()))
    await run(
      `update device_readiness set low_since = case device_id when $1 then now() - interval '2 hours' else null end,
        score = 40, reasons = '[{"code":"PRESS","points":30,"value":200},{"code":"STATION","points":25,"value":1}]'`,
      [low],
    )
    await run(
      `with made as (insert into outage (kind, subject_id, name, device_id, dept_id)
        select 'DISTRICT', dept_id, '停电', id, dept_id from device where id = $1 returning id, device_id, dept_id)
      insert into outage_device (outage_id, device_id, dept_id) select id, device_id, dept_id from made`,
      [low],
    )
    expect(await transact(openLowOrders)).toBe(0)
    await run('update outage_device set restored_at = now()')
    expect(await Promise.all([transact(openLowOrders), transact(openLowOrders)])).toContain(1)
    expect(await transact(openLowOrders)).toBe(0)
    const { rows } = await run(`select device_id, cause, description from maintenance_order`)
    expect(rows).toEqual([{ device_id: low, cause: 'READINESS', description: '就绪度 40：−30 200 天没有人按过' }])
    await run(
      `update device_readiness set low_since = now() - interval '2 hours',
      reasons = '[{"code":"STATION","points":25,"value":1}]' where device_id = $1`,
      [brief],
    )
    expect(await transact(openLowOrders)).toBe(0)
  })
})

describe('the readiness calls', () => {
  it('show only visible schools, the lowest first', async () => {
    for (const id of deviceIds) await setState(id, { connectivity: 'OFFLINE', battery: 3 })
    await transact((trx) => refreshAll(trx, new Date()))
    const { token } = await site.clerk('insight:readiness:query')
    await site.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
    const all = pageIn(await site.call('GET', `${R}/page`))
    const scores = all.list.map((row) => Number(row['score']))
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(all.total).toBe(2)
    const own = pageIn(await site.call('GET', `${R}/page?low=true`, undefined, token))
    expect(own.list.map((row) => row['schoolId'])).toEqual([site.schoolId])
    const there = pageIn(await site.call('GET', `${R}/page?districtId=${site.there.deptId}`))
    expect(there.list.map((row) => row['schoolId'])).toEqual([schoolIds[1]])
    const { data } = await site.call('GET', `${R}/get?schoolId=${site.schoolId}`, undefined, token)
    expect(data).toMatchObject({ devices: 3, days: [{}], deviceList: [{}, {}, {}] })
    expect((await site.call('GET', `${R}/get?schoolId=${schoolIds[1]}`, undefined, token)).code).not.toBe(200)
    const worst = await site.call('GET', `${R}/worst?deviceId=${deviceIds[3]}`, undefined, token)
    expect(worst.data).toEqual({ score: null, reasons: [] })
    const seen = await site.call('GET', `${R}/worst?deviceId=${deviceIds[0]}`, undefined, token)
    expect(seen.data['reasons']).toHaveLength(3)
  })

  it('puts the score on the lists of devices and installations', async () => {
    const { score } = await reasonsOf(deviceIds[0] ?? 0)
    const device = await site.call('GET', `/device/device/get?id=${deviceIds[0]}`)
    expect(device.data['readiness']).toBe(score)
    const { list } = pageIn(await site.call('GET', `/device/school-device/page?keyword=RDY-0000`))
    expect(list[0]?.['readiness']).toBe(score)
  })
})
