import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import {
  type PeopleQuery,
  REVEAL_PERMISSION,
  type UserListRow,
  type UserQuery,
  type UserRow,
  users,
} from '@tocsin/contract/access/user'
import { maskEmail, maskMobile } from '@tocsin/contract/access/user-contact'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { containsKeyword, likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { checkPersonalVersion } from '#areas/audit/edit-transaction'
import { optionalFileLink } from '#areas/files/file-store'

export const rows = (db: AllTablesDb) =>
  db
    .selectFrom('users')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .leftJoin('lastLogin', 'lastLogin.userId', 'users.id')
    .select([
      'users.id',
      'users.username',
      'users.nickname',
      'users.remark',
      'users.type as userType',
      'users.deptId',
      'dept.name as deptName',
      'users.email',
      'users.mobile',
      'users.sex',
      'users.avatarId',
      'users.postIds',
      'users.enabled as status',
      'users.pending',
      'lastLogin.ip as loginIp',
      'lastLogin.at as loginDate',
      'users.createTime',
      'users.version',
    ])
export type Found = ReturnType<typeof rows>

type Own = Pick<UserRow, 'id' | 'email' | 'mobile'> & { avatarId: number | null }

/**
 * A row as this reader receives it. Unmasked personal data needs a permission (DESIGN 5); the reader's own is never masked.
 * The link of the picture is signed for the reader.
 */
export const masked = <R extends Own>(actor: Actor, { avatarId, ...row }: R) => {
  const clear = row.id === actor.userId || hasPermission(actor)(REVEAL_PERMISSION)
  const { email, mobile } = row
  return {
    ...row,
    email: clear ? email : email && maskEmail(email),
    mobile: clear ? mobile : mobile && maskMobile(mobile),
    avatar: optionalFileLink(avatarId, actor.userId),
  }
}

/**
 * A reader of masks can search for masks or the whole number: a search for parts would reveal the number bit by bit.
 */
const byMobile = (actor: Actor, mobile: string) =>
  hasPermission(actor)(REVEAL_PERMISSION)
    ? sql<boolean>`users.mobile like ${likePattern(mobile)}`
    : sql<boolean>`(overlay(users.mobile placing '****' from 4 for 4) like ${likePattern(mobile)} or users.mobile = ${mobile})`

const below = (deptId: number) => sql<boolean>`users.dept_id in (
  with recursive below as (
    select id from dept where id = ${deptId} union select d.id from dept d join below on d.parent_id = below.id
  ) select id from below)`

/** A user is searched for by user name or display name. */
const names = sql`users.username || e'\n' || users.nickname`

/** Each part is searched for like a filter of its own. */
const byKeywords = (actor: Actor, keywords: string) => {
  const byName = containsKeyword({ pairs: sql.ref('users.search'), text: names, keyword: keywords })
  return /^[\d*]+$/.test(keywords) ? sql<boolean>`(${byName} or ${byMobile(actor, keywords)})` : byName
}

type FilterName = 'keywords' | 'username' | 'mobile' | 'status' | 'pending' | 'createTime' | 'deptId' | 'roleId'
export type Filters = Pick<UserQuery, FilterName>

export const filterUsers = <Q extends Found>(from: Q, actor: Actor, filters: Filters): Q => {
  const { keywords, username, mobile, status, pending, createTime, deptId, roleId } = filters
  const found = from
    .$if(!!keywords, (q) => q.where(byKeywords(actor, keywords ?? '')))
    .$if(!!username, (q) =>
      q.where(containsKeyword({ pairs: sql.ref('users.search'), text: names, keyword: username ?? '' })),
    )
    .$if(!!mobile, (q) => q.where(byMobile(actor, mobile ?? '')))
    .$if(status !== undefined, (q) => q.where('users.enabled', '=', status ?? true))
    .$if(pending !== undefined, (q) => q.where('users.pending', '=', pending ?? false))
    .$if(!!createTime, (q) =>
      q.where(sql<boolean>`users.create_time between ${createTime?.[0]} and ${createTime?.[1]}`),
    )
    .$if(!!deptId, (q) => q.where(below(deptId ?? 0)))
    .$if(!!roleId, (q) =>
      q.where(sql<boolean>`users.id in (select user_id from user_role where role_id = ${roleId ?? 0})`),
    )
  // The conditions leave the selected columns, and so the type, unchanged.
  return found as Q
}

type RoleName = UserListRow['roles'][number]

/** The roles of users who were read in sight. */
const listRoles = async (db: Db, userIds: readonly number[]): Promise<Map<number, RoleName[]>> => {
  const found = await db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['userRole.userId', 'role.id', 'role.name', 'role.nameEn'])
    .where('userRole.userId', '=', sql<number>`any(${userIds})`)
    .orderBy('role.sort')
    .orderBy('role.id')
    .execute()
  const grouped = Map.groupBy(found, ({ userId }) => userId)
  return new Map([...grouped].map(([userId, roles]) => [userId, roles.map(({ userId: _id, ...role }) => role)]))
}

export const userOrder: ListOrder<UserQuery> = {
  columns: {
    username: { by: sql`users.username` },
    nickname: { by: sql`users.nickname` },
    deptName: { by: sql`dept.name` },
    status: { by: sql`users.enabled` },
    loginDate: { by: sql`last_login.at`, nullable: true },
    createTime: { by: sql`users.create_time` },
  },
  usual: sql`users.id desc`,
  id: sql`users.id`,
}

export const userPage = async (db: Db, query: UserQuery, actor: Actor): Promise<Page<UserListRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const seen = scoped(db, actor)
  const ids = filterUsers(rows(seen), actor, query).clearSelect().select('users.id')
  // Joined data is read for the rows of the page only, not for the rows before it.
  const page = ids.orderBy(toOrderBy(query.orderBy, userOrder)).limit(limit).offset(offset)
  const [list, total] = await Promise.all([
    rows(seen).where('users.id', 'in', page).orderBy(toOrderBy(query.orderBy, userOrder)).execute(),
    countCapped(db, ids),
  ])
  const roles = await listRoles(
    db,
    list.map(({ id }) => id),
  )
  return { list: list.map((row) => ({ ...masked(actor, row), roles: roles.get(row.id) ?? [] })), ...total }
}

export const getUser = async (db: Db, id: number, actor: Actor): Promise<UserRow> => {
  const row = await rows(scoped(db, actor)).where('users.id', '=', id).executeTakeFirst()
  if (!row) throw new BusinessError(codes.userMissing)
  return masked(actor, row)
}

/** Rejects an edit of a stale version, with the current row. */
export const checkUserVersion = checkPersonalVersion({ subject: 'users', get: users.get, read: getUser })

const byNameOrDept = (keyword: string) =>
  sql<boolean>`(${containsKeyword({ pairs: sql.ref('users.search'), text: names, keyword })}
    or users.dept_id in (select id from dept where name ilike ${likePattern(keyword)}))`

/** Enabled users by name, all or those that match the keyword; or the given users, enabled or not. */
export const userOptions = (db: Db, { keywords, ids, pageSize = 10_000 }: PeopleQuery, actor: Actor) =>
  scoped(db, actor)
    .selectFrom('users')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .select(['users.id', 'users.nickname', 'users.deptId', 'dept.name as deptName'])
    .$if(!ids, (q) => q.where('users.enabled', '=', true))
    .$if(!!ids, (q) => q.where('users.id', 'in', ids ?? []))
    .$if(!!keywords, (q) => q.where(byNameOrDept(keywords ?? '')))
    .orderBy('users.nickname')
    .orderBy('users.id')
    .limit(pageSize)
    .execute()
