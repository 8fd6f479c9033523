import { codes } from '@tocsin/contract/codes'
import {
  isMaintenanceOpen,
  type MaintenanceState,
  type MaintenanceVerb,
  maintenanceRule,
  maintenanceVerbs,
  whyNotMaintenance,
} from '@tocsin/contract/device/maintenance-machine'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstallation } from '../../../../seed/fixtures.ts'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { openNeededOrders } from './auto-orders.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

const M = '/device/maintenance'
const permissionOf = (verb: string) => `device:maintenance:${verb}`

type Person = { token: string; userId: number; granted: readonly string[] }
let site: DeviceServer
let worker: Person
let other: Person
let verifier: Person
const person = async (...verbs: string[]): Promise<Person> => {
  const granted = verbs.map(permissionOf)
  return { ...(await site.clerk(...granted)), granted }
}
beforeAll(async () => {
  site = await startDeviceServer()
  worker = await person('query', 'work')
  other = await person('query', 'work')
  verifier = await person('query', 'create', 'verify', 'assign')
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
})
afterAll(() => site.end())

let devices = 0
const makeDevice = async (): Promise<number> => {
  devices += 1
  const { id } = await site.register(`FIX-${String(devices).padStart(4, '0')}`)
  const place = { id: site.placeIds[0], schoolId: site.schoolId }
  await makeInstallation(site.site.db, { id }, place)
  return id
}
const draft = (deviceId: number, more: object = {}) => ({
  deviceId,
  cause: 'FAULT',
  priority: 'NORMAL',
  description: '按键松动',
  ...more,
})
const create = (deviceId: number, more: object = {}, token = verifier.token) =>
  site.call('POST', `${M}/create`, draft(deviceId, more), token)
const makeOrder = async () => Number((await create(await makeDevice())).data)
const stored = (id: number) =>
  site.all.selectFrom('maintenanceOrder').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const bodyOf = (verb: MaintenanceVerb) =>
  ({ assign: { assigneeId: worker.userId }, finish: { result: '换了弹簧', parts: '弹簧' }, note: { note: '缺件' } })[
    verb as 'assign' | 'finish' | 'note'
  ] ?? (maintenanceRule(verb).asks === 'reason' ? { reason: '仍不响' } : {})
const act = (verb: MaintenanceVerb, id: number, { token }: Person) => site.act(`${M}/${verb}`, id, bodyOf(verb), token)

describe('a maintenance order', () => {
  it('goes from the report to the verified repair, with a timeline of users and steps', async () => {
    const deviceId = await makeDevice()
    const id = Number((await create(deviceId)).data)
    await act('assign', id, verifier)
    await act('arrive', id, worker)
    expect((await act('finish', id, other)).code).toBe(codes.maintenanceAssignee.code)
    expect((await act('finish', id, worker)).code).toBe(200)
    expect((await act('verify', id, verifier)).code).toBe(200)
    const { data } = await site.call('GET', `${M}/get?id=${id}`, undefined, worker.token)
    expect(data).toMatchObject({ state: 'VERIFIED', deviceId, result: '换了弹簧', overdue: false })
    expect(data['no']).toMatch(/^WX\d{12}$/)
    const log = data['log'] as unknown as { verb: string; note: string | null; assigneeName: string | null }[]
    expect(log.map(({ verb }) => verb)).toEqual(['verify', 'finish', 'arrive', 'assign', 'create'])
    expect(log[1]?.note).toBe('换了弹簧')
    expect(log[3]?.assigneeName).not.toBeNull()
    expect(await site.audited('maintenance_order', id)).toEqual(
      ['create', 'assign', 'arrive', 'finish', 'accept'].map(permissionOf),
    )
    expect(await site.events('maintenance.changed')).toHaveLength(5)
  })

  it('puts a new device in the place of the old one, in one step, and counts the repair', async () => {
    const deviceId = await makeDevice()
    const spare = await site.register('SPARE-0001')
    const id = Number((await create(deviceId)).data)
    const admin = { token: site.adminToken }
    await site.act(`${M}/assign`, id, { assigneeId: worker.userId }, admin.token)
    const exchange = (sn: string, token = admin.token) => site.act(`${M}/exchange`, id, { sn }, token)
    expect((await exchange('SPARE-0001')).code).toBe(codes.maintenanceState.code)
    await act('arrive', id, worker)
    expect((await exchange('SPARE-0001', worker.token)).code).toBe(codes.forbidden.code)
    expect((await exchange('NO-SUCH-SN')).code).toBe(codes.notFound.code)
    const { placeId } = await site.installationOf(deviceId)
    expect((await exchange('SPARE-0001')).code).toBe(200)
    expect(await site.installationOf(spare.id)).toMatchObject({ placeId, status: 'INSTALLED' })
    const removed = await site.installationOf(deviceId)
    expect(removed).toMatchObject({ status: 'REMOVED' })
    const installed = await site.installationOf(spare.id)
    const history = async (of: number) =>
      (await site.call('GET', `/device/school-device/history?deviceId=${of}`)).data as unknown as object[]
    expect((await history(deviceId))[0]).toMatchObject({ replacedById: installed.id, replacedBySn: 'SPARE-0001' })
    expect((await history(spare.id))[0]).toMatchObject({ replacesId: removed.id, replacedById: null })
    const noted = await site.all
      .selectFrom('maintenanceLog')
      .select('note')
      .where('orderId', '=', id)
      .where('verb', '=', 'exchange')
      .executeTakeFirstOrThrow()
    expect(noted.note).toMatch(/^FIX-\d+ → SPARE-0001$/)
    expect((await stored(id)).parts).toMatch(/^FIX-\d+ → SPARE-0001$/)
    const finished = await site.act(`${M}/finish`, id, { result: '换了新设备' }, worker.token)
    expect(finished.code).toBe(200)
    expect((await stored(id)).parts).toMatch(/^FIX-\d+ → SPARE-0001$/)
    const { data } = await site.call('GET', `${M}/figures`)
    expect(data).toMatchObject({ finished: 2, repairHours: 0, reopened: 0 })
  })

  it('is verified by another person than the one who did the work', async () => {
    const id = await makeOrder()
    const admin = { token: site.adminToken }
    for (const verb of ['assign', 'arrive', 'finish'] as const)
      expect((await site.act(`${M}/${verb}`, id, bodyOf(verb), admin.token)).code).toBe(200)
    expect((await site.act(`${M}/verify`, id)).code).toBe(codes.maintenanceVerifier.code)
    expect((await act('verify', id, verifier)).code).toBe(200)
  })

  it('rejects a stale version, an assignee without the permission, and an assignment by a user without the right', async () => {
    const id = await makeOrder()
    const late = await site.call('POST', `${M}/cancel`, { id, version: 9, reason: '误报' }, verifier.token)
    expect(late.code).toBe(codes.stale.code)
    const wrong = await site.act(`${M}/assign`, id, { assigneeId: site.there.userId }, verifier.token)
    expect(errorFields(wrong)).toEqual(['assigneeId'])
    const reporter = await person('create')
    await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
    const named = await create(await makeDevice(), { assigneeId: worker.userId }, reporter.token)
    expect(named.code).toBe(codes.forbidden.code)
  })

  it('can be assigned to each person who may do the work, also when more may than the list holds', async () => {
    const id = await makeOrder()
    const { roleId } = await site.all
      .selectFrom('userRole')
      .select('roleId')
      .where('userId', '=', other.userId)
      .executeTakeFirstOrThrow()
    await site.pool.query(
      `with made as (
         insert into users (username, nickname, password_hash, dept_id)
         select 'crew' || n, '维护 ' || lpad(n::text, 3, '0'), 'none', dept_id
         from generate_series(1, 210) n, (select dept_id from users where id = $1) d returning id
       ) insert into user_role (user_id, role_id) select id, $2 from made`,
      [other.userId, roleId],
    )
    const list = async (keyword = '') => {
      const query = keyword && `?keyword=${encodeURIComponent(keyword)}`
      const { data } = await site.call('GET', `${M}/assignees${query}`, undefined, verifier.token)
      return data as unknown as { id: number; name: string }[]
    }
    const last = (await list('维护 210'))[0]
    expect(last?.name).toBe('维护 210')
    const shown = await list()
    expect(shown).toHaveLength(200)
    expect(shown.map((person) => person.id)).not.toContain(last?.id)
    expect((await site.act(`${M}/assign`, id, { assigneeId: last?.id }, verifier.token)).code).toBe(200)
    expect((await stored(id)).assigneeId).toBe(last?.id)
  })

  it('is one per device and cause, however many open it concurrently', async () => {
    const deviceId = await makeDevice()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(deviceId)))
    expect(answers.map(({ code }) => Number(code)).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(4).fill(codes.maintenanceOpen.code),
    ])
    expect((await create(deviceId, { cause: 'OFFLINE' })).code).toBe(200)
    const id = Number(answers.find(({ code }) => code === 200)?.data)
    expect((await create(deviceId)).msg).toContain((await stored(id)).no)
    await act('cancel', id, verifier)
    expect((await create(deviceId)).code).toBe(200)
  })

  it('is listed by assignee and overdue date, to users who see its school or are assigned only', async () => {
    const id = await makeOrder()
    const [holder, stranger] = [await person('query', 'work'), await person('query')]
    await site.all.updateTable('role').set({ dataScope: 'SELF' }).where('code', 'in', ['clerk5', 'clerk6']).execute()
    await site.act(`${M}/assign`, id, { assigneeId: holder.userId }, verifier.token)
    await site.pool.query(`update maintenance_order set due_at = now() - interval '1 hour' where id = $1`, [id])
    const visibleTo = async ({ token }: Person, filter: string) =>
      pageIn(await site.call('GET', `${M}/page?${filter}`, undefined, token)).list.map((row) => row['id'])
    expect(await visibleTo(holder, 'mine=true&overdue=true')).toEqual([id])
    expect(await visibleTo(verifier, 'mine=true')).toEqual([])
    expect(await visibleTo(verifier, 'overdue=true')).toEqual([id])
    expect(await visibleTo(stranger, 'overdue=true')).toEqual([])
    expect((await site.call('GET', `${M}/get?id=${id}`, undefined, stranger.token)).code).toBe(codes.notFound.code)
  })
})

describe('openNeededOrders', () => {
  const search = () => site.site.db.transaction().execute(openNeededOrders)
  const causesOf = async (deviceId: number) => {
    const rows = await site.all
      .selectFrom('maintenanceOrder')
      .select('cause')
      .where('deviceId', '=', deviceId)
      .execute()
    return rows.map(({ cause }) => cause).toSorted()
  }

  it('opens an order for a long offline device, a battery that is low or ends soon, and a failed test, exactly once', async () => {
    const [offline, weak, failed, fine, draining] = [
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
    ]
    await site.pool.query(
      `insert into device_state (device_id, connectivity, since, battery_pct) values
        ($1, 'OFFLINE', now() - interval '25 hours', 80), ($2, 'ONLINE', now(), 19),
        ($3, 'ONLINE', now(), 80), ($4, 'OFFLINE', now() - interval '23 hours', 80)
      on conflict (device_id) do update set connectivity = excluded.connectivity, since = excluded.since,
        battery_pct = excluded.battery_pct`,
      [offline, weak, failed, fine],
    )
    await site.pool.query(
      `insert into device_state (device_id, connectivity, battery_pct, battery_from_pct, battery_from_at, last_heartbeat_at)
      values ($1, 'ONLINE', 40, 80, now() - interval '10 days', now())
      on conflict (device_id) do update set battery_pct = excluded.battery_pct, battery_from_pct = excluded.battery_from_pct,
        battery_from_at = excluded.battery_from_at, last_heartbeat_at = excluded.last_heartbeat_at`,
      [draining],
    )
    await site.pool.query(
      `with plan as (insert into test_plan (school_id, window_from, window_to, closed_at)
        values ($1, now() - interval '2 hours', now() - interval '1 hour', now() - interval '1 hour') returning id)
      insert into test_result (plan_id, school_id, device_id, school_device_id, result)
        select plan.id, $1, $2, installed.id, 'NOT_RECEIVED' from plan, school_device installed where installed.device_id = $2`,
      [site.schoolId, failed],
    )
    await Promise.all([search(), search()])
    await search()
    expect(await causesOf(offline)).toEqual(['OFFLINE'])
    expect(await causesOf(weak)).toEqual(['LOW_BATTERY'])
    expect(await causesOf(draining)).toEqual(['LOW_BATTERY'])
    expect(await causesOf(failed)).toEqual(['TEST_FAILED'])
    expect(await causesOf(fine)).toEqual([])
    const [order] = await site.all.selectFrom('maintenanceOrder').selectAll().where('deviceId', '=', offline).execute()
    await act('cancel', order?.id ?? 0, verifier)
    expect(await search()).toBe(0)
  })

  it('opens an order for an offline device of any kind, such as a gateway or a siren', async () => {
    const gateway = await makeDevice()
    await site.pool.query(
      `with model as (insert into device_model (product_key, vendor, name, kind, power)
         values ('fixgateway', 'v', 'G1', 'GATEWAY', 'MAINS') returning id),
       moved as (update device set model_id = model.id from model where device.id = $1)
       insert into device_state (device_id, connectivity, since) values ($1, 'OFFLINE', now() - interval '25 hours')
       on conflict (device_id) do update set connectivity = excluded.connectivity, since = excluded.since`,
      [gateway],
    )
    await search()
    expect(await causesOf(gateway)).toEqual(['OFFLINE'])
  })

  it('opens none for 1,000 devices of an open outage, and one for each that is alone again', async () => {
    const { rows } = await site.pool.query<{ id: string }>(
      `with made as (
        insert into device (sn, model_id, dept_id, school_id, lifecycle)
        select 'OUT-' || n, $1, $2, $3, 'IN_SERVICE' from generate_series(1, 1000) n returning id
      ), installed as (
        insert into school_device (device_id, school_id, place_id, status)
        select id, $3, $4, 'ACCEPTED' from made
      ), away as (
        insert into device_state (device_id, connectivity, since)
        select id, 'OFFLINE', now() - interval '25 hours' from made
      ), outage as (
        insert into outage (kind, subject_id, name, device_id, school_id, dept_id)
        select 'SCHOOL', $3, '停电', min(id), $3, $2 from made returning id
      )
      insert into outage_device (outage_id, device_id, school_id, dept_id)
      select outage.id, made.id, $3, $2 from outage, made returning device_id as id`,
      [site.modelId, site.here.deptId, site.schoolId, site.placeIds[0]],
    )
    expect(rows).toHaveLength(1000)
    expect(await search()).toBe(0)
    const alone = rows.slice(0, 2).map(({ id }) => Number(id))
    await site.pool.query('update outage_device set raised_at = now() where device_id = any($1)', [alone])
    expect(await search()).toBe(2)
    for (const id of alone) expect(await causesOf(id)).toEqual(['OFFLINE'])
  })
})

describe('the verbs of an order', () => {
  type Model = { state: MaintenanceState; assigneeId: number | null; finishedBy: number | null }
  const people = () => [worker, other, verifier]
  const step = fc.tuple(fc.constantFrom(...maintenanceVerbs), fc.nat({ max: 2 }))

  const apply = (model: Model, verb: MaintenanceVerb, { userId }: Person): Model => {
    const { to } = maintenanceRule(verb)
    return {
      state: to === 'same' ? model.state : to,
      assigneeId: verb === 'assign' ? worker.userId : model.assigneeId,
      finishedBy: verb === 'finish' ? userId : verb === 'reopen' ? null : model.finishedBy,
    }
  }

  it('follows the machine in any order by any person', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const id = await makeOrder()
        let model: Model = { state: 'OPEN', assigneeId: null, finishedBy: null }
        for (const [verb, at] of steps) {
          const user = people()[at] ?? worker
          const why = whyNotMaintenance(verb, model, {
            userId: user.userId,
            hasPermission: (value) => user.granted.includes(value),
          })
          expect((await act(verb, id, user)).code, verb).toBe(why?.code ?? 200)
          if (!why) model = apply(model, verb, user)
          expect(await stored(id)).toMatchObject(model)
        }
      }),
      { numRuns: sampleSize(25) },
    )
  })

  /** Each accepted act is one entry; none leaves the table, and nobody accepts their own work. */
  const checkLog = async (id: number, accepted: number) => {
    const log = await site.all
      .selectFrom('maintenanceLog')
      .selectAll()
      .where('orderId', '=', id)
      .orderBy('id')
      .execute()
    expect(log).toHaveLength(accepted + 1)
    let state: string | null = 'OPEN'
    let finisher: number | null = null
    for (const { verb, fromState, toState, userId } of log.slice(1)) {
      const { from, to } = maintenanceRule(verb as MaintenanceVerb)
      expect(fromState, 'each change begins where the last one ended').toBe(state)
      expect(from).toContain(fromState)
      expect(toState).toBe(to === 'same' ? fromState : to)
      if (verb === 'finish') finisher = userId
      if (verb === 'verify') expect(userId, 'another person accepts the work').not.toBe(finisher)
      state = toState
    }
    expect(state).toBe((await stored(id)).state)
  }

  it('follows the machine when people act and open orders at once', { timeout: 120_000 }, async () => {
    const actOrOpen = fc.tuple(fc.constantFrom(...maintenanceVerbs, 'open' as const), fc.nat({ max: 2 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(actOrOpen, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (rounds) => {
          const deviceId = await makeDevice()
          const id = Number((await create(deviceId)).data)
          let accepted = 0
          for (const round of rounds) {
            const { version } = await stored(id)
            const answers = await Promise.all(
              round.map(([verb, at]) => {
                if (verb === 'open') return create(deviceId)
                const body = { id, version, ...bodyOf(verb) }
                return site.call('POST', `${M}/${verb}`, body, (people()[at] ?? worker).token)
              }),
            )
            for (const { code } of answers) expect([500, 503]).not.toContain(code)
            const won = round.filter(([verb], at) => verb !== 'open' && answers[at]?.code === 200).length
            expect(won, 'of people who decided on one version one was first').toBeLessThanOrEqual(1)
            accepted += won
            const orders = await site.all
              .selectFrom('maintenanceOrder')
              .selectAll()
              .where('deviceId', '=', deviceId)
              .execute()
            const open = orders.filter(({ state }) => isMaintenanceOpen(state))
            expect(open.length, 'one open order for a device and a cause').toBeLessThanOrEqual(1)
          }
          await checkLog(id, accepted)
        },
      ),
      { numRuns: sampleSize(15) },
    )
  })
})
