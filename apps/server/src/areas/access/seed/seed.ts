import { type Insertable, sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { AllTables, Row } from '#db/tables'
import { type SettingDefinition, settingDefinitions } from '#settings/setting-definitions'
import { hashPassword, randomPassword } from '../sign-in/password/password.ts'
import { dictSeeds } from './dicts.ts'
import type { ButtonSeed, MenuSeed } from './menu-seed.ts'
import { type SeedMarkers, seedOnce, loadSeedMarkers } from './seed-markers.ts'
import { menuSeeds } from './menus.ts'
import { type RoleCode, roleSeeds } from './roles.ts'

/** The two roots of the department tree (DESIGN 5), and the company that operates the system. */
const deptSeeds = [
  { code: 'EDU', kind: 'EDU_BUREAU', name: '教育局', nameEn: 'Education bureau', sort: 1 },
  { code: 'POLICE', kind: 'POLICE_BUREAU', name: '公安局', nameEn: 'Public security bureau', sort: 2 },
  { code: 'OPERATOR', kind: 'OPERATOR_CO', name: '运营中心', nameEn: 'Operations centre', sort: 3 },
] as const satisfies Pick<Row<'dept'>, 'code' | 'kind' | 'name' | 'nameEn' | 'sort'>[]

const seedDepts = async (marks: SeedMarkers) => {
  for (const dept of deptSeeds)
    await seedOnce(marks, `dept/${dept.code}`, () =>
      marks.db
        .insertInto('dept')
        .values(dept)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
}

const seedRoles = async (marks: SeedMarkers) => {
  for (const [at, role] of roleSeeds.entries())
    await seedOnce(marks, `role/${role.code}`, () =>
      marks.db
        .insertInto('role')
        .values({ ...role, builtIn: true, sort: at + 1 })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
}

/** A new entry is granted to its roles; an existing one only to roles that are new. */
const grant = async ({ db, ids, fresh }: SeedMarkers, key: string, roles: readonly RoleCode[]) => {
  const menuId = ids.get(key)
  const rows = roles.flatMap((code) => {
    const roleId = ids.get(`role/${code}`)
    const isNew = fresh.has(key) || fresh.has(`role/${code}`)
    return isNew && roleId && menuId ? [{ roleId, menuId }] : []
  })
  if (rows.length === 0) return
  await db
    .insertInto('roleMenu')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const seedButtons = async (marks: SeedMarkers, parentId: number, buttons: readonly ButtonSeed[]) => {
  for (const [at, { roles, ...columns }] of buttons.entries()) {
    const key = `menu/button/${columns.permission}`
    await seedOnce(marks, key, () =>
      marks.db
        .insertInto('menu')
        .values({ ...columns, parentId, type: 'BUTTON', sort: at + 1 })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
    await grant(marks, key, roles)
  }
}

/** A custom entry may have the name: screen and permissions are inserted anyway, under the next name. */
const insertMenu = async (
  db: AllTablesDb,
  entry: Insertable<AllTables['menu']>,
): Promise<{ id: number } | undefined> => {
  for (const more of ['', ' 2', ' 3']) {
    const row = await db
      .insertInto('menu')
      .values({ ...entry, name: `${entry.name}${more}` })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) return row
  }
}

/** The place of an entry that names its directory itself. */
const placeUnder = async (db: AllTablesDb, name: string, path: string) => {
  const directory = await db
    .selectFrom('menu')
    .select('id')
    .where('componentName', '=', name)
    .where('type', '=', 'DIR')
    .executeTakeFirst()
  const parentId = directory?.id ?? null
  const { last } = await db
    .selectFrom('menu')
    .select((eb) => eb.fn.max('sort').as('last'))
    .where('parentId', 'is not distinct from', parentId)
    .executeTakeFirstOrThrow()
  return { parentId, path: directory ? path : `/${path}`, sort: (last ?? 0) + 1 }
}

/** Entries with their children and buttons. */
export const seedMenus = async (
  marks: SeedMarkers,
  menus: readonly MenuSeed[],
  parentId: number | null,
): Promise<void> => {
  for (const [at, { buttons = [], children = [], roles, under, ...columns }] of menus.entries()) {
    const key = `menu/${columns.componentName}`
    const entry = { ...columns, parentId, type: columns.component ? 'MENU' : 'DIR', sort: at + 1 } as const
    const id = await seedOnce(marks, key, async () =>
      insertMenu(marks.db, { ...entry, ...(under && (await placeUnder(marks.db, under, columns.path))) }),
    )
    await grant(marks, key, roles)
    if (id === undefined) continue
    await seedButtons(marks, id, buttons)
    await seedMenus(marks, children, id)
  }
}

const seedDicts = async (marks: SeedMarkers) => {
  for (const { type, name, nameEn, entries } of dictSeeds) {
    const typeId = await seedOnce(marks, `dict/${type}`, () =>
      marks.db
        .insertInto('dictType')
        .values({ type, name, nameEn })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
    // Entries are inserted only together with their dictionary: an operator may have emptied it.
    if (typeId === undefined || !marks.fresh.has(`dict/${type}`)) continue
    await marks.db
      .insertInto('dictData')
      .values(
        entries.map(([value, label, labelEn, colorType], at) => ({
          dictType: type,
          value,
          label,
          labelEn,
          colorType,
          sort: at + 1,
        })),
      )
      .execute()
  }
}

const settings: readonly SettingDefinition[] = settingDefinitions

const seedSettings = async (marks: SeedMarkers) => {
  for (const { key, category, name, value, valueType, remark, visible = true } of settings)
    await seedOnce(marks, `config/${key}`, () =>
      marks.db
        .insertInto('config')
        .values({ key, category, name, value, valueType, remark, visible, builtIn: true })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
}

const seedAdmin = async (marks: SeedMarkers, given: string | undefined): Promise<string | undefined> => {
  const deptId = marks.ids.get('dept/OPERATOR')
  const roleId = marks.ids.get('role/super_admin')
  if (marks.seeded.has('user/admin') || !deptId || !roleId) return undefined
  const password = given ?? randomPassword()
  const passwordHash = await hashPassword(password)
  const userId = await seedOnce(marks, 'user/admin', () =>
    marks.db
      .insertInto('users')
      .values({
        username: 'admin',
        nickname: '系统管理员',
        passwordHash,
        deptId,
        mustChangePassword: given === undefined,
      })
      .returning('id')
      .executeTakeFirst(),
  )
  if (userId) await marks.db.insertInto('userRole').values({ userId, roleId }).execute()
  return given === undefined ? password : undefined
}

// "seed" in ASCII: one node at a time.
const LOCK = 0x73656564

/**
 * Inserts departments, roles, menus and the first administrator at every start. Edited and deleted rows stay as they
 * are.
 * @param adminPassword of the first administrator; without one a random one is generated.
 * @returns the random password of the administrator created now, to be printed once.
 */
export const seedSystem = (db: Db, adminPassword?: string): Promise<string | undefined> =>
  db.transaction().execute(async (trx) => {
    const all = unscoped(trx, 'the seed acts for nobody in particular')
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(all)
    const marks = await loadSeedMarkers(all)
    await seedDepts(marks)
    await seedRoles(marks)
    await seedMenus(marks, menuSeeds, null)
    await seedDicts(marks)
    await seedSettings(marks)
    return seedAdmin(marks, adminPassword)
  })
