import type { RoleCode } from '../../apps/server/src/areas/access/seed/roles.ts'
import type { Db } from '../../apps/server/src/db/db.ts'
import { deriveKey } from '../../apps/server/src/db/master-key.ts'
import {
  deptByCode,
  makeInstallation,
  makeDept,
  makeDevice,
  makeModel,
  makePlace,
  makeSchool,
  makeUser,
} from '../../apps/server/seed/fixtures.ts'
import { unscoped } from '../../apps/server/src/db/scope.ts'
import type { Credential } from '../../tools/simulator/fleet-file.ts'
import { ADMIN } from './e2e-server.ts'

// Two schools of two districts, one police station that answers for the first school, a command centre for all.

export const EAST_SCHOOL = '东湖第一小学'
export const WEST_SCHOOL = '西山寄宿学校'
const productKey = 'e2ebutton1'

export type Person = { id: number; username: string; nickname: string }
export type E2eFixture = Awaited<ReturnType<typeof makeE2eFixture>>

type Ground = { db: Db; deviceKey: Buffer; modelId: number }

/** Creates four rooms with a button each, and returns the devices in the order of the rooms. */
const installDevices = async ({ db, deviceKey, modelId }: Ground, schoolId: number, prefix: string) => {
  const campus = await makePlace(db, { schoolId, kind: 'CAMPUS', name: '主校区' })
  const building = await makePlace(db, { schoolId, parentId: campus.id, kind: 'BUILDING', name: '教学楼' })
  const floor = { schoolId, parentId: building.id, kind: 'FLOOR' as const, name: '1层', floorNo: 1 }
  const { id: parentId } = await makePlace(db, floor)
  const devices: Credential[] = []
  for (const room of ['101室', '102室', '103室', '保安室']) {
    const place = await makePlace(db, { schoolId, parentId, name: room })
    const sn = `${prefix}-${String(devices.length + 1).padStart(4, '0')}`
    const { device, secret } = await makeDevice(db, { sn, modelId, key: deviceKey })
    await makeInstallation(db, device, place)
    devices.push({ productKey, sn, secret: Buffer.from(secret, 'base64url') })
  }
  return devices
}

const person = async (db: Db, deptId: number, role: RoleCode, [username, nickname]: [string, string]) => {
  const { id } = await makeUser(db, { username, nickname, roles: [role], deptId })
  return { id, username, nickname } satisfies Person
}

const schoolStaff = async (db: Db, deptId: number, at: string) => ({
  guard: await person(db, deptId, 'guard', [`guard.${at}`, `保安 ${at}`]),
  safety: await person(db, deptId, 'safety_officer', [`safety.${at}`, `安全主任 ${at}`]),
  head: await person(db, deptId, 'school_admin', [`head.${at}`, `校长 ${at}`]),
})

/** The administrator that the server created itself. */
const findAdmin = (db: Db): Promise<Person> =>
  unscoped(db, 'e2e')
    .selectFrom('users')
    .select(['id', 'username', 'nickname'])
    .where('username', '=', ADMIN.username)
    .executeTakeFirstOrThrow()

/** Adds nothing: an installation as it is after its first start. */
export const makeEmptyFixture = async (db: Db) => ({ admin: await findAdmin(db) })

/** Runs after the server has seeded its roles and rules. Users without a password sign in by `visit`. */
export const makeE2eFixture = async (db: Db, masterKey: Buffer) => {
  const edu = await deptByCode(db, 'EDU')
  const police = await deptByCode(db, 'POLICE')
  const east = await makeDept(db, { kind: 'EDU_BUREAU', name: '东湖区教育局', parentId: edu })
  const west = await makeDept(db, { kind: 'EDU_BUREAU', name: '西山区教育局', parentId: edu })
  const station = await makeDept(db, { kind: 'POLICE_STATION', name: '东湖派出所', parentId: police })
  const command = await makeDept(db, { kind: 'COMMAND_CENTER', name: '指挥中心', parentId: police })
  const { id: modelId } = await makeModel(db, { productKey, name: 'B1 报警按钮', alarmCodes: ['PANIC'] })
  const ground: Ground = { db, deviceKey: deriveKey(masterKey, 'device-http-key'), modelId }
  const item = await makeSchool(db, { name: EAST_SCHOOL, eduDeptId: east.id, policeDeptId: station.id })
  const two = await makeSchool(db, { name: WEST_SCHOOL, eduDeptId: west.id })
  return {
    east: {
      ...item,
      devices: await installDevices(ground, item.id, 'EAST'),
      staff: await schoolStaff(db, item.deptId, 'east'),
    },
    west: {
      ...two,
      devices: await installDevices(ground, two.id, 'WEST'),
      staff: await schoolStaff(db, two.deptId, 'west'),
    },
    station: await person(db, station.id, 'station_desk', ['station', '所值班 郭']),
    operator: await person(db, command.id, 'command_operator', ['operator', '接警员 梁']),
    lead: await person(db, command.id, 'shift_lead', ['lead', '值班长 宋']),
    bureau: await person(db, east.id, 'edu_bureau', ['bureau', '教育局 周']),
    maintainer: await person(db, await deptByCode(db, 'OPERATOR'), 'maintainer', ['maintainer', '维护 唐']),
    admin: await findAdmin(db),
  }
}
