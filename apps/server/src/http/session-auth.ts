import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { withPermissionAliases } from '#http/permission-aliases'
import type { AuthResult, Authenticate } from '#http/mount'
import type { Actor } from '#http/route'

/** Tokens are 32 random bytes as base64url; the database stores only their SHA-256. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

type Found = {
  sessionId: number
  endReason: Row<'session'>['endReason']
  expiresAt: Date
  over: boolean
  locked: boolean
  userId: number
  deptId: number
  username: string
  nickname: string
  enabled: boolean
  mustChangePassword: boolean
  all: boolean
  depts: number[]
  schools: number[]
  permissions: string[]
}

/**
 * Loads the session of a token with its user's permissions and visibility in one statement (DESIGN 5). Departments are
 * the union over the enabled roles, and schools follow from them. Permissions come from enabled menus without a
 * disabled ancestor. With separation of duties the administrator has none of another office (decision 008). Lists
 * travel as JSON, which yields numbers.
 */
const authQuery = (me: RawBuilder<unknown>) => sql<Found>`
  with recursive me as (${me}), roles as (
    select r.id, r.data_scope, r.code = 'super_admin' and r.built_in as super
    from me join user_role ur on ur.user_id = me.user_id join role r on r.id = ur.role_id
    where r.enabled
  ), below as (
    select me.dept_id as id from me where exists (select from roles where data_scope = 'DEPT_AND_CHILD')
    union
    select d.id from dept d join below on d.parent_id = below.id
  ), seen as (
    select id from below
    union
    select me.dept_id from me where exists (select from roles where data_scope in ('DEPT', 'CUSTOM'))
    union
    select rd.dept_id from role_dept rd join roles on roles.id = rd.role_id and roles.data_scope = 'CUSTOM'
  ), live_menu as (
    select id, permission from menu where parent_id is null and enabled
    union
    select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
  ), granted as (
    select m.permission from live_menu m join role_menu rm on rm.menu_id = m.id join roles on roles.id = rm.role_id
    union
    select m.permission from menu m where exists (select from roles where super)
  ), held as (
    select permission from granted
    where office_of(permission) is null or not exists (select from roles where super) or not roles_separated()
  )
  select me.*,
    exists (select from roles where data_scope = 'ALL') as "all",
    coalesce((select json_agg(id) from seen), '[]') as depts,
    coalesce((
      select json_agg(school.id) from school
      where school.dept_id in (select id from seen) or school.police_dept_id in (select id from seen)
    ), '[]') as schools,
    coalesce((select json_agg(permission) from held where permission <> ''), '[]') as permissions
  from me`

const toAuthResult = (found: Found | undefined): AuthResult => {
  if (!found) return { kind: 'none', isUnknown: true }
  const { endReason } = found
  // These keep the way open: the browser may refresh or sign in again without being signed out.
  if (endReason === 'LOGOUT' || endReason === 'EXPIRED') return { kind: 'none' }
  if (endReason) return { kind: 'killed', reason: endReason }
  if (!found.enabled) return { kind: 'killed', reason: 'DISABLED' }
  if (found.over) return { kind: 'none' }
  const { userId, sessionId, deptId, username, nickname, locked, mustChangePassword } = found
  return {
    kind: 'live',
    locked,
    mustChangePassword,
    expiresAt: found.expiresAt,
    actor: {
      userId,
      sessionId,
      deptId,
      username,
      nickname,
      permissions: withPermissionAliases(found.permissions),
      depts: found.all ? 'all' : found.depts,
      schools: found.all ? 'all' : found.schools,
    },
  }
}

const byToken = (hash: Buffer) => sql`
  select s.id as session_id, s.end_reason, s.locked_at is not null as locked,
    least(t.expires_at, s.idle_expires_at, s.expires_at) as expires_at,
    least(t.expires_at, s.idle_expires_at, s.expires_at) <= now() as over,
    u.id as user_id, u.dept_id, u.username, u.nickname, u.enabled, u.must_change_password
  from access_token t join session s on s.id = t.session_id join users u on u.id = s.user_id
  where t.hash = ${hash}`

const byUser = (userId: number, sessionId: number) => sql`
  select ${sessionId}::bigint as session_id, null as end_reason, false as locked, now() as expires_at, false as over,
    u.id as user_id, u.dept_id, u.username, u.nickname, u.enabled, u.must_change_password
  from users u where u.id = ${userId}`

/**
 * Loads what a user may do and see now, for work that continues after the call; undefined when the user is disabled or
 * gone.
 * @param sessionId the session of the request; it may have ended since.
 */
export const loadActor = async (db: Db, userId: number, sessionId: number): Promise<Actor | undefined> => {
  const { rows } = await authQuery(byUser(userId, sessionId)).execute(unscoped(db, 'what a person may do and see'))
  const bearer = toAuthResult(rows[0])
  return bearer.kind === 'live' ? bearer.actor : undefined
}

type Live = Extract<AuthResult, { kind: 'live' }>

const CACHE_MS = 2000
const CACHE_SIZE = 10_000
const cache = new Map<string, { bearer: Live; at: number }>()
/** Counts invalidations, so that a result read before one is not cached after it. */
let drops = 0

/** Invalidates one session, all sessions of a user, or all. */
export const invalidateSessionCache = (which: { sessionId: number } | { userId: number } | 'all'): void => {
  drops += 1
  if (which === 'all') return cache.clear()
  for (const [key, { bearer }] of cache) {
    const { sessionId, userId } = bearer.actor
    if ('sessionId' in which ? which.sessionId === sessionId : which.userId === userId) cache.delete(key)
  }
}

const keep = (key: string, bearer: Live) => {
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(key, { bearer, at: performance.now() })
}

/** Authenticates a bearer token, read at most every 2 s per token on this node. */
export const authenticateToken =
  (db: Db): Authenticate =>
  async (token) => {
    const hash = hashToken(token)
    const key = hash.toString('base64')
    const known = cache.get(key)
    if (known && performance.now() - known.at < CACHE_MS) return known.bearer
    cache.delete(key)
    const before = drops
    const { rows } = await authQuery(byToken(hash)).execute(unscoped(db, 'who a bearer token stands for'))
    const bearer = toAuthResult(rows[0])
    if (bearer.kind === 'live' && drops === before) keep(key, bearer)
    return bearer
  }
