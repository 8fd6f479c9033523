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
import { canSeeDept } from '../grant-guards.ts'
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
  outage_dept_id_fkey: inUse,
  outage_device_dept_id_fkey: inUse,
  assignment_dept_id_fkey: inUse,
  notice_dept_fkey: inUse,
  police_situation_station_fkey: inUse,
  police_unit_dept_fkey: inUse,
  notify_policy_dept_fkey: inUse,
  demo_item_dept_fkey: inUse,
})

// "dept" in ASCII: one change of the tree at a time, because two concurrent moves could create a cycle.
const TREE = 0x64657074
export const lockTree = (trx: Db) => sql`select pg_advisory_xact_lock(${TREE})`.execute(trx)

export const lockDept = async (trx: Db, actor: Actor, id: number): Promise<Row<'dept'> | undefined> =>
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

/** A parent that the actor can see. Only a user who sees everything may use the top level. */
export const getVisibleParent = async (
  trx: Db,
  actor: Actor,
  parentId: number | null,
): Promise<Row<'dept'> | undefined> => {
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

export const deptChange = ({ action, id, ...change }: { action: string; id: number } & Change) => ({
  ...change,
  action: `system:dept:${action}`,
  subject: 'dept',
  id,
  events: [{ type: 'permission.changed' as const, ref: id }],
})

export const recordDeptChange = (trx: Db, caller: Caller, change: { action: string; id: number } & Change) =>
  recordChange(trx, caller, deptChange(change))
type Change = { before?: Row<'dept'>; after?: Row<'dept'> }

type Kind = Row<'dept'>['kind']

/** Words in the name of a department at the top. The first match counts. */
const kindWords: readonly (readonly [RegExp, Kind])[] = [
  [/派出所|police station/i, 'POLICE_STATION'],
  [/指挥中心|command/i, 'COMMAND_CENTER'],
  [/公安|警|police/i, 'POLICE_BUREAU'],
  [/运营|运维|operat/i, 'OPERATOR_CO'],
  [/公司|厂|设备商|vendor/i, 'VENDOR'],
]

/** Forms of other clients have no kind (wire 1.7). A name without such a word is that of an education bureau. */
const guessRootKind = (name: string): Kind => kindWords.find(([word]) => word.test(name))?.[1] ?? 'EDU_BUREAU'

/**
 * The kind of a department: as given, the parent's, or at the top as its name says. Each school creates its own
 * department, so that each has exactly one.
 */
const kindOf = ({ kind, name }: DeptDraft, parent: Row<'dept'> | undefined): Kind => {
  if (kind === 'SCHOOL' && parent?.kind !== 'SCHOOL') throw fieldError(DeptDraft, 'kind', 'choice')
  return kind ?? parent?.kind ?? guessRootKind(name)
}

export const createDept = (db: Db, draft: DeptDraft, caller: Caller): Promise<number> =>
  runEdit(db, 'all', async (trx) => {
    await lockTree(trx)
    const parent = await getVisibleParent(trx, caller.actor, draft.parentId)
    await checkLeader(trx, caller, draft.leaderUserId)
    const { status = true, ...columns } = draft
    const after = await trx
      .insertInto('dept')
      .values({ ...columns, kind: kindOf(draft, parent), enabled: status, ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    // Users who see the parent see the department too.
    await recordDeptChange(trx, caller, { action: 'create', id: after.id, after })
    return after.id
  })

/** A school stays under an education department, and the departments of a school stay within it (DESIGN 5). */
const checkSchoolMove = async (trx: Db, dept: Row<'dept'>, parent: Row<'dept'> | undefined) => {
  if (dept.kind !== 'SCHOOL') return
  const school = await unscoped(trx, 'whether a department in sight is a school itself')
    .selectFrom('school')
    .select('id')
    .where('deptId', '=', dept.id)
    .executeTakeFirst()
  if (parent?.kind !== (school ? 'EDU_BUREAU' : 'SCHOOL')) throw fieldError(DeptDraft, 'parentId', 'choice')
}

/** Moving makes everything below visible to other people: the actor must see all of it, and the target. */
const checkMove = async (trx: Db, { actor }: Caller, dept: Row<'dept'>, parentId: number | null) => {
  const { id } = dept
  if (parentId === id) throw new BusinessError(codes.deptParentSelf)
  const below = await idsBelow(trx, id)
  if (parentId !== null && below.includes(parentId)) throw new BusinessError(codes.deptParentBelow)
  const parent = await getVisibleParent(trx, actor, parentId)
  await checkSchoolMove(trx, dept, parent)
  if (below.some((item) => !canSeeDept(actor, item))) throw new BusinessError(codes.beyondScope)
}

/**
 * The fields that the edit changes, without masks that came back unchanged; any other masked value is not a valid
 * address.
 */
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

const changeDept = async (trx: Db, edit: DeptEdit, caller: Caller): Promise<true> => {
  await lockTree(trx)
  const before = await lockDept(trx, caller.actor, edit.id)
  if (!before) throw new BusinessError(codes.deptMissing)
  await checkDeptVersion(trx, edit.version, before, caller.actor)
  const { status, ...columns } = unmasked(edit, before)
  const { parentId, kind } = columns
  if (parentId !== undefined && parentId !== before.parentId) await checkMove(trx, caller, before, parentId)
  if (kind && kind !== before.kind && [kind, before.kind].includes('SCHOOL'))
    throw fieldError(DeptDraft, 'kind', 'choice')
  // A form sends the previous leader back, visible to the actor or not.
  if (columns.leaderUserId !== before.leaderUserId) await checkLeader(trx, caller, columns.leaderUserId)
  const after = await trx
    .updateTable('dept')
    .set({ ...columns, ...(status !== undefined && { enabled: status }), ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await checkRegistrationDept(trx, before, after)
  await recordDeptChange(trx, caller, { action: 'update', id: edit.id, before, after })
  return true
}

export const updateDept = (db: Db, edit: DeptEdit, caller: Caller): Promise<true> =>
  runEdit(db, 'all', (trx) => changeDept(trx, edit, caller))

/** Moves a department in the tree. Only the order of visible siblings changes. */
export const moveDept = (db: Db, { id, parentId, beforeId, version }: Move, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    await lockTree(trx)
    const dept = await lockDept(trx, caller.actor, id)
    if (!dept) throw new BusinessError(codes.deptMissing)
    const all = await listSiblings(trx, 'dept', { id, parentId })
    const siblings = all.filter((item) => canSeeDept(caller.actor, item.id))
    const places = new Map(reorderedSiblings(siblings, dept, beforeId).map((place) => [place.id, place.sort]))
    await changeDept(trx, { id, version, parentId, sort: places.get(id) ?? dept.sort }, caller)
    await saveSiblingOrder(trx, 'dept', { siblings, places, who: caller })
    return true
  })

/** Names the rejected one of several: the database reports what still refers to it. */
const naming = (depts: readonly Row<'dept'>[], error: unknown): unknown => {
  const { detail } = (error ?? {}) as { detail?: unknown }
  const dept = depts.find(({ id }) => String(detail).includes(`(id)=(${id})`))
  return dept && depts.length > 1 ? nameFailedItem(error, dept) : error
}

/** All or none, in one statement: a department may be deleted together with those below it. */
export const deleteDepts = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    await lockTree(trx)
    const gone: Row<'dept'>[] = []
    for (const id of ids.toSorted((a, b) => a - b)) {
      const before = await lockDept(trx, caller.actor, id)
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
      await recordDeptChange(trx, caller, { action: 'delete', id: before.id, before })
    }
    return true as const
  })
