import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import { type RoleQuery, RoleRow } from '@tocsin/contract/access/rights/role'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { canSeeDept } from './grant-guards.ts'

const rows = (db: Db) =>
  db
    .selectFrom('role')
    .select([
      'id',
      'name',
      'nameEn',
      'code',
      'sort',
      'enabled as status',
      'builtIn as type',
      'remark',
      'dataScope',
      'createTime',
      'version',
    ])
    .select(
      sql<
        number[]
      >`coalesce((select json_agg(dept_id order by dept_id) from role_dept where role_id = role.id), '[]')`.as(
        'dataScopeDeptIds',
      ),
    )

export const filterRoles = (db: Db, { name, code, status, createTime }: RoleQuery) =>
  rows(db)
    .$if(!!name, (q) =>
      q.where((on) => on.or((['name', 'nameEn'] as const).map((of) => on(of, 'ilike', likePattern(name ?? ''))))),
    )
    .$if(!!code, (q) => q.where('code', 'ilike', likePattern(code ?? '')))
    .$if(status !== undefined, (q) => q.where('enabled', '=', status ?? true))
    .$if(!!createTime, (q) => q.where(sql<boolean>`create_time between ${createTime?.[0]} and ${createTime?.[1]}`))

/** A role as this user sees it: of its chosen departments only the visible ones. */
const seenBy =
  (actor: Actor) =>
  (role: RoleRow): RoleRow => ({
    ...role,
    dataScopeDeptIds: role.dataScopeDeptIds.filter((id) => canSeeDept(actor, id)),
  })

export const roleOrder: ListOrder<RoleQuery> = {
  columns: {
    name: { by: sql`role.name` },
    code: { by: sql`role.code` },
    sort: { by: sql`role.sort` },
    status: { by: sql`role.enabled` },
    createTime: { by: sql`role.create_time` },
  },
  usual: sql`role.sort, role.id`,
  id: sql`role.id`,
}

export const rolePage = async (db: Db, query: RoleQuery, actor: Actor): Promise<Page<RoleRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterRoles(db, query)
  const [list, total] = await Promise.all([
    found.orderBy(toOrderBy(query.orderBy, roleOrder)).limit(limit).offset(offset).execute(),
    countCapped(db, found.clearSelect().select('id')),
  ])
  return { list: list.map(seenBy(actor)), ...total }
}

export const getRole = async (db: Db, id: number, actor: Actor): Promise<RoleRow> => {
  const row = await rows(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw new BusinessError(codes.roleMissing)
  return seenBy(actor)(row)
}

/** The row in the wire form, for an edit of a stale version. */
export const currentRole = async (db: Db, id: number, actor: Actor): Promise<unknown> =>
  z.encode(RoleRow, await getRole(db, id, actor))

export const roleOptions = (db: Db) =>
  db
    .selectFrom('role')
    .select(['id', 'name', 'nameEn'])
    .where('enabled', '=', true)
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** The entries of a role; the system administrator has all without a row. */
export const listRoleMenus = async (db: Db, roleId: number): Promise<number[]> => {
  const role = await db.selectFrom('role').select(['code', 'builtIn']).where('id', '=', roleId).executeTakeFirst()
  if (!role) throw new BusinessError(codes.roleMissing)
  const found =
    role.builtIn && role.code === 'super_admin'
      ? await db.selectFrom('menu').select('id').orderBy('id').execute()
      : await db.selectFrom('roleMenu').select('menuId as id').where('roleId', '=', roleId).orderBy('menuId').execute()
  return found.map(({ id }) => id)
}
