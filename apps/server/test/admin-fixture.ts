import { deptRoutes } from '../src/areas/access/roles/dept/routes.ts'
import { menuRoutes } from '../src/areas/access/roles/menu/routes.ts'
import { profileRoutes } from '../src/areas/access/people/profile/routes.ts'
import { ownSessionRoutes } from '../src/areas/access/people/profile/session.ts'
import { roleRoutes } from '../src/areas/access/roles/routes.ts'
import { userRoutes } from '../src/areas/access/people/routes.ts'
import { type Db, openPool } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import type { Row } from '../src/db/tables.ts'
import type { Route } from '../src/http/route.ts'
import { invalidateSessionCache } from '../src/http/session-auth.ts'
import { deptByCode, makeDept, makeSchool, makeUser } from '../seed/fixtures.ts'
import { openConsole } from './console.ts'
import { cloneSeededDatabase } from './database.ts'
import { SEED_PASSWORD } from './seed-password.ts'

// Two education bureaus with a school each. `admin` is the system administrator; `local` administers the east with all
// permissions of the administration but two: unmasked data, and acting on users with more permissions.

export const password = SEED_PASSWORD
const withheld = ['system:user:reveal', 'system:user:security']

type RoleGiven = { dataScope?: Row<'role'>['dataScope']; permissions?: readonly string[]; deptIds?: readonly number[] }

/** @param more calls beside those of the administration */
export const openAdminFixture = async (more: (db: Db) => Route[] = () => []) => {
  const database = await cloneSeededDatabase()
  const pool = openPool({ ...database.app, max: 8 }, 30)
  const site = await openConsole(pool, (db) => [
    ...[userRoutes, profileRoutes, ownSessionRoutes, roleRoutes, menuRoutes, deptRoutes].flatMap((routes) =>
      routes({ db }),
    ),
    ...more(db),
  ])
  const { db } = site
  const edu = await deptByCode(db, 'EDU')
  const east = await makeDept(db, { name: '东区教育局', parentId: edu })
  const west = await makeDept(db, { name: '西区教育局', parentId: edu })
  const eastSchool = await makeSchool(db, { eduDeptId: east.id })
  const westSchool = await makeSchool(db, { eduDeptId: west.id })

  /** A role with permissions, which must exist as menu entries. */
  const makeRole = async (code: string, { dataScope = 'DEPT', permissions = [], deptIds = [] }: RoleGiven = {}) => {
    const role = await db
      .insertInto('role')
      .values({ code, name: code, dataScope })
      .returningAll()
      .executeTakeFirstOrThrow()
    for (const deptId of deptIds) await db.insertInto('roleDept').values({ roleId: role.id, deptId }).execute()
    const menus = await db.selectFrom('menu').select(['id', 'permission']).execute()
    const ticked = menus.filter((menu) => permissions.includes(menu.permission ?? ''))
    if (ticked.length > 0)
      await db
        .insertInto('roleMenu')
        .values(ticked.map((menu) => ({ roleId: role.id, menuId: menu.id })))
        .execute()
    return role
  }

  const found = await db.selectFrom('menu').select('permission').execute()
  const administration = found.flatMap(({ permission }) =>
    permission && /^(system|bully):/.test(permission) && !withheld.includes(permission) ? [permission] : [],
  )
  await makeRole('local_admin', { dataScope: 'DEPT_AND_CHILD', permissions: administration })
  const local = await makeUser(db, { username: 'local', password, deptId: east.id, roles: ['local_admin'] })
  const tokens = { admin: await site.tokenOf('admin', password), local: await site.tokenOf('local', password) }

  type As = { as?: keyof typeof tokens | { token: string } }
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { as = 'admin', body }: As & { body?: unknown },
  ) =>
    site.call(method, path, {
      token: typeof as === 'string' ? tokens[as] : as.token,
      ...(body !== undefined && { body }),
    })

  return {
    ...site,
    pool,
    east,
    west,
    eastSchool,
    westSchool,
    local,
    makeRole,
    get: (path: string, as?: As['as']) => call('GET', path, as ? { as } : {}),
    post: (path: string, body: unknown, as?: As['as']) => call('POST', path, { body, ...(as && { as }) }),
    put: (path: string, body: unknown, as?: As['as']) => call('PUT', path, { body, ...(as && { as }) }),
    remove: (path: string, as?: As['as']) => call('DELETE', path, as ? { as } : {}),
    signedIn: async (username: string) => ({ token: await site.tokenOf(username, password) }),
    user: (id: number) =>
      unscoped(db, 'test').selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    roleId: async (code: string) =>
      (await db.selectFrom('role').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id,
    menuId: async (permission: string) =>
      (await db.selectFrom('menu').select('id').where('permission', '=', permission).executeTakeFirstOrThrow()).id,
    /** The audit rows of one row, oldest first. */
    audits: (subject: string, subjectId: number) =>
      unscoped(db, 'test')
        .selectFrom('auditLog')
        .select(['action', 'before', 'after', 'username'])
        .where('subject', '=', subject)
        .where('subjectId', '=', subjectId)
        .orderBy('id')
        .execute(),
    /** The events since the last call. */
    told: async () => {
      const events = await db.deleteFrom('event').returning(['type', 'ref', 'userId', 'deptId', 'schoolId']).execute()
      return events
    },
    forget: () => invalidateSessionCache('all'),
    close: async () => {
      await site.app.close()
      await pool.end()
      await database.drop()
    },
  }
}
export type AdminFixture = Awaited<ReturnType<typeof openAdminFixture>>
