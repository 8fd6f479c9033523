import { AnnouncementDraft, type ScopeCount } from '@tocsin/contract/announcement/announcement'
import { codes } from '@tocsin/contract/codes'
import { type RawBuilder, sql } from 'kysely'
import { canSeeDept } from '#areas/access/roles/grant-guards'
import { fieldError } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

export type Scope = Pick<Row<'announcement'>, 'target' | 'deptIds' | 'schoolIds' | 'roleIds'>

/** Departments with everything below them. */
const reachedDepts = async (trx: Db, deptIds: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from dept where id = any(${deptIds}) union select d.id from dept d join below on d.parent_id = below.id
    ) select id from below`.execute(trx)
  return rows.map(({ id }) => id)
}

const checkDepts = async (trx: Db, actor: Actor, deptIds: readonly number[]): Promise<void> => {
  if (deptIds.length === 0) return
  const reached = await reachedDepts(trx, deptIds)
  if (deptIds.some((id) => !reached.includes(id) || !canSeeDept(actor, id)))
    throw fieldError(AnnouncementDraft, 'deptIds', 'choice')
  if (reached.some((id) => !canSeeDept(actor, id))) throw new BusinessError(codes.announcementBeyond)
}

const checkRoles = async (trx: Db, roleIds: readonly number[]): Promise<void> => {
  if (roleIds.length === 0) return
  const known = await trx
    .selectFrom('role')
    .select('id')
    .where('id', 'in', [...roleIds])
    .where('enabled', '=', true)
    .execute()
  if (known.length < new Set(roleIds).size) throw fieldError(AnnouncementDraft, 'roleIds', 'choice')
}

const checkSchools = async (trx: Db, actor: Actor, schoolIds: readonly number[]): Promise<void> => {
  if (schoolIds.length === 0) return
  const seen = await scoped(trx, actor)
    .selectFrom('school')
    .select(['id', 'deptId'])
    .where('id', 'in', [...schoolIds])
    .execute()
  if (seen.length < new Set(schoolIds).size) throw fieldError(AnnouncementDraft, 'schoolIds', 'choice')
  // A school reaches the people of every department below it.
  const reached = await reachedDepts(
    trx,
    seen.map(({ deptId }) => deptId),
  )
  if (reached.some((id) => !canSeeDept(actor, id))) throw new BusinessError(codes.announcementBeyond)
}

/** Rejects recipients in departments that the author does not see. */
export const checkScope = async (trx: Db, actor: Actor, { target, ...ids }: Scope): Promise<void> => {
  const { deptIds, schoolIds, roleIds } = ids
  const isPlaced = target === 'SCOPE' && deptIds.length + schoolIds.length > 0
  if (!isPlaced && actor.depts !== 'all') throw new BusinessError(codes.announcementBeyond)
  if (target === 'ALL') return
  if (!isPlaced && roleIds.length === 0) throw fieldError(AnnouncementDraft, 'deptIds', 'required')
  await checkDepts(trx, actor, deptIds)
  await checkSchools(trx, actor, schoolIds)
  await checkRoles(trx, roleIds)
}

/** True for a row of `users` that a scope addresses. */
export const isAddressed = ({ target, deptIds, schoolIds, roleIds }: Scope) => {
  if (target === 'ALL') return sql<boolean>`users.enabled`
  // A scope that names nothing reaches nobody, never everybody.
  if (deptIds.length + schoolIds.length + roleIds.length === 0) return sql<boolean>`false`
  const ofPlace =
    deptIds.length + schoolIds.length === 0
      ? sql`true`
      : sql`users.dept_id in (
          with recursive below as (
            select d.id from dept d where d.id = any(${deptIds})
              or d.id in (select s.dept_id from school s where s.id = any(${schoolIds}))
            union select d.id from dept d join below on d.parent_id = below.id
          ) select id from below)`
  const ofRole =
    roleIds.length === 0
      ? sql`true`
      : sql`users.id in (
          select ur.user_id from user_role ur join role r on r.id = ur.role_id
          where r.enabled and r.id = any(${roleIds}))`
  return sql<boolean>`(users.enabled and ${ofPlace} and ${ofRole})`
}

/** True for a row of `users` that a row of `announcement` addresses. */
export const isAddressedByRow = sql<boolean>`(users.enabled and (announcement.target = 'ALL' or (
  cardinality(announcement.dept_ids) + cardinality(announcement.school_ids) + cardinality(announcement.role_ids) > 0
  and (cardinality(announcement.dept_ids) + cardinality(announcement.school_ids) = 0 or users.dept_id in (
    with recursive below as (
      select d.id from dept d where d.id = any(announcement.dept_ids)
        or d.id in (select s.dept_id from school s where s.id = any(announcement.school_ids))
      union select d.id from dept d join below on d.parent_id = below.id
    ) select id from below))
  and (cardinality(announcement.role_ids) = 0 or users.id in (
    select ur.user_id from user_role ur join role r on r.id = ur.role_id
    where r.enabled and r.id = any(announcement.role_ids))))))`

/** True for a row of `announcement` whose scope contains a department; roles may limit it to some of its people. */
export const reachesDept = (deptId: RawBuilder<unknown>) => {
  const up = sql`array(
    with recursive up as (
      select id, parent_id from dept where id = ${deptId}
      union select d.id, d.parent_id from dept d join up on d.id = up.parent_id
    ) select id from up)`
  return sql<boolean>`(announcement.target = 'ALL' or (
    cardinality(announcement.dept_ids) + cardinality(announcement.school_ids) + cardinality(announcement.role_ids) > 0 and
    (cardinality(announcement.dept_ids) + cardinality(announcement.school_ids) = 0
      or announcement.dept_ids && ${up}
      or exists (select from school s where s.id = any(announcement.school_ids) and s.dept_id = any(${up})))))`
}

/** The filter answers nothing about the school but that it stands in a scope that the reader sees. */
export const reachesSchool = (schoolId: number) =>
  reachesDept(sql`(select school.dept_id from school where school.id = ${schoolId}::bigint)`)

/** True for a row of `announcement` that addresses this user. */
export const isToMe = ({ userId, deptId }: Pick<Actor, 'userId' | 'deptId'>) =>
  sql<boolean>`(${reachesDept(sql`${deptId}`)} and (
    announcement.target = 'ALL' or cardinality(announcement.role_ids) = 0 or exists (
      select from user_role ur join role r on r.id = ur.role_id
      where ur.user_id = ${userId} and r.enabled and r.id = any(announcement.role_ids))))`

export const addressedUsers = (db: Db, scope: Scope) =>
  unscoped(db, 'an announcement reaches its scope').selectFrom('users').where(isAddressed(scope))

export const countAudience = (db: Db, scope: Scope): Promise<ScopeCount> =>
  addressedUsers(db, scope)
    .select([
      sql<number>`count(*)::int`.as('people'),
      sql<number>`(count(*) filter (where users.mobile is null))::int`.as('withoutMobile'),
    ])
    .executeTakeFirstOrThrow()

/** With more readers every screen is told to refetch, without details. */
const MAX_SINGLE_EVENTS = 500

/** Notifies the readers' screens that an announcement appeared, changed or was withdrawn. */
export const emitToReaders = async (trx: Db, { id: ref, ...scope }: Scope & { id: number }): Promise<void> => {
  const type = 'announcement.published' as const
  if (scope.target === 'ALL') return emitEvents(trx, { type, ref })
  const readers = await addressedUsers(trx, scope)
    .select('users.id')
    .limit(MAX_SINGLE_EVENTS + 1)
    .execute()
  if (readers.length > MAX_SINGLE_EVENTS) return emitEvents(trx, { type })
  await emitEvents(trx, ...readers.map(({ id: userId }) => ({ type, ref, userId })))
}
