import { codes } from '@tocsin/contract/codes'
import { SupervisionOrderDraft } from '@tocsin/contract/supervise/order'
import { sql } from 'kysely'
import { canSeeDept } from '#areas/access/roles/grant-guards'
import { fieldError } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

type Given = {
  schoolId?: number | null | undefined
  responsibleDeptId?: number | null | undefined
  responsibleUserId?: number | null | undefined
}
export type Responsible = { schoolId: number | null; responsibleDeptId: number; responsibleUserId: number | null }

/** The assigned school or department, which the caller must see. */
const resolveDept = async (trx: Db, actor: Actor, { schoolId, responsibleDeptId }: Given) => {
  if (schoolId) {
    const school = await scoped(trx, actor)
      .selectFrom('school')
      .select(['id', 'deptId'])
      .where('id', '=', schoolId)
      .executeTakeFirst()
    if (!school) throw fieldError(SupervisionOrderDraft, 'schoolId', 'choice')
    return { schoolId: school.id, deptId: school.deptId }
  }
  if (!responsibleDeptId) throw fieldError(SupervisionOrderDraft, 'responsibleDeptId', 'required')
  const dept = await trx.selectFrom('dept').select('id').where('id', '=', responsibleDeptId).executeTakeFirst()
  if (!dept || !canSeeDept(actor, dept.id)) throw fieldError(SupervisionOrderDraft, 'responsibleDeptId', 'choice')
  const school = await unscoped(trx, 'the department of a school is visible')
    .selectFrom('school')
    .select('id')
    .where('deptId', '=', dept.id)
    .executeTakeFirst()
  return { schoolId: school?.id ?? null, deptId: dept.id }
}

/** A user of the assigned department or below it, never the issuer. */
const checkPerson = async (trx: Db, actor: Actor, deptId: number, userId: number): Promise<void> => {
  if (userId === actor.userId) throw new BusinessError(codes.orderIssuerResponsible)
  const { rows } = await sql`
    with recursive below as (
      select id from dept where id = ${deptId} union select d.id from dept d join below on d.parent_id = below.id
    ) select from users where id = ${userId} and enabled and dept_id in (select id from below)`.execute(trx)
  if (rows.length === 0) throw fieldError(SupervisionOrderDraft, 'responsibleUserId', 'choice')
}

export const resolveResponsible = async (trx: Db, actor: Actor, given: Given): Promise<Responsible> => {
  const { schoolId, deptId } = await resolveDept(trx, actor, given)
  if (given.responsibleUserId) await checkPerson(trx, actor, deptId, given.responsibleUserId)
  return { schoolId, responsibleDeptId: deptId, responsibleUserId: given.responsibleUserId ?? null }
}

export const checkAssist = async (trx: Db, actor: Actor, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  const known = await trx
    .selectFrom('dept')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  const seen = known.filter(({ id }) => canSeeDept(actor, id)).length
  if (seen < new Set(ids).size) throw fieldError(SupervisionOrderDraft, 'assistDeptIds', 'choice')
}

type Subject = { subjectType: SupervisionOrderDraft['subjectType']; subjectId: number | null }

const subjectName = (trx: Db, actor: Actor, { subjectType, subjectId }: Subject) => {
  const seen = scoped(trx, actor)
  const id = subjectId ?? 0
  if (subjectType === 'WARN_RECORD')
    return seen.selectFrom('warnRecord').select('no as label').where('id', '=', id).executeTakeFirst()
  if (subjectType === 'SCHOOL')
    return seen.selectFrom('school').select('name as label').where('id', '=', id).executeTakeFirst()
  return seen
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .select('device.sn as label')
    .where('schoolDevice.id', '=', id)
    .executeTakeFirst()
}

/** The name of the subject as the caller sees it; null without a subject. */
export const resolveSubjectLabel = async (trx: Db, actor: Actor, subject: Subject): Promise<string | null> => {
  if (subject.subjectType === 'NONE') {
    if (subject.subjectId !== null) throw fieldError(SupervisionOrderDraft, 'subjectId', 'choice')
    return null
  }
  const found = await subjectName(trx, actor, subject)
  if (!found) throw fieldError(SupervisionOrderDraft, 'subjectId', 'choice')
  return found.label
}
