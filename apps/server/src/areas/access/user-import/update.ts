import { codes } from '@tocsin/contract/codes'
import type { ImportReason } from '@tocsin/contract/files/import'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { bulkInsert, rowsFromJson } from '#db/bulk-rows'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { writeAudits } from '#areas/audit/audit'
import { endSession } from '../sign-in/session.ts'
import { toAuditState } from '#areas/audit/edit-transaction'
import { cellErrorFrom, cellError } from '#areas/files/import/cell-errors'
import type { Outcome } from '#areas/files/import/importer'
import { type Pending, type InsertedUser, written, writtenColumns } from './create.ts'
import {
  ASSIGN_ROLE,
  createGrantCheck,
  type GrantRequest,
  type RoleLock,
  findGrantErrors,
  UPDATE_USER,
} from './grant-check.ts'
import { ruleError } from './line-errors.ts'

/** `targetId`: null when the user was deleted. */
export type Change = Pending & { targetId: number | null }

const columns = { nickname: 'text', email: 'text', mobile: 'text', sex: 'text', remark: 'text', enabled: 'boolean' }
const changesFrom = rowsFromJson({ id: 'bigint', deptId: 'bigint', ...columns })
/** Absent columns stay. */
const set = sql.raw(
  Object.keys(columns)
    .map((name) => `${name} = coalesce(row.${name}, users.${name})`)
    .join(', '),
)
const insertRoles = bulkInsert('user_role', { userId: 'bigint', roleId: 'bigint' })
const rolesFrom = rowsFromJson({ userId: 'bigint', roleId: 'bigint' })

/**
 * Lines about the importer himself, and about administrators who would no longer be any: their rules concern more than
 * this one user.
 */
export const linesCheckedAlone = async (
  db: Db,
  actor: Actor,
  rows: readonly Change[],
): Promise<ReadonlySet<number>> => {
  const ceasing = rows.filter(({ draft }) => draft.enabled === false || draft.roleIds !== undefined)
  const ids = ceasing.map(({ targetId }) => targetId)
  const admins = await db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('userRole.userId')
    .where('userRole.userId', '=', sql<number>`any(${ids})`)
    .where('role.code', '=', 'super_admin')
    .execute()
  const users = new Set<number | null>(admins.map(({ userId }) => userId))
  const own = rows.filter(({ targetId }) => targetId === actor.userId)
  return new Set([...ceasing.filter(({ targetId }) => users.has(targetId)), ...own].map(({ line }) => line))
}

/**
 * Locks all users of an import before the first change, in order of their ids, as every call that locks several does.
 */
export const lockChangedUsers = (trx: Db, jobId: number) =>
  sql`
    select count(*) from (
      select id from users where id in (select target_id from import_row where job_id = ${jobId} and verdict = 'UPDATE')
      order by id for no key update
    ) held`.execute(unscoped(trx, 'each is looked for in sight when he is changed'))

/** The visible ones, locked in order of their ids; sign-ins continue. */
const lock = async (
  trx: Db,
  ids: readonly (number | null)[],
  { actor }: Caller,
): Promise<Map<number | null, InsertedUser>> => {
  const seen = await scoped(trx, actor)
    .selectFrom('users')
    .select(writtenColumns)
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(seen.map((user) => [user.id, user]))
}

const rolesOf = async (trx: Db, ids: readonly (number | null)[]): Promise<Map<number, number[]>> => {
  const held = await trx
    .selectFrom('userRole')
    .select(['userId', 'roleId'])
    .where('userId', '=', sql<number>`any(${ids})`)
    .orderBy('roleId')
    .execute()
  const roles = new Map<number, number[]>()
  for (const { userId, roleId } of held) roles.set(userId, [...(roles.get(userId) ?? []), roleId])
  return roles
}

/** Visible departments of schools. */
const schoolDepts = async (trx: Db, { actor }: Caller, rows: readonly Change[]): Promise<ReadonlySet<number>> => {
  const ids = [...new Set(rows.flatMap(({ draft }) => draft.deptId ?? []))]
  if (ids.length === 0) return new Set()
  const schools = await scoped(trx, actor).selectFrom('school').select('deptId').where('deptId', 'in', ids).execute()
  return new Set(schools.map(({ deptId }) => deptId))
}

/** A line beside the current row of its user. */
type Meant = {
  line: number
  draft: Change['draft']
  user: InsertedUser
  held: readonly number[]
  added: readonly number[]
  removed: readonly number[]
  moved: boolean
}

const meant = ({ line, draft }: Change, user: InsertedUser, held: readonly number[]): Meant => {
  const { roleIds = held, deptId = user.deptId } = draft
  const added = [...new Set(roleIds)].filter((id) => !held.includes(id))
  const removed = held.filter((id) => !roleIds.includes(id))
  return { line, draft, user, held, added, removed, moved: deptId !== user.deptId }
}

const edits = ({ draft: { username: _name, roleIds: _roles, ...own } }: Meant): boolean => Object.keys(own).length > 0
const reroles = ({ added, removed }: Meant): boolean => added.length + removed.length > 0

const givenBy = ({ line, draft, user, moved, added }: Meant): GrantRequest => ({
  line,
  deptId: draft.deptId ?? user.deptId,
  chosen: moved,
  roleIds: added,
})

/** Checks each line as the forms do. */
const judge = async (trx: Db, rows: readonly Change[], { who, hold }: { who: Caller; hold: RoleLock }) => {
  const ids = rows.map(({ targetId }) => targetId)
  const [users, roles] = [await lock(trx, ids, who), await rolesOf(trx, ids)]
  const [rights, schools] = [createGrantCheck(trx, who.actor), await schoolDepts(trx, who, rows)]
  const refusalOf = async (meant: Meant): Promise<ImportReason | undefined> => {
    const { user, held, draft, moved } = meant
    if (!(await rights.covers({ ...user, roleIds: held }))) return cellError('username', codes.moreRights)
    const { deptId = user.deptId, enabled = user.enabled } = draft
    const beyond = moved ? await rights.within(held, deptId) : undefined
    if (beyond) return cellErrorFrom('deptId', beyond)
    if (moved && user.type === 'SCHOOL' && !schools.has(deptId)) return ruleError('deptId', 'choice')
    if (enabled !== user.enabled && user.pending) return cellError('username', codes.userPending)
    return reroles(meant) && !hasPermission(who.actor)(ASSIGN_ROLE) ? cellError('roles', codes.forbidden) : undefined
  }
  const refused = new Map<number, ImportReason>()
  const found: Meant[] = []
  for (const row of rows) {
    const user = users.get(row.targetId)
    const value = user && meant(row, user, roles.get(user.id) ?? [])
    const missing = () =>
      cellError('username', hasPermission(who.actor)(UPDATE_USER) ? codes.userMissing : codes.forbidden)
    const reason = value && hasPermission(who.actor)(UPDATE_USER) ? await refusalOf(value) : missing()
    if (reason) refused.set(row.line, reason)
    else if (value) found.push(value)
  }
  for (const [line, reason] of await findGrantErrors(trx, found.map(givenBy), who, hold)) refused.set(line, reason)
  return { refused, good: found.filter(({ line }) => !refused.has(line)) }
}

const replaceRoles = async (trx: Db, good: readonly Meant[]): Promise<void> => {
  const pairs = (which: 'added' | 'removed') =>
    good.flatMap((item) => item[which].map((roleId) => ({ userId: item.user.id, roleId })))
  const [removed, added] = [pairs('removed'), pairs('added')]
  if (removed.length > 0)
    await sql`
      delete from user_role using ${rolesFrom(removed)}
      where user_role.user_id = row."userId" and user_role.role_id = row."roleId"`.execute(trx)
  if (added.length > 0) await insertRoles(added).execute(trx)
}

/** A school account belongs to the school of its department. */
const moveProfiles = async (trx: Db, good: readonly Meant[]): Promise<void> => {
  const ids = good.flatMap(({ moved, user }) => (moved && user.type === 'SCHOOL' ? user.id : []))
  if (ids.length > 0)
    await sql`
      update merchant_profile set school_id = school.id from users join school on school.dept_id = users.dept_id
      where merchant_profile.user_id = users.id and users.id = any(${ids})`.execute(unscoped(trx, 'locked in sight'))
}

/** Only an open console needs the event of its user; one for all says that schools may have other recipients of alarms. */
const tell = async (trx: Db, ids: readonly number[], { actor }: Caller): Promise<void> => {
  if (ids.length === 0) return
  const open = await trx
    .selectFrom('session')
    .select('userId')
    .distinct()
    .where('userId', '=', sql<number>`any(${ids})`)
    .where('endedAt', 'is', null)
    .execute()
  const changed = open.map(({ userId }) => ({ type: 'permission.changed' as const, ref: userId, userId }))
  await emitEvents(trx, ...changed, { type: 'permission.changed', userId: actor.userId })
}

const record = async (
  trx: Db,
  good: readonly Meant[],
  { who, after }: { who: Caller; after: readonly InsertedUser[] },
) => {
  const now = new Map(after.map((user) => [user.id, user]))
  const entries = good.flatMap((item) => {
    const { user, held, draft } = item
    const entry = { ...who, subject: 'users', subjectId: user.id }
    const states = { before: toAuditState(user), after: toAuditState(now.get(user.id) ?? {}) }
    const roles = { before: { roleIds: held }, after: { roleIds: [...new Set(draft.roleIds)].sort((a, b) => a - b) } }
    return [
      ...(edits(item) ? [{ ...entry, action: 'system:user:update', ...states }] : []),
      ...(reroles(item) || !edits(item) ? [{ ...entry, action: ASSIGN_ROLE, ...roles }] : []),
    ]
  })
  await writeAudits(trx, entries)
}

export type Updated = {
  outcomes: Outcome[]
  /** Roles and departments, verified again by a caller who does not lock them until the commit. */
  given: GrantRequest[]
  /** Their sessions still have to be ended. */
  disabled: number[]
}

/** Updates users without special rules, all together: what the forms do for one. */
export const updateUsers = async (
  trx: Db,
  { rows, who, hold }: { rows: readonly Change[]; who: Caller; hold: RoleLock },
): Promise<Updated> => {
  const { refused, good } = await judge(trx, rows, { who, hold })
  // The situation changed since they were grouped: then one by one.
  if ((await linesCheckedAlone(trx, who.actor, rows)).size > 0) throw new BusinessError(codes.userHeld)
  const changes = good.map(({ user, draft }) => ({ ...draft, id: user.id }))
  const { rows: after } = await sql<InsertedUser>`
    update users set ${set}, dept_id = coalesce(row."deptId", users.dept_id), version = users.version + 1,
      update_time = now(), updater = ${who.actor.userId}
    from ${changesFrom(changes)} where users.id = row.id returning ${written}`.execute(unscoped(trx, 'locked in sight'))
  await replaceRoles(trx, good)
  await moveProfiles(trx, good)
  await record(trx, good, { who, after })
  const ids = good.map(({ user }) => user.id)
  await tell(trx, ids, who)
  return {
    outcomes: rows.map(({ line, targetId }) => ({ line, targetId, reason: refused.get(line) })),
    given: good.filter((item) => item.moved || item.added.length > 0).map(givenBy),
    disabled: good.flatMap(({ user, draft }) => (user.enabled && draft.enabled === false ? user.id : [])),
  }
}

const MANY = 1000

const endOpen = async (trx: Db, ids: readonly number[]): Promise<void> => {
  const running = trx.selectFrom('session').select('id').where('endedAt', 'is', null)
  const found = await running.where('userId', '=', sql<number>`any(${ids})`).orderBy('id').execute()
  for (let at = 0; at < found.length; at += MANY) {
    const some = found.slice(at, at + MANY).map(({ id }) => id)
    await endSession(trx, some, 'DISABLED')
  }
}

/**
 * Ends the sessions of users whom an import disables. The last step before the commit, since from the lock on they can
 * neither sign in nor claim.
 */
export const endDisabled = async (trx: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await endOpen(trx, ids)
  await sql`
    select count(*) from (select id from users where id = any(${ids}) order by id for update) held`.execute(
    unscoped(trx, 'changed in sight'),
  )
  await endOpen(trx, ids)
}
