import { randomUUID } from 'node:crypto'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { createCredential } from '#areas/device/credential'
import { hashPassword } from '#areas/access/sign-in/password/password'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { AllTables, Row } from '#db/tables'

// Rows for the demo and for tests. Callers name only what matters; plausible values fill the rest.

type Given<T extends keyof AllTables> = Partial<Insertable<AllTables[T]>>
const all = (db: Db): AllTablesDb => unscoped(db, 'seed data is made for nobody in particular')
/** Unique values for columns where the text itself does not matter. */
const some = (prefix: string) => `${prefix}${randomUUID().replaceAll('-', '').slice(0, 10)}`

/** A list for a jsonb column: the driver would write it as an SQL array. */
const jsonb = <T extends object>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}::jsonb`

/** Id of a department by its code; seeded roots are 'EDU', 'POLICE' and 'OPERATOR'. */
export const deptByCode = async (db: Db, code: string): Promise<number> => {
  const { id } = await db.selectFrom('dept').select('id').where('code', '=', code).executeTakeFirstOrThrow()
  return id
}

export const makeDept = (db: Db, given: Given<'dept'> = {}): Promise<Row<'dept'>> =>
  db
    .insertInto('dept')
    .values({ kind: 'EDU_BUREAU', name: some('部门'), ...given })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Creates a dictionary with these values; existing entries stay. */
export const makeDict = async (db: Db, type: string, values: readonly string[]): Promise<void> => {
  await db
    .insertInto('dictType')
    .values({ type, name: type, nameEn: type })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('dictData')
    .values(values.map((value) => ({ dictType: type, value, label: value, labelEn: value })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type UserGiven = Omit<Given<'users'>, 'passwordHash'> & { roles?: readonly string[]; password?: string }

/** Creates a user with roles by code. Without a password the user cannot sign in. */
export const makeUser = async (db: Db, { roles = [], password, ...given }: UserGiven = {}): Promise<Row<'users'>> => {
  const username = given.username ?? some('u')
  const user = await all(db)
    .insertInto('users')
    .values({
      username,
      nickname: username,
      deptId: given.deptId ?? (await deptByCode(db, 'OPERATOR')),
      passwordHash: password === undefined ? null : await hashPassword(password),
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (roles.length > 0)
    await db
      .insertInto('userRole')
      .columns(['userId', 'roleId'])
      .expression((eb) =>
        eb
          .selectFrom('role')
          .select((role) => [role.val(user.id).as('userId'), 'role.id as roleId'])
          .where('code', 'in', roles),
      )
      .execute()
  return user
}

type SchoolGiven = Given<'school'> & { eduDeptId?: number }

/** Creates a school with its own department, under the given one or the education root. */
export const makeSchool = async (db: Db, { eduDeptId, ...given }: SchoolGiven = {}): Promise<Row<'school'>> => {
  const name = given.name ?? some('学校')
  const deptId =
    given.deptId ??
    (await makeDept(db, { kind: 'SCHOOL', name, parentId: eduDeptId ?? (await deptByCode(db, 'EDU')) })).id
  return all(db)
    .insertInto('school')
    .values({
      code: some('S'),
      stage: 'PRIMARY',
      areaType: 'URBAN',
      status: 'ACTIVE',
      ...given,
      emergencyContacts: jsonb(given.emergencyContacts ?? []),
      name,
      deptId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const makePlace = (db: Db, given: Given<'place'> & { schoolId: number }): Promise<Row<'place'>> =>
  all(db)
    .insertInto('place')
    .values({ kind: 'ROOM', name: some('室'), ...given, polygon: given.polygon ? jsonb(given.polygon) : null })
    .returningAll()
    .executeTakeFirstOrThrow()

export const makeModel = (db: Db, given: Given<'deviceModel'> = {}): Promise<Row<'deviceModel'>> =>
  db
    .insertInto('deviceModel')
    .values({
      productKey: some('pk'),
      vendor: '示例厂商',
      name: some('型号'),
      kind: 'PANIC_BUTTON',
      power: 'MAINS',
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

type DeviceGiven = Given<'device'> & { modelId: number; key: Uint8Array; secret?: Uint8Array }

/**
 * Creates a device with its state row and a credential.
 * @param given.key the encryption key, derived from the master key for 'device-http-key'
 * @returns the row, and its secret as base64url
 */
export const makeDevice = async (
  db: Db,
  { key, secret, ...given }: DeviceGiven,
): Promise<{ device: Row<'device'>; secret: string }> => {
  const device = await all(db)
    .insertInto('device')
    .values({
      sn: some('SN'),
      lifecycle: 'IN_SERVICE',
      deptId: given.deptId ?? (await deptByCode(db, 'OPERATOR')),
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db.insertInto('deviceState').values({ deviceId: device.id }).execute()
  return { device, secret: await createCredential(db, key, device.id, secret) }
}

/** Installs a device at a place: an accepted installation, and the device's school. */
export const makeInstallation = async (
  db: Db,
  device: Pick<Row<'device'>, 'id'>,
  place: Pick<Row<'place'>, 'id' | 'schoolId'>,
): Promise<Row<'schoolDevice'>> => {
  await all(db)
    .updateTable('device')
    .set({ schoolId: place.schoolId, lifecycle: 'IN_SERVICE' })
    .where('id', '=', device.id)
    .execute()
  return all(db)
    .insertInto('schoolDevice')
    .values({ deviceId: device.id, schoolId: place.schoolId, placeId: place.id, status: 'ACCEPTED' })
    .returningAll()
    .executeTakeFirstOrThrow()
}
