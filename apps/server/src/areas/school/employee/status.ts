import { codes } from '@tocsin/contract/codes'
import type { Nomination } from '@tocsin/contract/school/employee'
import { employeeLabel } from '@tocsin/contract/school/employee-labels'
import { type EmployeeVerb, employeeRule, whyNotEmployeeVerb } from '@tocsin/contract/school/employee-lifecycle'
import { sql } from 'kysely'
import { assertCoversUser } from '#areas/access/roles/grant-guards'
import type { RoleCode } from '#areas/access/seed/roles'
import { afterStatusChange, assertMayChangeStatus } from '#areas/access/people/account'
import { lockUser } from '#areas/access/people/lock'
import { writeAudit } from '#areas/audit/audit'
import { runEdit, updateStamp } from '#areas/audit/edit-transaction'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { lockEmployee, recordChange } from './edit.ts'
import { listNominations } from './nominations.ts'
import { checkEmployeeVersion } from './read.ts'

type Employee = Row<'employee'>

/** Disables or enables the linked account, with its side effects. */
const setAccountEnabled = async (trx: Db, userId: number, enabled: boolean, caller: Caller): Promise<void> => {
  const user = await lockUser(trx, caller.actor, userId, 'forUpdate')
  if (user.enabled === enabled) return
  assertMayChangeStatus(user, enabled, caller)
  await assertCoversUser(trx, caller.actor, user)
  await scoped(trx, caller.actor)
    .updateTable('users')
    .set({ enabled, ...updateStamp(caller) })
    .where('id', '=', userId)
    .execute()
  await afterStatusChange(trx, userId, enabled)
  await writeAudit(trx, {
    ...caller,
    action: 'system:user:update-status',
    subject: 'users',
    subjectId: userId,
    before: { enabled: user.enabled },
    after: { enabled },
  })
}

/** The enabled accounts of a department with one of the roles. */
const listHolders = async (trx: Db, deptId: number, ...roleCodes: RoleCode[]): Promise<number[]> => {
  const found = await unscoped(trx, 'the administrators of a department are told, whoever acts')
    .selectFrom('users')
    .innerJoin('userRole', 'userRole.userId', 'users.id')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('users.id')
    .distinct()
    .where('users.deptId', '=', deptId)
    .where('users.enabled', '=', true)
    .where('role.code', 'in', roleCodes)
    .orderBy('users.id')
    .limit(50)
    .execute()
  return found.map(({ id }) => id)
}

type NamingSchool = { id: number; deptId: number; districtId: number | null }

/** The schools of these nominations, each with the education department above it. */
const listNamingSchools = async (trx: Db, named: readonly Nomination[]): Promise<NamingSchool[]> => {
  const ids = named.flatMap(({ schoolId }) => schoolId ?? [])
  if (ids.length === 0) return []
  return unscoped(trx, 'whoever is named by a school is named, whoever acts')
    .selectFrom('school')
    .innerJoin('dept', 'dept.id', 'school.deptId')
    .select(['school.id', 'school.deptId', 'dept.parentId as districtId'])
    .where('school.id', 'in', [...new Set(ids)])
    .orderBy('school.id')
    .execute()
}

const nominationText = (list: readonly Nomination[], lang: 'zh-cn' | 'en'): string =>
  list.map(({ what, where }) => `${where} ${employeeLabel('nomination', what, lang)}`).join(lang === 'en' ? '; ' : '；')

type Audience = { deptId: number; userIds: readonly number[]; named: readonly Nomination[] }

const publishNominations = async (trx: Db, person: Employee, { deptId, userIds, named }: Audience): Promise<void> => {
  if (userIds.length === 0 || named.length === 0) return
  const name = escapeHtml(person.name)
  const content =
    `<p>${name} 已离职，仍被指定为：${escapeHtml(nominationText(named, 'zh-cn'))}。请指定接替的人。</p>` +
    `<p>${name} has left and is still named as: ${escapeHtml(nominationText(named, 'en'))}. Name a successor.</p>`
  const text = { title: `${person.name} 离职，请指定接替的人`, content, publisherName: null }
  await publishSystemNotice(trx, { deptId }, { ...text, userIds })
}

/**
 * Notifies of the responsibilities that a leaving person still has: the administrators of the own department, a school or
 * a station, of all, every other school and each district of those of their schools.
 */
const notifyNominations = async (trx: Db, person: Employee, named: readonly Nomination[]): Promise<void> => {
  const schools = await listNamingSchools(trx, named)
  const of = (some: readonly NamingSchool[]) => named.filter(({ schoolId }) => some.some(({ id }) => id === schoolId))
  const holders = await listHolders(trx, person.deptId, 'school_admin', 'station_desk')
  await publishNominations(trx, person, { deptId: person.deptId, userIds: holders, named })
  for (const school of schools.filter(({ deptId }) => deptId !== person.deptId)) {
    const userIds = await listHolders(trx, school.deptId, 'school_admin')
    await publishNominations(trx, person, { deptId: school.deptId, userIds, named: of([school]) })
  }
  for (const [deptId, below] of Map.groupBy(schools, ({ districtId }) => districtId))
    if (deptId !== null)
      await publishNominations(trx, person, {
        deptId,
        userIds: await listHolders(trx, deptId, 'edu_bureau'),
        named: of(below),
      })
}

/** The side effects of leaving: the account is disabled, and those who named the person are told to name a successor. */
const endService = async (trx: Db, person: Employee, caller: Caller): Promise<void> => {
  const named = await listNominations(trx, person)
  const last = named.find(({ what }) => what === 'LAST_RECIPIENT')
  if (last) throw new BusinessError(codes.employeeLastRecipient, { name: person.name, school: last.where })
  if (person.userId !== null) await setAccountEnabled(trx, person.userId, false, caller)
  await notifyNominations(
    trx,
    person,
    named.filter(({ what }) => what !== 'RECIPIENT'),
  )
}

type Act = { id: number; version: number; reason?: string | undefined }

/** Applies one verb of the machine to a person. It never enables an account again: that is done at the account. */
export const changeEmployeeStatus = (db: Db, verb: EmployeeVerb, act: Act, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx): Promise<true> => {
    const before = await lockEmployee(trx, caller.actor, act.id)
    await checkEmployeeVersion(trx, act.version, before, caller.actor)
    const why = whyNotEmployeeVerb(verb, before.status)
    if (why) throw new BusinessError(why, { state: before.status })
    const { to, permission } = employeeRule(verb)
    if (to === 'LEFT') await endService(trx, before, caller)
    const after = await unscoped(trx, 'locked in the visibility of the caller')
      .updateTable('employee')
      .set({ status: to, leftAt: to === 'LEFT' ? sql<Date>`now()` : null, ...updateStamp(caller) })
      .where('id', '=', act.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, {
      action: permission,
      before,
      after,
      more: act.reason === undefined ? undefined : { reason: act.reason },
    })
    return true
  })
