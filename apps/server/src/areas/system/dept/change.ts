import { codes } from '@tocsin/contract/codes'
import { DeptDraft, type DeptEdit } from '@tocsin/contract/system/dept'
import { sql } from 'kysely'
import { announce } from '#db/event'
import { conflicts } from '#db/conflict'
import type { Db } from '#db/db'
import { everything, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import type { Actor } from '#http/route'
import { audit } from '../audit.ts'
import { authored, badField, committed, given, recordable, touched, whichOf, type Who } from '../edit.ts'
import type { Move } from '@tocsin/contract/system/numbers'
import { orderOf, reorder, siblingsOf } from '../order.ts'
import { checkNewcomersDept } from '../register/open.ts'
import { seesDept } from '../role/rights.ts'
import { checkDeptVersion, maskOf } from './read.ts'

const inUse = { code: codes.referred, params: { what: '部门' } }
conflicts({
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
  seesDept(actor, id)
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
    if (actor.depts !== 'all') throw new Refusal(codes.deptParentMissing)
    return undefined
  }
  const parent = await lockDept(trx, actor, parentId)
  if (!parent) throw new Refusal(codes.deptParentMissing)
  return parent
}

const checkLeader = async (trx: Db, { actor }: Who, id: number | null | undefined) => {
  if (!id) return
  const user = await scoped(trx, actor).selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (!user) throw new Refusal(codes.userMissing)
}

const recorded = (trx: Db, who: Who, { action, id, ...change }: { action: string; id: number } & Change) =>
  audit(trx, {
    ...who,
    action: `system:dept:${action}`,
    subject: 'dept',
    subjectId: id,
    before: change.before ? recordable(change.before) : null,
    after: change.after ? recordable(change.after) : null,
  })
type Change = { before?: Row<'dept'>; after?: Row<'dept'> }

/** What kind a department is: said, or the parent's. Schools bring theirs, so that each has exactly one. */
const kindOf = (kind: Row<'dept'>['kind'] | undefined, parent: Row<'dept'> | undefined): Row<'dept'>['kind'] => {
  if (kind === 'SCHOOL' && parent?.kind !== 'SCHOOL') throw badField(DeptDraft, 'kind', 'choice')
  const found = kind ?? parent?.kind
  if (!found) throw badField(DeptDraft, 'kind', 'required')
  return found
}

export const createDept = (db: Db, draft: DeptDraft, who: Who): Promise<number> =>
  committed(db, 'all', async (trx) => {
    await holdTree(trx)
    const parent = await parentOf(trx, who.actor, draft.parentId)
    await checkLeader(trx, who, draft.leaderUserId)
    const { status = true, ...columns } = draft
    const after = await trx
      .insertInto('dept')
      .values({ ...columns, kind: kindOf(draft.kind, parent), enabled: status, ...authored(who) })
      .returningAll()
      .executeTakeFirstOrThrow()
    // Whoever sees what is above sees it too.
    await announce(trx, { type: 'permission.changed', ref: after.id })
    await recorded(trx, who, { action: 'create', id: after.id, after })
    return after.id
  })

/** A school stays under an education department, and what is of a school within one (DESIGN 5). */
const checkSchoolMove = async (trx: Db, dept: Row<'dept'>, parent: Row<'dept'> | undefined) => {
  if (dept.kind !== 'SCHOOL') return
  const school = await everything(trx, 'whether a department in sight is a school itself')
    .selectFrom('school')
    .select('id')
    .where('deptId', '=', dept.id)
    .executeTakeFirst()
  if (parent?.kind !== (school ? 'EDU_BUREAU' : 'SCHOOL')) throw badField(DeptDraft, 'parentId', 'choice')
}

/** Moving gives everything below to other people's sight: the actor must see all of it, and where it goes. */
const checkMove = async (trx: Db, { actor }: Who, dept: Row<'dept'>, parentId: number | null) => {
  const { id } = dept
  if (parentId === id) throw new Refusal(codes.deptParentSelf)
  const below = await idsBelow(trx, id)
  if (parentId !== null && below.includes(parentId)) throw new Refusal(codes.deptParentBelow)
  const parent = await parentOf(trx, actor, parentId)
  await checkSchoolMove(trx, dept, parent)
  if (below.some((one) => !seesDept(actor, one))) throw new Refusal(codes.beyondScope)
}

/** What the edit changes, with masks that came back taken out; a mask of something else is no address. */
const unmasked = (edit: DeptEdit, before: Row<'dept'>) => {
  const { phone, email, ...columns } = given(edit)
  const mask = maskOf(before)
  if (phone?.includes('*') && phone !== mask.phone) throw badField(DeptDraft, 'phone', 'format')
  if (email?.includes('*') && email !== mask.email) throw badField(DeptDraft, 'email', 'format')
  return {
    ...columns,
    ...(phone !== undefined && !phone?.includes('*') && { phone }),
    ...(email !== undefined && !email?.includes('*') && { email }),
  }
}

const changeDept = async (trx: Db, edit: DeptEdit, who: Who): Promise<true> => {
  await holdTree(trx)
  const before = await lockDept(trx, who.actor, edit.id)
  if (!before) throw new Refusal(codes.deptMissing)
  await checkDeptVersion(trx, edit.version, before, who.actor)
  const { status, ...columns } = unmasked(edit, before)
  const { parentId, kind } = columns
  if (parentId !== undefined && parentId !== before.parentId) await checkMove(trx, who, before, parentId)
  if (kind && kind !== before.kind && [kind, before.kind].includes('SCHOOL'))
    throw badField(DeptDraft, 'kind', 'choice')
  // A form brings back the leader that was there, seen or not.
  if (columns.leaderUserId !== before.leaderUserId) await checkLeader(trx, who, columns.leaderUserId)
  const after = await trx
    .updateTable('dept')
    .set({ ...columns, ...(status !== undefined && { enabled: status }), ...touched(who) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await checkNewcomersDept(trx, before, after)
  await announce(trx, { type: 'permission.changed', ref: edit.id })
  await recorded(trx, who, { action: 'update', id: edit.id, before, after })
  return true
}

export const updateDept = (db: Db, edit: DeptEdit, who: Who): Promise<true> =>
  committed(db, 'all', (trx) => changeDept(trx, edit, who))

/** Puts a department elsewhere in the tree; only siblings in sight get another number of order, and nothing else. */
export const moveDept = (db: Db, { id, parentId, beforeId, version }: Move, who: Who): Promise<true> =>
  committed(db, 'all', async (trx) => {
    await holdTree(trx)
    const dept = await lockDept(trx, who.actor, id)
    if (!dept) throw new Refusal(codes.deptMissing)
    const all = await siblingsOf(trx, 'dept', { id, parentId })
    const siblings = all.filter((one) => seesDept(who.actor, one.id))
    const places = new Map(orderOf(siblings, dept, beforeId).map((place) => [place.id, place.sort]))
    await changeDept(trx, { id, version, parentId, sort: places.get(id) ?? dept.sort }, who)
    await reorder(trx, 'dept', { siblings, places, who })
    return true
  })

/** One of several is named: by the database, which says what is still referred to, where it refuses. */
const naming = (depts: readonly Row<'dept'>[], error: unknown): unknown => {
  const { detail } = (error ?? {}) as { detail?: unknown }
  const dept = depts.find(({ id }) => String(detail).includes(`(id)=(${id})`))
  return dept && depts.length > 1 ? whichOf(error, dept) : error
}

/** All or none, in one statement: a department may go together with those below it. */
export const deleteDepts = (db: Db, ids: readonly number[], who: Who): Promise<true> =>
  committed(db, 'all', async (trx) => {
    await holdTree(trx)
    const gone: Row<'dept'>[] = []
    for (const id of ids.toSorted((a, b) => a - b)) {
      const before = await lockDept(trx, who.actor, id)
      if (!before) throw new Refusal(codes.deptMissing, ids.length > 1 ? { which: `#${id}` } : undefined)
      await checkNewcomersDept(trx, before).catch((error: unknown) => {
        throw ids.length > 1 ? whichOf(error, before) : error
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
      await announce(trx, { type: 'permission.changed', ref: before.id })
      await recorded(trx, who, { action: 'delete', id: before.id, before })
    }
    return true as const
  })
