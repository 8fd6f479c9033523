import { maskMobile } from '@tocsin/contract/access/user-contact'
import { codes } from '@tocsin/contract/codes'
import { EmployeeDraft, type EmployeeEdit, type NewEmployee } from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { sql } from 'kysely'
import { checkDept } from '#areas/access/roles/dept-choice'
import { writeAudits } from '#areas/audit/audit'
import {
  changedColumns,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { updateLinkedAccount, withAccountQuota } from './linked-account.ts'
import { checkEmployeeVersion } from './read.ts'

registerConstraintErrors({
  employee_no_key: { code: codes.duplicate, params: { field: '工号' } },
  employee_user_key: { code: codes.employeeAccountTaken },
  employee_dept_fkey: { code: codes.referred, params: { what: '部门' } },
  employee_school_id_fkey: { code: codes.referred, params: { what: '学校' } },
})

type Employee = Row<'employee'>

export const lockEmployee = async (trx: Db, actor: Actor, id: number): Promise<Employee> => {
  const found = await scoped(trx, actor)
    .selectFrom('employee')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw new BusinessError(codes.notFound, { what: '人员' })
  return found
}

type Change = { action: string; before?: Employee; after?: Employee; more?: Record<string, unknown> | undefined }

const employeeAudit = (caller: Caller, { action, before, after, more = {} }: Change) => ({
  ...caller,
  action,
  subject: 'employee',
  subjectId: (before ?? after)?.id ?? 0,
  before: before ? toAuditState(before) : null,
  after: after ? { ...toAuditState(after), ...more } : null,
})

/** An event reaches users who see the person before or after the change. */
const changeEvents = ({ before, after }: Change) => {
  const rows = [before, after].filter((row) => row !== undefined)
  const [{ id: ref } = { id: 0 }] = rows
  const audiences = new Map(rows.map(({ schoolId, deptId }) => [`${schoolId} ${deptId}`, { schoolId, deptId }]))
  return [...audiences.values()].map((to) => ({ type: 'employee.changed' as const, ref, ...to }))
}

/** Audit and events of changes. */
const recordChanges = async (trx: Db, caller: Caller, changes: readonly Change[]): Promise<void> => {
  await writeAudits(
    trx,
    changes.map((change) => employeeAudit(caller, change)),
  )
  await emitEvents(trx, ...changes.flatMap(changeEvents))
}

/** Audit and events of one change. */
export const recordChange = (trx: Db, caller: Caller, change: Change): Promise<void> =>
  recordChanges(trx, caller, [change])

type Place = { schoolId: number | null; deptId: number }

/** A person of a school belongs to the department of the school; others to a department that the caller sees. */
const resolvePlace = async (trx: Db, actor: Actor, { schoolId, deptId }: Place): Promise<Place> => {
  if (schoolId === null) {
    await checkDept(trx, actor, deptId)
    return { schoolId, deptId }
  }
  const school = await scoped(trx, actor)
    .selectFrom('school')
    .select('deptId')
    .where('id', '=', schoolId)
    .executeTakeFirst()
  if (!school) throw fieldError(EmployeeDraft, 'schoolId', 'choice')
  return { schoolId, deptId: school.deptId }
}

const saveFurtherSchools = async (trx: Db, actor: Actor, employeeId: number, given: readonly number[] | undefined) => {
  if (given === undefined) return
  const ids = [...new Set(given)]
  const seen = await scoped(trx, actor)
    .selectFrom('school')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .execute()
  if (seen.length < ids.length) throw fieldError(EmployeeDraft, 'schoolIds', 'choice')
  await trx.deleteFrom('employeeSchool').where('employeeId', '=', employeeId).execute()
  if (ids.length > 0)
    await trx
      .insertInto('employeeSchool')
      .values(ids.map((schoolId) => ({ employeeId, schoolId })))
      .execute()
}

/** Each channel once; quiet hours have a start and an end. */
const checkChannels = (channels: EmployeeDraft['channels'] | undefined) => {
  if (!channels) return
  const isTwice = new Set(channels.map(({ channel }) => channel)).size < channels.length
  const isHalf = channels.some(({ quietFrom, quietTo }) => (quietFrom === null) !== (quietTo === null))
  if (isTwice || isHalf) throw fieldError(EmployeeDraft, 'channels', 'format')
}

/** The driver writes a list as an SQL array; the channels are one JSON value. */
const toColumns = <D extends { channels?: EmployeeDraft['channels'] | undefined }>({ channels, ...columns }: D) => ({
  ...columns,
  ...(channels !== undefined && { channels: sql<typeof channels>`${JSON.stringify(channels)}::jsonb` }),
})

/** Creates people in the caller's transaction, in the order of the drafts. Each organization is checked once. */
export const insertEmployees = async (trx: Db, drafts: readonly NewEmployee[], caller: Caller): Promise<number[]> => {
  const places = new Map<string, Place>()
  const rows: (NewEmployee & Place)[] = []
  for (const { schoolId = null, deptId = caller.actor.deptId, ...draft } of drafts) {
    checkChannels(draft.channels)
    const key = `${schoolId} ${deptId}`
    const place = places.get(key) ?? (await resolvePlace(trx, caller.actor, { schoolId, deptId }))
    places.set(key, place)
    rows.push({ ...draft, ...place })
  }
  const inserted = await unscoped(trx, 'an insert reads nothing; the school or department is visible')
    .insertInto('employee')
    .values(
      rows.map(({ schoolIds: _others, ...columns }) => ({
        ...toColumns(changedColumns(columns)),
        employeeNo: columns.employeeNo,
        name: columns.name,
        kind: columns.kind,
        schoolId: columns.schoolId,
        deptId: columns.deptId,
        ...createStamp(caller),
      })),
    )
    .returningAll()
    .execute()
  // The number is unique within an organization.
  const byNumber = new Map(inserted.map((person) => [`${person.deptId} ${person.employeeNo}`, person]))
  const changes: Change[] = []
  for (const { deptId, employeeNo, schoolIds } of rows) {
    const after = byNumber.get(`${deptId} ${employeeNo}`)
    if (!after) throw new Error(`employee ${employeeNo} was inserted under another number`)
    await saveFurtherSchools(trx, caller.actor, after.id, schoolIds)
    changes.push({ action: employees.create.permission, after, more: schoolIds && { schoolIds } })
  }
  await recordChanges(trx, caller, changes)
  return changes.flatMap(({ after }) => after?.id ?? [])
}

/** As `insertEmployees`, for one person. */
export const insertEmployee = async (trx: Db, draft: NewEmployee, caller: Caller): Promise<number> => {
  const [id] = await insertEmployees(trx, [draft], caller)
  if (id === undefined) throw new Error(`employee ${draft.employeeNo} was not inserted`)
  return id
}

/** The new number: a mask sent back is no change; another number is unverified. */
const mobileColumns = (mobile: string | null | undefined, before: Employee) => {
  if (mobile === undefined || mobile === before.mobile) return {}
  if (mobile?.includes('*')) {
    if (before.mobile === null || mobile !== maskMobile(before.mobile))
      throw fieldError(EmployeeDraft, 'mobile', 'format')
    return {}
  }
  return { mobile, mobileVerifiedAt: null }
}

/**
 * Changes a person, and the number and department of the linked account, in the caller's transaction; without a version
 * any is accepted. `isCounted`: see `updateLinkedAccount`.
 */
export const updateEmployeeIn = async (
  trx: Db,
  edit: Omit<EmployeeEdit, 'version'> & { version?: number },
  caller: Caller,
  isCounted = false,
): Promise<void> => {
  const before = await lockEmployee(trx, caller.actor, edit.id)
  await checkEmployeeVersion(trx, edit.version, before, caller.actor)
  const { mobile, schoolId = before.schoolId, deptId = before.deptId, schoolIds, ...columns } = changedColumns(edit)
  checkChannels(columns.channels)
  const isMoved = schoolId !== before.schoolId || deptId !== before.deptId
  const place = isMoved ? await resolvePlace(trx, caller.actor, { schoolId, deptId }) : {}
  const after = await unscoped(trx, 'locked in the visibility of the caller')
    .updateTable('employee')
    .set({ ...toColumns(columns), ...mobileColumns(mobile, before), ...place, ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await saveFurtherSchools(trx, caller.actor, edit.id, schoolIds)
  await updateLinkedAccount(trx, { before, after }, caller, isCounted)
  await recordChange(trx, caller, {
    action: employees.update.permission,
    before,
    after,
    more: schoolIds && { schoolIds },
  })
}

export const createEmployee = (db: Db, draft: NewEmployee, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, (trx) => insertEmployee(trx, draft, caller))

export const updateEmployee = (db: Db, edit: EmployeeEdit, caller: Caller): Promise<true> =>
  withAccountQuota(db, edit, caller, () =>
    // A moved account sees other schools at once.
    runEdit(db, 'all', async (trx): Promise<true> => {
      await updateEmployeeIn(trx, edit, caller, true)
      return true
    }),
  )

/** A person with an account is marked as left instead, so that audited actions keep the name. */
export const deleteEmployee = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockEmployee(trx, caller.actor, id)
    if (before.userId !== null) throw new BusinessError(codes.employeeDeleteLinked)
    await unscoped(trx, 'locked in the visibility of the caller').deleteFrom('employee').where('id', '=', id).execute()
    await recordChange(trx, caller, { action: employees.delete.permission, before })
    return true
  })
