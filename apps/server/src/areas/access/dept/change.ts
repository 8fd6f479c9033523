import { codes } from '@tocsin/contract/codes'
import { DeptDraft, type DeptEdit } from '@tocsin/contract/access/dept'
import { sql } from 'kysely'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { recordChange } from '#areas/audit/edit-row'
import {
  createStamp,
  fieldError,
  runEdit,
  changedColumns,
  updateStamp,
  nameFailedItem,
} from '#areas/audit/edit-transaction'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import { reorderedSiblings, saveSiblingOrder, listSiblings } from '#areas/audit/sibling-order'
import { checkRegistrationDept } from '#areas/settings/registration-switch'
import { canSeeDept } from '../role/grant-guards.ts'
import { checkDeptVersion, maskDeptContact } from './read.ts'

const inUse = { code: codes.referred, params: { what: '部门' } }
registerConstraintErrors({
  dept_name_key: { code: codes.deptName },
  dept_code_key: { code: codes.deptCode },
  dept_parent_id_fkey: { code: codes.deptChildren },
  users_dept_id_fkey: inUse,
  school_dept_id_fkey: inUse,
  school_police_dept_id_fkey: inUse,
  device_dept_id_fkey: inUse,
  warn_record_dept_id_fkey: inUse,
  notice_dept_fkey: inUse,
  demo_item_dept_fkey: inUse,
})

// "dept" in ASCII: the tree changes in one place at a time, or two moves at once could make a ring.
const TREE = 0x64657074
const holdTree = (trx: Db) => sql`select pg_advisory_xact_lock(${TREE})`.execute(trx)

const lockDept = async (trx: Db, actor: Actor, id: number): Promise<Row<'dept'> | undefined> =>
  canSeeDept(actor, id)
    ? trx.selectFrom('dept').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    : undefined

const idsBelow = async (trx: Db, id: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from dept where id = ${id} union select d.id from dept d join below on d.parent_id = below.id
    ) select id from below`.execute(trx)
  return rows.map((row) => row.id)
}

/** A parent in the actor's sight; the top belongs to whoever sees everything. */
const parentOf = async (trx: Db, actor: Actor, parentId: number | null): Promise<Row<'dept'> | undefined> => {
  if (parentId === null) {
    if (actor.depts !== 'all') throw new BusinessError(codes.deptParentMissing)
    return undefined
  }
  const parent = await lockDept(trx, actor, parentId)
  if (!parent) throw new BusinessError(codes.deptParentMissing)
  return parent
}

const checkLeader = async (trx: Db, { actor }: Caller, id: number | null | undefined) => {
  if (!id) return
  const user = await scoped(trx, actor).selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (!user) throw new BusinessError(codes.userMissing)
}

const recorded = (trx: Db, who: Caller, { action, id, ...change }: { action: string; id: number } & Change) =>
  recordChange(trx, who, {
    ...change,
    action: `system:dept:${action}`,
    subject: 'dept',
    id,
    events: [{ type: 'permission.changed', ref: id }],
  })
type Change = { before?: Row<'dept'>; after?: Row<'dept'> }

/** What kind a department is: said, or the parent's. Schools bring theirs, so that each has exactly one. */
const kindOf = (kind: Row<'dept'>['kind'] | undefined, parent: Row<'dept'> | undefined): Row<'dept'>['kind'] => {
  if (kind === 'SCHOOL' && parent?.kind !== 'SCHOOL') throw fieldError(DeptDraft, 'kind', 'choice')
  const found = kind ?? parent?.kind
  if (!found) throw fieldError(DeptDraft, 'kind', 'required')
  return found
}

export const createDept = (db: Db, draft: DeptDraft, who: Caller): Promise<number> =>
  runEdit(db, 'all', async (trx) => {
    await holdTree(trx)
    const parent = await parentOf(trx, who.actor, draft.parentId)
    await checkLeader(trx, who, draft.leaderUserId)
    const { status = true, ...columns } = draft
    const after = await trx
      .insertInto('dept')
      .values({ ...columns, kind: kindOf(draft.kind, parent), enabled: status, ...createStamp(who) })
      .returningAll()
      .executeTakeFirstOrThrow()
    // Whoever sees what is above sees it too.
    await recorded(trx, who, { action: 'create', id: after.id, after })
    return after.id
  })

/** A school stays under an education department, and what is of a school within one (DESIGN 5). */
const checkSchoolMove = async (trx: Db, dept: Row<'dept'>, parent: Row<'dept'> | undefined) => {
  if (dept.kind !== 'SCHOOL') return
  const school = await unscoped(trx, 'whether a department in sight is a school itself')
    .selectFrom('school')
    .select('id')
    .where('deptId', '=', dept.id)
    .executeTakeFirst()
  if (parent?.kind !== (school ? 'EDU_BUREAU' : 'SCHOOL')) throw fieldError(DeptDraft, 'parentId', 'choice')
}

/** Moving gives everything below to other people's sight: the actor must see all of it, and where it goes. */
const checkMove = async (trx: Db, { actor }: Caller, dept: Row<'dept'>, parentId: number | null) => {
  const { id } = dept
  if (parentId === id) throw new BusinessError(codes.deptParentSelf)
  const below = await idsBelow(trx, id)
  if (parentId !== null && below.includes(parentId)) throw new BusinessError(codes.deptParentBelow)
  const parent = await parentOf(trx, actor, parentId)
  await checkSchoolMove(trx, dept, parent)
  if (below.some((one) => !canSeeDept(actor, one))) throw new BusinessError(codes.beyondScope)
}

/** What the edit changes, with masks that came back taken out; a mask of something else is no address. */
const unmasked = (edit: DeptEdit, before: Row<'dept'>) => {
  const { phone, email, ...columns } = changedColumns(edit)
  const mask = maskDeptContact(before)
  if (phone?.includes('*') && phone !== mask.phone) throw fieldError(DeptDraft, 'phone', 'format')
  if (email?.includes('*') && email !== mask.email) throw fieldError(DeptDraft, 'email', 'format')
  return {
    ...columns,
    ...(phone !== undefined && !phone?.includes('*') && { phone }),
    ...(email !== undefined && !email?.includes('*') && { email }),
  }
}

const changeDept = async (trx: Db, edit: DeptEdit, who: Caller): Promise<true> => {
  await holdTree(trx)
  const before = await lockDept(trx, who.actor, edit.id)
  if (!before) throw new BusinessError(codes.deptMissing)
  await checkDeptVersion(trx, edit.version, before, who.actor)
  const { status, ...columns } = unmasked(edit, before)
  const { parentId, kind } = columns
  if (parentId !== undefined && parentId !== before.parentId) await checkMove(trx, who, before, parentId)
  if (kind && kind !== before.kind && [kind, before.kind].includes('SCHOOL'))
    throw fieldError(DeptDraft, 'kind', 'choice')
  // A form brings back the leader that was there, seen or not.
  if (columns.leaderUserId !== before.leaderUserId) await checkLeader(trx, who, columns.leaderUserId)
  const after = await trx
    .updateTable('dept')
    .set({ ...columns, ...(status !== undefined && { enabled: status }), ...updateStamp(who) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await checkRegistrationDept(trx, before, after)
  await recorded(trx, who, { action: 'update', id: edit.id, before, after })
  return true
}

export const updateDept = (db: Db, edit: DeptEdit, who: Caller): Promise<true> =>
  runEdit(db, 'all', (trx) => changeDept(trx, edit, who))

/** Puts a department elsewhere in the tree; only siblings in sight get another number of order, and nothing else. */
export const moveDept = (db: Db, { id, parentId, beforeId, version }: Move, who: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    await holdTree(trx)
    const dept = await lockDept(trx, who.actor, id)
    if (!dept) throw new BusinessError(codes.deptMissing)
    const all = await listSiblings(trx, 'dept', { id, parentId })
    const siblings = all.filter((one) => canSeeDept(who.actor, one.id))
    const places = new Map(reorderedSiblings(siblings, dept, beforeId).map((place) => [place.id, place.sort]))
    await changeDept(trx, { id, version, parentId, sort: places.get(id) ?? dept.sort }, who)
    await saveSiblingOrder(trx, 'dept', { siblings, places, who })
    return true
  })

/** One of several is named: by the database, which says what is still referred to, where it refuses. */
const naming = (depts: readonly Row<'dept'>[], error: unknown): unknown => {
  const { detail } = (error ?? {}) as { detail?: unknown }
  const dept = depts.find(({ id }) => String(detail).includes(`(id)=(${id})`))
  return dept && depts.length > 1 ? nameFailedItem(error, dept) : error
}

/** All or none, in one statement: a department may go together with those below it. */
export const deleteDepts = (db: Db, ids: readonly number[], who: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    await holdTree(trx)
    const gone: Row<'dept'>[] = []
    for (const id of ids.toSorted((a, b) => a - b)) {
      const before = await lockDept(trx, who.actor, id)
      if (!before) throw new BusinessError(codes.deptMissing, ids.length > 1 ? { which: `#${id}` } : undefined)
      await checkRegistrationDept(trx, before).catch((error: unknown) => {
        throw ids.length > 1 ? nameFailedItem(error, before) : error
      })
      gone.push(before)
    }
    await trx
      .deleteFrom('dept')
      .where('id', 'in', [...ids])
      .execute()
      .catch((error: unknown) => {
        throw naming(gone, error)
      })
    for (const before of gone) {
      await recorded(trx, who, { action: 'delete', id: before.id, before })
    }
    return true as const
  })
