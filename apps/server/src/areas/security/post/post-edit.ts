import { codes } from '@tocsin/contract/codes'
import { requiredHeadcount } from '@tocsin/contract/security/headcount'
import { ALL_WEEKDAYS, localDay } from '@tocsin/contract/security/hours'
import type { Equipment, SecurityPostDraft, SecurityPostEdit } from '@tocsin/contract/security/post'
import { type RawBuilder, sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { createRow, deleteRow, type EditableTable, editRow, lockRow, updateRow } from '#areas/audit/edit-row'
import { changedColumns, runEdit } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { loadHeadcountRules, loadRegions } from '../headcount.ts'
import { assertOwnerVisible, ownerEvent } from '../owner.ts'
import { getPost } from './post-reads.ts'

const deptInUse = { code: codes.referred, params: { what: '部门' } }
registerConstraintErrors({
  security_post_dept_id_fkey: deptInUse,
  shift_dept_id_fkey: deptInUse,
  shift_employee_id_fkey: { code: codes.referred, params: { what: '人员' } },
  shift_swap_asked_fkey: { code: codes.referred, params: { what: '人员' } },
  shift_swap_asked_by_fkey: { code: codes.referred, params: { what: '人员' } },
  shift_post_id_fkey: { code: codes.referred, params: { what: '岗位' } },
})

export const postTable: EditableTable<'securityPost'> = {
  table: 'securityPost',
  action: 'security:post',
  missing: { ...codes.notFound, zh: '岗位不存在', en: 'The post does not exist' },
  current: (trx, { id }, { actor }) => getPost(trx, actor, id),
  events: (post) => [ownerEvent('post.changed', post.id, post)],
}

/** The driver would write a list as an SQL array; the column is one JSON value. */
export const toStoredEquipment = (list: readonly Equipment[]): Equipment[] => {
  const value: RawBuilder<unknown> = sql`${JSON.stringify(list)}::jsonb`
  return value as unknown as Equipment[]
}

const assertPlace = async (
  trx: Db,
  actor: Actor,
  { schoolId, placeId }: Pick<SecurityPostDraft, 'schoolId' | 'placeId'>,
) => {
  if (placeId === null) return
  const place = await scoped(trx, actor)
    .selectFrom('place')
    .select('schoolId')
    .where('id', '=', placeId)
    .executeTakeFirst()
  if (!place || place.schoolId !== schoolId) throw new BusinessError(codes.postPlace)
}

const CODE_BYTES = 12

/** Creates a post in the caller's transaction. */
export const insertPost = async (trx: Db, draft: SecurityPostDraft, caller: Caller): Promise<number> => {
  await assertOwnerVisible(trx, caller.actor, draft)
  await assertPlace(trx, caller.actor, draft)
  const checkCode = randomBytes(CODE_BYTES).toString('base64url')
  const { id } = await createRow(trx, caller, postTable, {
    ...draft,
    equipment: toStoredEquipment(draft.equipment),
    checkCode,
  })
  return id
}

export const createPost = (db: Db, draft: SecurityPostDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, (trx) => insertPost(trx, draft, caller))

/** Checks an edit against the locked post. @returns the columns to change */
const checkChange = async (trx: Db, before: Row<'securityPost'>, edit: SecurityPostEdit, { actor }: Caller) => {
  const { equipment, ...changes } = changedColumns(edit)
  const owner = { schoolId: changes.schoolId ?? null, deptId: changes.deptId ?? null }
  const moves = changes.schoolId !== undefined || changes.deptId !== undefined
  const merged = { ...before, ...changes, ...(moves && owner) }
  // The shifts of a post belong to its owner, so the owner cannot change.
  if (merged.schoolId !== before.schoolId || merged.deptId !== before.deptId) {
    const used = await scoped(trx, actor)
      .selectFrom('shift')
      .select('id')
      .where('postId', '=', before.id)
      .executeTakeFirst()
    if (used) throw new BusinessError(codes.referred, { what: '岗位' })
  }
  await assertOwnerVisible(trx, actor, merged)
  await assertPlace(trx, actor, merged)
  return {
    ...changes,
    schoolId: merged.schoolId,
    deptId: merged.deptId,
    ...(equipment && { equipment: toStoredEquipment(equipment) }),
  }
}

/** Changes a post in the caller's transaction. */
export const updatePostIn = async (trx: Db, edit: SecurityPostEdit, caller: Caller): Promise<void> => {
  const before = await lockRow(trx, caller, postTable, edit)
  await updateRow(trx, caller, postTable, { before, changes: await checkChange(trx, before, edit, caller) })
}

export const updatePost = (db: Db, edit: SecurityPostEdit, caller: Caller): Promise<true> =>
  editRow(db, caller, postTable, { ...edit, change: (trx, before) => checkChange(trx, before, edit, caller) })

export const deletePost = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await deleteRow(trx, caller, postTable, await lockRow(trx, caller, postTable, { id }))
    return true
  })

/** Daytime guards at the gate; users change hours and names afterwards. */
const GENERATED = { type: 'GATE', weekdays: ALL_WEEKDAYS, fromMin: 420, toMin: 1140 } as const
const gateEquipment = ['头盔', '盾牌', '钢叉', '警棍'].map((name) => ({ name, required: 1, present: 1 }))

/**
 * Creates one gate post with the number of people that the posts of a school lack by its rule. @returns how many
 * people.
 */
export const generatePosts = (db: Db, schoolId: number, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const seen = scoped(trx, caller.actor)
    const school = await seen
      .selectFrom('school')
      .selectAll()
      .where('id', '=', schoolId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
    const [rules, regions] = [await loadHeadcountRules(trx), await loadRegions(trx, [schoolId])]
    const { required, rule } = requiredHeadcount(rules, school, {
      day: localDay(new Date()),
      regions: regions.get(schoolId) ?? [],
    })
    if (!rule) throw new BusinessError(codes.postNoRule)
    const own = await seen
      .selectFrom('securityPost')
      .select(({ fn }) => fn.sum<number>('headcount').as('people'))
      .where('schoolId', '=', schoolId)
      .where('enabled', '=', true)
      .executeTakeFirst()
    const lacking = required - Number(own?.people ?? 0)
    if (lacking <= 0) throw new BusinessError(codes.postsComplete, { required })
    const draft = { ...GENERATED, schoolId, deptId: null, placeId: null, remark: null, enabled: true }
    await insertPost(trx, { ...draft, name: '门卫', headcount: lacking, equipment: gateEquipment }, caller)
    return lacking
  })
