import type pg from 'pg'
import { makeDept, makeUser } from '../seed/fixtures.ts'
import { type AllTablesDb, type Db, openPool } from '../src/db/db.ts'
import { unscoped } from '../src/db/scope.ts'
import type { Route } from '../src/http/route.ts'
import { type ApiResponse, type Console, openConsole } from './console.ts'
import { cloneSeededDatabase, type TestDatabase } from './database.ts'
import { SEED_PASSWORD } from './seed-password.ts'

export const PASSWORD = SEED_PASSWORD

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type AdminServer = {
  site: Console
  database: TestDatabase
  pool: pg.Pool
  all: AllTablesDb
  /** Two departments that do not see each other, with a user each who sees the own one. */
  here: { deptId: number; userId: number }
  there: { deptId: number; userId: number }
  /** Sends a call as the administrator or with another token. */
  call: (method: Method, path: string, body?: unknown, token?: string) => Promise<ApiResponse>
  /** Gives a user of `here` these permissions in a role that sees its own department; @returns the user's token */
  clerk: (...permissions: string[]) => Promise<{ token: string; userId: number }>
  adminToken: string
  audited: (subject: string, id: number) => Promise<string[]>
  events: (type: string) => Promise<{ ref: number | null; userId: number | null }[]>
  end: () => Promise<void>
}

/** The administration with a database of its own: the seed, two departments, and the calls under test. */
export const startAdminServer = async (routes: (db: Db) => Route[]): Promise<AdminServer> => {
  const database = await cloneSeededDatabase()
  const pool = openPool({ ...database.app, max: 6 }, 30)
  const site = await openConsole(pool, routes)
  const all = unscoped(site.db, 'tests look at every row')
  const settle = async (name: string) => {
    const { id } = await makeDept(site.db, { name })
    return { deptId: id, userId: (await makeUser(site.db, { deptId: id, nickname: name })).id }
  }
  const [here, there] = [await settle('甲部门'), await settle('乙部门')]
  const adminToken = await site.tokenOf('admin', PASSWORD)
  let clerks = 0
  const clerk: AdminServer['clerk'] = async (...permissions) => {
    clerks += 1
    const code = `clerk${clerks}`
    const role = await site.db.insertInto('role').values({ code, name: code }).returning('id').executeTakeFirstOrThrow()
    const menus = await site.db
      .selectFrom('menu')
      .select('id')
      .where('permission', 'in', ['', ...permissions])
      .execute()
    if (menus.length !== permissions.length) throw new Error(`no button for one of ${permissions.join()}`)
    if (menus.length > 0)
      await site.db
        .insertInto('roleMenu')
        .values(menus.map(({ id }) => ({ roleId: role.id, menuId: id })))
        .execute()
    const user = await makeUser(site.db, { username: code, password: PASSWORD, deptId: here.deptId, roles: [code] })
    return { token: await site.tokenOf(code, PASSWORD), userId: user.id }
  }
  return {
    site,
    database,
    pool,
    all,
    here,
    there,
    adminToken,
    clerk,
    call: (method, path, body, token = adminToken) => site.call(method, path, { token, body }),
    audited: async (subject, id) => {
      const rows = await all
        .selectFrom('auditLog')
        .select('action')
        .where('subject', '=', subject)
        .where('subjectId', '=', id)
        .orderBy('id')
        .execute()
      return rows.map(({ action }) => action)
    },
    events: async (type) => {
      const rows = await site.db.selectFrom('event').select(['type', 'ref', 'userId']).orderBy('id').execute()
      return rows.flatMap(({ type: found, ...row }) => (found === type ? [row] : []))
    },
    end: async () => {
      await site.app.close()
      await pool.end()
      await database.drop()
    },
  }
}

/** The rejected fields of a response. */
export const errorFields = ({ data }: ApiResponse): string[] =>
  // The envelope of a field error (wire 2.5).
  ((data?.errors ?? []) as unknown as { field: string }[]).map(({ field }) => field)

/** The rows of a page, and the total. */
export const pageIn = ({ data }: ApiResponse): { list: Record<string, unknown>[]; total: number } =>
  data as unknown as { list: Record<string, unknown>[]; total: number }
