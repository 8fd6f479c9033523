import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { type Db, openDb, openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { loadSeedMarkers } from './seed-markers.ts'
import { seedMenus, seedSystem } from './seed.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Db
beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 2 }, 30)
  db = openDb(pool)
  await seedSystem(db, 'Maple-river-42')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const screen = () =>
  db.selectFrom('menu').selectAll().where('component', '=', 'system/dict/index').executeTakeFirstOrThrow()
const permissionsUnder = async (id: number) =>
  (await db.selectFrom('menu').select('permission').where('parentId', '=', id).execute()).map((row) => row.permission)

describe('the seed of a start', () => {
  it('is inserted once: edited rows stay edited, deleted rows stay deleted', async () => {
    const { id } = await screen()
    await db.updateTable('menu').set({ name: '字典' }).where('id', '=', id).execute()
    await db.deleteFrom('menu').where('permission', '=', 'system:dict:export').execute()
    await seedSystem(db)
    expect(await screen()).toMatchObject({ id, name: '字典' })
    expect(await permissionsUnder(id)).not.toContain('system:dict:export')
  })

  it('gets another name where a custom entry has it, with all its permissions', async () => {
    const { id, parentId } = await screen()
    // As before the version that added the screen: an entry of that name existed.
    await db.deleteFrom('menu').where('parentId', '=', id).execute()
    await db.deleteFrom('menu').where('id', '=', id).execute()
    await db.deleteFrom('seeded').where('key', 'like', 'menu/%Dict').execute()
    await db.deleteFrom('seeded').where('key', 'like', 'menu/button/system:dict:%').execute()
    const own = { name: '字典管理', nameEn: 'Own', path: 'own', type: 'DIR', parentId } as const
    await db.insertInto('menu').values(own).execute()
    await seedSystem(db)
    const brought = await screen()
    expect(brought).toMatchObject({ name: '字典管理 2', parentId })
    expect(await permissionsUnder(brought.id)).toContain('system:dict:query')
  })

  it('goes last into the directory it names, and to the top level where there is none', async () => {
    const all = unscoped(db, 'tests look at every row')
    const entry = { name: '登记', nameEn: 'Register', icon: 'model', roles: [], component: 'system/x/index' }
    const marks = await loadSeedMarkers(all)
    const seeds = [
      { ...entry, path: 'one', componentName: 'OneBelow', under: 'DemoDeeper' },
      { ...entry, path: 'two', componentName: 'TwoBelow', under: 'NoSuchDirectory' },
    ]
    await seedMenus(marks, seeds, null)
    const found = await db
      .selectFrom('menu')
      .selectAll()
      .where('componentName', 'like', '%Below')
      .orderBy('id')
      .execute()
    const deeper = await db.selectFrom('menu').select('id').where('componentName', '=', 'DemoDeeper').executeTakeFirst()
    const beside = await db
      .selectFrom('menu')
      .select('sort')
      .where('parentId', '=', deeper?.id ?? 0)
      .execute()
    expect(found).toMatchObject([
      { parentId: deeper?.id, path: 'one', sort: Math.max(...beside.map(({ sort }) => sort)) },
      { parentId: null, path: '/two' },
    ])
  })
})

describe('buttons that a version adds to a page', () => {
  it('reach a database that has the page, with the built-in roles they are meant for', async () => {
    const under = () =>
      db
        .selectFrom('menu as page')
        .innerJoin('menu as button', 'button.parentId', 'page.id')
        .innerJoin('roleMenu', 'roleMenu.menuId', 'button.id')
        .innerJoin('role', 'role.id', 'roleMenu.roleId')
        .select(['button.permission', 'role.code'])
        .where('page.componentName', '=', 'DemoUpload')
        .orderBy('button.permission')
        .orderBy('role.code')
        .execute()
    const meant = await under()
    expect(meant.map(({ permission, code }) => `${permission} ${code}`)).toEqual([
      'demo:upload:create edu_bureau',
      'demo:upload:create shift_lead',
      'demo:upload:query edu_bureau',
      'demo:upload:query shift_lead',
    ])
    // As before the version that added them.
    await db.deleteFrom('menu').where('permission', 'like', 'demo:upload:%').execute()
    await db.deleteFrom('seeded').where('key', 'like', 'menu/button/demo:upload:%').execute()
    expect(await under()).toEqual([])
    await seedSystem(db)
    expect(await under()).toEqual(meant)
  })
})

describe('a seeded role', () => {
  // Nobody can extend a built-in role: without a permission of its own it would be useless.
  it('has a permission, whatever its kind', async () => {
    const empty = await db
      .selectFrom('role')
      .select('code')
      .where('code', '<>', 'super_admin')
      .where('id', 'not in', (eb) => eb.selectFrom('roleMenu').select('roleId'))
      .execute()
    expect(empty).toEqual([])
  })

  it('gives every role and department an English name', async () => {
    for (const table of ['role', 'dept'] as const) {
      const names = await db.selectFrom(table).select(['name', 'nameEn']).execute()
      expect(names.filter(({ nameEn }) => !nameEn)).toEqual([])
    }
    const { total } = await db
      .selectFrom('role')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBeGreaterThan(10)
  })
})
