import { devices, lifecycles } from '@tocsin/contract/device/device'
import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeInstallation,
  makeDept,
  makeDevice,
  makeModel,
  makePlace,
  makeSchool,
  makeUser,
} from '../../../seed/fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { homeFigures } from '#areas/insight/home'
import type { Actor } from '#http/route'
import type { Row } from '#db/tables'
import { deviceRoutes } from './device.ts'
import { sampleSize } from '../../../test/sample-size.ts'

// Invariant 12: no reader sees an installed panic device in service whose school has no station or no recipient.

let world: AlarmFixture
beforeAll(async () => {
  world = await openAlarmFixture()
})
afterAll(() => world.end())

const key = randomBytes(32)
const scopes = ['SELF', 'DEPT', 'ALL'] as const
const codeSets = [[], ['PANIC_SILENT', 'TAMPER'], ['MEDICAL']]
const of = <T>(all: readonly T[], n: number) => all[n % all.length] as T

let towns = 0
/** Two schools with a place and one user each, two roles, three devices; the database, and the model of it. */
const build = async () => {
  towns += 1
  const { db } = world
  const operator = await makeDept(db, { kind: 'OPERATOR_CO' })
  const dir = { type: 'DIR' as const, name: `T${towns}`, nameEn: 'T' }
  const { id: parentId } = await db.insertInto('menu').values(dir).returning('id').executeTakeFirstOrThrow()
  const claim = { ...dir, type: 'BUTTON' as const, parentId, permission: 'warn:record:claim' }
  const { id: claimId } = await db.insertInto('menu').values(claim).returning('id').executeTakeFirstOrThrow()
  const menus = [parentId, claimId].map((id) => ({ id, enabled: true }))
  const roles = []
  for (const n of [0, 1]) {
    const role = { code: `t${towns}-${n}`, name: `t${towns}-${n}`, dataScope: 'DEPT' as const }
    const { id } = await db.insertInto('role').values(role).returning(['id']).executeTakeFirstOrThrow()
    roles.push({ id, enabled: true, dataScope: role.dataScope as Row<'role'>['dataScope'], claims: n === 0 })
  }
  await db
    .insertInto('roleMenu')
    .values([{ roleId: roles[0]?.id ?? 0, menuId: claimId }])
    .execute()
  const schools = []
  const users = []
  for (const n of [0, 1]) {
    const school = await makeSchool(db, { eduDeptId: world.bureau, policeDeptId: world.station })
    schools.push({ ...school, placeId: (await makePlace(db, { schoolId: school.id })).id })
    const { id } = await makeUser(db, { deptId: school.deptId, roles: [`t${towns}-${n}`] })
    users.push({ id, deptId: school.deptId, enabled: true, roles: new Set([roles[n]?.id]) })
  }
  const models = [await makeModel(db, { alarmCodes: ['PANIC'] }), await makeModel(db)]
  const made = []
  for (const n of [0, 1, 2]) {
    const given = { sn: `TOWN${towns}-${n}`, modelId: of(models, n).id, deptId: operator.id, key }
    const { device } = await makeDevice(db, given)
    made.push({ ...device, installedAt: undefined as number | undefined })
  }
  return { operator, menus, roles, schools, users, models, devices: made }
}
type Town = Awaited<ReturnType<typeof build>>
type Step = { n: number; to: number; on: boolean }

const uninstall = async (device: Town['devices'][number]) => {
  const ended = { validTo: new Date(), validFrom: new Date(0), status: 'REMOVED' as const }
  const sites = world.all.updateTable('schoolDevice').set(ended).where('deviceId', '=', device.id)
  await sites.where('validTo', 'is', null).execute()
  device.installedAt = undefined
}

const steps: Record<string, (town: Town, step: Step) => Promise<unknown>> = {
  userEnabled: ({ users }, { n, on }) => {
    const user = Object.assign(of(users, n), { enabled: on })
    return world.all.updateTable('users').set({ enabled: on }).where('id', '=', user.id).execute()
  },
  userMoved: ({ users, schools, operator }, { n, to }) => {
    const user = Object.assign(of(users, n), { deptId: of([...schools.map(({ deptId }) => deptId), operator.id], to) })
    return world.all.updateTable('users').set({ deptId: user.deptId }).where('id', '=', user.id).execute()
  },
  roleGiven: ({ users, roles }, { n, to, on }) => {
    const [user, role] = [of(users, n), of(roles, to)]
    user.roles[on ? 'add' : 'delete'](role.id)
    const row = { userId: user.id, roleId: role.id }
    if (on)
      return world.db
        .insertInto('userRole')
        .values(row)
        .onConflict((clash) => clash.doNothing())
        .execute()
    return world.db.deleteFrom('userRole').where('userId', '=', user.id).where('roleId', '=', role.id).execute()
  },
  roleEnabled: ({ roles }, { n, on }) => {
    const role = Object.assign(of(roles, n), { enabled: on })
    return world.db.updateTable('role').set({ enabled: on }).where('id', '=', role.id).execute()
  },
  roleScope: ({ roles }, { n, to }) => {
    const role = Object.assign(of(roles, n), { dataScope: of(scopes, to) })
    return world.db.updateTable('role').set({ dataScope: role.dataScope }).where('id', '=', role.id).execute()
  },
  menuEnabled: ({ menus }, { n, on }) => {
    const menu = Object.assign(of(menus, n), { enabled: on })
    return world.db.updateTable('menu').set({ enabled: on }).where('id', '=', menu.id).execute()
  },
  station: ({ schools }, { n, on }) => {
    const school = Object.assign(of(schools, n), { policeDeptId: on ? world.station : null })
    const { policeDeptId } = school
    return world.all.updateTable('school').set({ policeDeptId }).where('id', '=', school.id).execute()
  },
  installed: async ({ devices: all, schools }, { n, to }) => {
    const [device, school] = [of(all, n), of(schools, to)]
    await uninstall(device)
    await makeInstallation(world.db, device, { id: school.placeId, schoolId: school.id })
    Object.assign(device, { installedAt: school.id, lifecycle: 'IN_SERVICE' })
  },
  removed: ({ devices: all }, { n }) => uninstall(of(all, n)),
  lifecycle: ({ devices: all }, { n, to }) => {
    const device = Object.assign(of(all, n), { lifecycle: of(lifecycles, to) })
    return world.all.updateTable('device').set({ lifecycle: device.lifecycle }).where('id', '=', device.id).execute()
  },
  codes: ({ models }, { n, to }) => {
    const model = Object.assign(of(models, n), { alarmCodes: of(codeSets, to) })
    return world.db
      .updateTable('deviceModel')
      .set({ alarmCodes: model.alarmCodes })
      .where('id', '=', model.id)
      .execute()
  },
}

const hasRecipient = ({ users, roles, menus }: Town, { deptId }: Row<'school'>) =>
  users.some((user) => {
    const held = roles.filter(({ id, enabled }) => enabled && user.roles.has(id))
    const claims = menus.every(({ enabled }) => enabled) && held.some((role) => role.claims)
    return user.enabled && user.deptId === deptId && claims && held.some(({ dataScope }) => dataScope !== 'SELF')
  })

const expected = (town: Town) =>
  town.devices.map(({ id, installedAt, lifecycle, modelId }) => {
    const school = town.schools.find((school) => school.id === installedAt)
    const panics = town.models
      .find((model) => model.id === modelId)
      ?.alarmCodes.some((code) => code.startsWith('PANIC'))
    const lacks: string[] = []
    if (panics && school?.policeDeptId === null) lacks.push('POLICE_STATION')
    if (panics && school && !hasRecipient(town, school)) lacks.push('RECIPIENT')
    return { id, lacks, lifecycle: lifecycle === 'IN_SERVICE' && lacks.length > 0 ? 'COMMISSIONING' : lifecycle }
  })

const ask = async (endpoint: (typeof devices)['page' | 'get'], query: object, actor: Actor): Promise<unknown> =>
  deviceRoutes({ db: world.db })
    .find((deviceRoute) => deviceRoute.endpoint === endpoint)
    ?.handle({ actor, query } as never)
type Read = { id: number; lacks: string[]; lifecycle: string }
const picked = ({ id, lacks, lifecycle }: Read) => ({ id, lacks, lifecycle })

/** Every call by which this user reads the lifecycle of a device. */
const agrees = async (town: Town, actor: Actor) => {
  const right = expected(town)
  const keyword = town.devices[0]?.sn.slice(0, -1)
  const listed = async (...lifecycle: string[]) => {
    const { list, total } = (await ask(devices.page, { keyword, lifecycle }, actor)) as { list: Read[]; total: number }
    expect(total).toBe(list.length)
    return list.map(picked).toSorted((a, b) => a.id - b.id)
  }
  expect(await listed()).toEqual(right)
  for (const state of ['IN_SERVICE', 'COMMISSIONING'])
    expect(await listed(state)).toEqual(right.filter(({ lifecycle }) => lifecycle === state))
  for (const item of right) expect(picked((await ask(devices.get, { id: item.id }, actor)) as Read)).toEqual(item)
  const served = right.filter(({ lifecycle }) => lifecycle === 'IN_SERVICE').length
  expect((await homeFigures(world.db, actor)).devices?.total).toBe(served)
}

const step = fc.record({
  what: fc.constantFrom(...Object.keys(steps)),
  n: fc.nat({ max: 5 }),
  to: fc.nat({ max: 8 }),
  on: fc.boolean(),
})

it('shows a device in service exactly while it should be and lacks nothing, after any change', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (taken) => {
      const town = await build()
      const permissions = new Set(['device:device:query'])
      const maintainer: Actor = { ...world.root, permissions, depts: [town.operator.id], schools: [] }
      const ofSchools: Actor = { ...maintainer, schools: town.schools.map(({ id }) => id) }
      for (const n of [0, 1, 2]) await steps['installed']?.(town, { n, to: n, on: true })
      for (const { what, ...how } of taken) {
        await steps[what]?.(town, how)
        await agrees(town, maintainer)
      }
      // A user who sees only the device got the same data as one who sees its school.
      await agrees(town, ofSchools)
    }),
    { numRuns: sampleSize(30) },
  )
})
