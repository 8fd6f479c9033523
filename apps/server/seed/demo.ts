import type { EmergencyContact } from '@tocsin/contract/school/contact'
import { chmodSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { hashPassword } from '#areas/access/sign-in/password/password'
import { roleSeeds } from '#areas/access/seed/roles'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { buildCameras, buildGateway, fenceOf, gatewayOf, outlineOf } from './demo-equipment.ts'
import { buildDeliveries, buildPolicies } from './areas/demo-deliveries.ts'
import { buildItems } from './demo-items.ts'
import { type DemoKeys, deriveDemoSecret } from './demo-keys.ts'
import { buildPeople } from './areas/demo-people.ts'
import { buildPolice } from './areas/demo-police.ts'
import { demoModels } from './demo-models.ts'
import { buildResponders } from './areas/demo-responders.ts'
import { buildDuty, buildShifts } from './areas/demo-duty.ts'
import { buildHandovers, buildPatrols, buildSeats } from './areas/demo-patrols.ts'
import { buildCalendar, buildReadinessDays } from './areas/demo-calendar.ts'
import { buildMaintenance } from './areas/demo-maintenance.ts'
import { buildProcedures } from './areas/demo-procedures.ts'
import { buildOversight } from './areas/demo-oversight.ts'
import { buildAnnouncements } from './areas/demo-announcements.ts'
import { buildStore, buildTests } from './demo-upkeep.ts'
import { demoAccounts, demoBuildings, demoDepts, demoGate, demoSchools } from './demo-data.ts'
import {
  deptByCode,
  makeInstallation,
  makeDept,
  makeDevice,
  makeModel,
  makePlace,
  makeSchool,
  makeUser,
} from './fixtures.ts'

export type DemoAccount = { username: string; password: string; role: string; dept: string }
/** `presses` false: the device is connected but raises no alarm. */
export type DemoDevice = { productKey: string; sn: string; secret: string; presses?: false }
export type Demo = { accounts: DemoAccount[]; fleet: DemoDevice[] }

const passwordOf = (keys: DemoKeys, username: string) =>
  deriveDemoSecret(keys.secrets, `account ${username}`).toString('base64url').replaceAll(/[-_]/g, '').slice(0, 14)

type Room = { place: Row<'place'>; model: (typeof demoGate)['model'] | 'button' | 'voice' }
type School = (typeof demoSchools)[number]

const snOf = (school: School, at: number) => `${school.code}-${String(at + 1).padStart(2, '0')}`

const modelsByRoom = [
  demoGate.model,
  ...demoBuildings.flatMap(({ floors }) => floors.flatMap(({ rooms }) => rooms.map(({ model }) => model))),
]

const deviceOf = (keys: DemoKeys, { productKey }: { productKey: string }, sn: string) => {
  const secret = deriveDemoSecret(keys.secrets, `device ${sn}`).toString('base64url')
  return { productKey, sn, secret }
}

const describeWorld = (keys: DemoKeys): Demo => {
  const depts = new Map<string, string>([
    ['EDU', '教育局'],
    ['OPERATOR', '运营中心'],
    ...[...demoDepts, ...demoSchools].map(({ code, name }): [string, string] => [code, name]),
  ])
  const roles = new Map<string, string>(roleSeeds.map(({ code, name }) => [code, name]))
  return {
    accounts: demoAccounts.map(({ username, role, dept }) => ({
      username,
      password: passwordOf(keys, username),
      role: roles.get(role) ?? role,
      dept: depts.get(dept) ?? dept,
    })),
    fleet: [
      ...demoSchools.flatMap((school) =>
        modelsByRoom.map((model, at) => deviceOf(keys, demoModels[model], snOf(school, at))),
      ),
      ...demoSchools.map((school) => ({
        ...deviceOf(keys, demoModels.gateway, gatewayOf(school)),
        presses: false as const,
      })),
    ],
  }
}

/** Creates campus, gate, buildings, floors and rooms of one school; returns the places of the devices, in order. */
const buildPlaces = async (trx: Db, schoolId: number): Promise<Room[]> => {
  const campus = await makePlace(trx, { schoolId, kind: 'CAMPUS', name: '主校区' })
  const inside = { schoolId, parentId: campus.id }
  const gate = await makePlace(trx, { ...inside, kind: 'GATE', name: demoGate.name, keyPart: true })
  const rooms: Room[] = [{ place: gate, model: demoGate.model }]
  for (const [at, { name, floors }] of demoBuildings.entries()) {
    const building = await makePlace(trx, { ...inside, kind: 'BUILDING', name, sort: at + 1 })
    for (const { rooms: onFloor, ...floor } of floors) {
      const level = { schoolId, parentId: building.id, kind: 'FLOOR' as const, sort: floor.floorNo }
      const { id: parentId } = await makePlace(trx, { ...level, ...floor })
      for (const [order, { model, isPrivate, ...room }] of onFloor.entries()) {
        const sensitivity = isPrivate ? 'PRIVATE' : 'NORMAL'
        const polygon = outlineOf(order, onFloor.length)
        const place = await makePlace(trx, { schoolId, parentId, sort: order + 1, sensitivity, ...room, polygon })
        rooms.push({ place, model })
      }
    }
  }
  return rooms
}

type Models = Record<keyof typeof demoModels, Row<'deviceModel'>>

const DAY_MS = 86_400_000
/** Of the contacts of a school one was verified lately, one long ago, the others never. */
const verifiedDays = [20, 412]
const verified = (contact: School['contacts'][number], at: number): EmergencyContact => {
  const days = verifiedDays[at]
  if (days === undefined) return { ...contact, verifiedOn: null }
  const day = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
  return { ...contact, verifiedOn: day, verifiedHow: 'PERSON', verifiedBy: '赵主任' }
}

const buildSchool = async (trx: Db, keys: DemoKeys, seed: School, models: Models) => {
  const { edu, contacts, ...columns } = seed
  const eduDeptId = await deptByCode(trx, edu)
  const policeDeptId = await deptByCode(trx, 'DEMO-STATION')
  const boarding = 'boarderCount' in seed
  const fields = { ...columns, boarding, geofence: fenceOf(seed), emergencyContacts: contacts.map(verified) }
  const school = await makeSchool(trx, { ...fields, eduDeptId, policeDeptId })
  await trx.updateTable('dept').set({ code: seed.code }).where('id', '=', school.deptId).execute()
  const rooms = await buildPlaces(trx, school.id)
  const placeOf = (name: string) => rooms.flatMap(({ place }) => (place.name === name ? place : []))
  const built = { school: seed, keys, models }
  const [guardRoom] = placeOf('保安室')
  if (!guardRoom) throw new Error('the demo has a guard room')
  const gatewayId = await buildGateway(trx, built, guardRoom)
  for (const [at, { place, model }] of rooms.entries()) {
    const sn = snOf(seed, at)
    const secret = deriveDemoSecret(keys.secrets, `device ${sn}`)
    const more = model === 'voice' ? { keywordPackVersion: '2026.09' } : {}
    const given = { sn, modelId: models[model].id, gatewayId, batchNo: '2026-08', warrantyUntil: '2029-08-31', ...more }
    const { device } = await makeDevice(trx, { ...given, key: keys.http, secret })
    await makeInstallation(trx, device, place)
  }
  await buildCameras(trx, built, [...placeOf(demoGate.name), ...placeOf('食堂')])
  return school.id
}

const buildWorld = async (trx: Db, keys: DemoKeys, hashes: ReadonlyMap<string, string>) => {
  for (const { parent, ...dept } of demoDepts) await makeDept(trx, { ...dept, parentId: await deptByCode(trx, parent) })
  const model = (name: keyof Models) =>
    makeModel(trx, { ...demoModels[name], alarmCodes: [...demoModels[name].alarmCodes], vendor: '校安科技' })
  const models = {
    button: await model('button'),
    voice: await model('voice'),
    pillar: await model('pillar'),
    gateway: await model('gateway'),
    camera: await model('camera'),
  }
  const schoolIds: number[] = []
  for (const school of demoSchools) schoolIds.push(await buildSchool(trx, keys, school, models))
  await buildStore(trx, keys, models.button)
  await buildTests(trx, schoolIds)
  await buildDuty(trx, schoolIds)
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  for (const { username, nickname, role, dept, postIds } of demoAccounts) {
    const type = dept.startsWith('DEMO-S') && dept !== 'DEMO-STATION' ? 'SCHOOL' : 'STAFF'
    const user = await makeUser(trx, {
      username,
      nickname,
      type,
      postIds,
      roles: [role],
      deptId: await deptByCode(trx, dept),
    })
    await all
      .updateTable('users')
      .set({ passwordHash: hashes.get(username) ?? null })
      .where('id', '=', user.id)
      .execute()
  }
  await buildPeople(trx)
  const onDuty = demoAccounts.filter(({ role }) => role === 'guard' || role === 'safety_officer')
  await buildResponders(
    trx,
    onDuty.map(({ username }) => username),
  )
  await buildShifts(trx, schoolIds)
  await buildPatrols(trx, schoolIds)
  await buildSeats(trx)
  await buildHandovers(trx)
  await buildCalendar(trx, schoolIds)
  await buildReadinessDays(trx, schoolIds)
  await buildPolice(trx, schoolIds)
}

const MARK = 'demo/world'
const built = (db: Db) => db.selectFrom('seeded').select('key').where('key', '=', MARK).executeTakeFirst()

/** An earlier release may have created the demo without data that was added later. */
const registered = async (db: Db, fleet: readonly DemoDevice[]): Promise<DemoDevice[]> => {
  const found = await unscoped(db, 'the seed acts for nobody in particular')
    .selectFrom('device')
    .select('sn')
    .where(
      'sn',
      'in',
      fleet.map(({ sn }) => sn),
    )
    .execute()
  const known = new Set(found.map(({ sn }) => sn))
  return fleet.filter(({ sn }) => known.has(sn))
}

/**
 * Creates three schools in two districts with a device in every room, a police station, a command centre, and an
 * account for each role; once. Runs after `seedSystem`.
 * @returns the accounts and devices with their secrets, the same ones at every start of this installation
 */
export const seedDemo = async (db: Db, keys: DemoKeys): Promise<Demo> => {
  const demo = describeWorld(keys)
  if (await built(db)) return { ...demo, fleet: await registered(db, demo.fleet) }
  const hashes = new Map<string, string>()
  for (const { username, password } of demo.accounts) hashes.set(username, await hashPassword(password))
  await db.transaction().execute(async (trx) => {
    await sql`lock table seeded in exclusive mode`.execute(trx)
    if (await built(trx)) return
    await buildWorld(trx, keys, hashes)
    await buildMaintenance(trx)
    await buildProcedures(trx)
    await buildOversight(trx)
    await buildAnnouncements(trx)
    await buildItems(trx, await deptByCode(trx, 'EDU'))
    await buildDeliveries(trx)
    await buildPolicies(trx)
    // A user who switches the demo pages off finds them off at the next start.
    await trx.updateTable('config').set({ value: 'true' }).where('key', '=', 'site.demo').execute()
    await trx.insertInto('seeded').values({ key: MARK, rowId: 1 }).execute()
  })
  return demo
}

const writeSecret = (file: string, text: string) => {
  writeFileSync(file, text, { mode: 0o600 })
  // The mode above applies only to a new file.
  chmodSync(file, 0o600)
}

/** One line per account: user name, password, role, department. */
export const accountLines = (accounts: readonly DemoAccount[]): string[] =>
  accounts.map(({ username, password, role, dept }) => `${username.padEnd(12)} ${password.padEnd(16)} ${role}  ${dept}`)

export const writeAccounts = (file: string, accounts: readonly DemoAccount[]): void =>
  writeSecret(file, `${accountLines(accounts).join('\n')}\n`)

/** The fleet file of the simulator. */
export const writeFleet = (file: string, fleet: readonly DemoDevice[]): void =>
  writeSecret(file, `${JSON.stringify(fleet, null, 2)}\n`)
