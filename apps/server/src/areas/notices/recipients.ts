import { codes } from '@tocsin/contract/codes'
import { NoticeDraft } from '@tocsin/contract/notices/notice'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { fieldError } from '#areas/audit/edit-transaction'
import { canSeeDept } from '#areas/access/roles/grant-guards'

type Addressed = Pick<Row<'notice'>, 'id' | 'target'>
export type Recipients = Pick<Row<'notice'>, 'target'> & { deptIds: readonly number[]; userIds: readonly number[] }

/** Departments with all below them: a notice to them reaches their users. */
const reachedDepts = async (trx: Db, deptIds: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from dept where id = any(${deptIds}) union select d.id from dept d join below on d.parent_id = below.id
    ) select id from below`.execute(trx)
  return rows.map(({ id }) => id)
}

const checkDepts = async (trx: Db, actor: Actor, deptIds: readonly number[]): Promise<void> => {
  if (deptIds.length === 0) return
  const known = await trx.selectFrom('dept').select('id').where('id', 'in', deptIds).execute()
  const fine = known.filter(({ id }) => canSeeDept(actor, id)).length
  if (fine < new Set(deptIds).size) throw fieldError(NoticeDraft, 'deptIds', 'choice')
  if ((await reachedDepts(trx, deptIds)).some((id) => !canSeeDept(actor, id)))
    throw new BusinessError(codes.noticeBeyond)
}

const seenUsers = async (db: Db, actor: Actor, userIds: readonly number[]): Promise<Set<number>> => {
  if (userIds.length === 0) return new Set()
  const found = await scoped(db, actor).selectFrom('users').select('id').where('id', 'in', userIds).execute()
  return new Set(found.map(({ id }) => id))
}

const without = (ids: readonly number[], others: readonly number[] = []) => ids.filter((id) => !others.includes(id))

/**
 * Rejects receivers that the writer cannot see. On a change, `before` are the stored receivers: they stay unchecked
 * until the publication.
 */
export const checkRecipients = async (trx: Db, actor: Actor, named: Recipients, before?: Recipients): Promise<void> => {
  const { target, deptIds, userIds } = named
  const known = before?.target === target ? before : undefined
  if (target === 'ALL' && !known && actor.depts !== 'all') throw new BusinessError(codes.noticeBeyond)
  if (target === 'DEPT') {
    if (deptIds.length === 0) throw fieldError(NoticeDraft, 'deptIds', 'required')
    await checkDepts(trx, actor, without(deptIds, known?.deptIds))
  }
  if (target === 'USER') {
    if (userIds.length === 0) throw fieldError(NoticeDraft, 'userIds', 'required')
    const added = new Set(without(userIds, known?.userIds))
    if ((await seenUsers(trx, actor, [...added])).size < added.size) throw fieldError(NoticeDraft, 'userIds', 'choice')
  }
}

/**
 * Splits the receivers of a notice into those visible to this user and the rest, which stays when the user changes the
 * visible ones.
 */
export const splitVisibleRecipients = async (db: Db, actor: Actor, { deptIds, userIds }: Recipients) => {
  const users = await seenUsers(db, actor, userIds)
  const seen = {
    deptIds: deptIds.filter((id) => canSeeDept(actor, id)),
    userIds: userIds.filter((id) => users.has(id)),
  }
  return { seen, rest: { deptIds: without(deptIds, seen.deptIds), userIds: without(userIds, seen.userIds) } }
}

type RecipientsChange = { row: Addressed; before: Recipients | undefined; changes: Partial<Recipients> }

/** Saves the receivers that a change of a notice names; those that the editor cannot see stay. */
export const changeRecipients = async (
  trx: Db,
  actor: Actor,
  { row, before, changes }: RecipientsChange,
): Promise<void> => {
  const rest = before && (await splitVisibleRecipients(trx, actor, before)).rest
  const merged = (name: 'deptIds' | 'userIds') => {
    const named = changes[name]
    return named ? [...named, ...(rest?.[name] ?? [])] : (before?.[name] ?? [])
  }
  const recipients = { target: row.target, deptIds: merged('deptIds'), userIds: merged('userIds') }
  await checkRecipients(trx, actor, recipients, before)
  await saveRecipients(trx, row.id, recipients)
}

/** The named receivers; none when it is for all. */
export const loadRecipients = async (db: Db, { id, target }: Addressed): Promise<Recipients> => {
  const depts = await db
    .selectFrom('noticeDept')
    .select('deptId')
    .where('noticeId', '=', id)
    .orderBy('deptId')
    .execute()
  const users = await db
    .selectFrom('noticeUser')
    .select('userId')
    .where('noticeId', '=', id)
    .orderBy('userId')
    .execute()
  return { target, deptIds: depts.map(({ deptId }) => deptId), userIds: users.map(({ userId }) => userId) }
}

export const saveRecipients = async (
  trx: Db,
  noticeId: number,
  { target, deptIds, userIds }: Recipients,
): Promise<void> => {
  await trx.deleteFrom('noticeDept').where('noticeId', '=', noticeId).execute()
  await trx.deleteFrom('noticeUser').where('noticeId', '=', noticeId).execute()
  if (target === 'DEPT')
    await trx
      .insertInto('noticeDept')
      .values([...new Set(deptIds)].map((deptId) => ({ noticeId, deptId })))
      .execute()
  if (target === 'USER')
    await trx
      .insertInto('noticeUser')
      .values([...new Set(userIds)].map((userId) => ({ noticeId, userId })))
      .execute()
}

/** True for a row of `users` that a notice addresses: all, named users, or users of its departments and below. */
export const isRecipient = ({ id, target }: Addressed) => sql<boolean>`users.enabled and (
  ${target === 'ALL'}
  or users.id in (select user_id from notice_user where notice_id = ${id})
  or users.dept_id in (
    with recursive below as (
      select dept_id as id from notice_dept where notice_id = ${id}
      union
      select d.id from dept d join below on d.parent_id = below.id
    )
    select id from below
  )
)`

/** With more receivers all screens are told to refetch, without details. */
const SINGLY = 500

/** Notifies the receivers' screens. */
export const notifyRecipients = async (
  trx: Db,
  type: 'notice.published' | 'notice.revoked',
  notice: Addressed,
): Promise<void> => {
  const { id: ref } = notice
  if (notice.target === 'ALL') return emitEvents(trx, { type, ref })
  const receivers = await unscoped(trx, 'a notice reaches whom it names')
    .selectFrom('users')
    .select('users.id')
    .where(isRecipient(notice))
    .limit(SINGLY + 1)
    .execute()
  if (receivers.length > SINGLY) return emitEvents(trx, { type })
  await emitEvents(trx, ...receivers.map(({ id: userId }) => ({ type, ref, userId })))
}
