import { permissions } from '@tocsin/contract/access/rights/permission'
import { codes } from '@tocsin/contract/codes'
import { Employee, type EmployeeKind } from '@tocsin/contract/school/employee'
import {
  type EmployeeAccountDraft,
  type EmployeeAccountQuery,
  employees,
  type LinkableAccount,
} from '@tocsin/contract/school/employee-calls'
import { sql } from 'kysely'
import type { RoleCode } from '#areas/access/seed/roles'
import { hashNewPassword, insertUser } from '#areas/access/people/change'
import { setRoles } from '#areas/access/people/roles'
import { fieldError, runEdit, updateStamp } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, hasPermission } from '#http/route'
import { lockEmployee, recordChange } from './edit.ts'
import { checkEmployeeVersion } from './read.ts'

/** The first role of a kind of employee; other accounts have no permissions until roles are assigned. */
const rolesByKind: Partial<Record<EmployeeKind, RoleCode>> = {
  SAFETY_OFFICER: 'safety_officer',
  GUARD: 'guard',
  POLICE: 'officer',
  AUX_POLICE: 'officer',
  OPERATOR: 'command_operator',
  MAINTAINER: 'maintainer',
  SUPERVISOR: 'supervisor',
}

const setRoleOfKind = async (trx: Db, userId: number, kind: EmployeeKind, caller: Caller): Promise<void> => {
  const code = rolesByKind[kind]
  if (!code || !hasPermission(caller.actor)(permissions.assignUserRole.permission)) return
  const role = await trx
    .selectFrom('role')
    .select('id')
    .where('code', '=', code)
    .where('enabled', '=', true)
    .executeTakeFirst()
  await setRoles(trx, userId, { roleIds: role && [role.id], who: caller })
}

const link = async (trx: Db, before: Row<'employee'>, userId: number | null, caller: Caller): Promise<void> => {
  const after = await unscoped(trx, 'locked in the visibility of the caller')
    .updateTable('employee')
    .set({ userId, ...updateStamp(caller) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(trx, caller, { action: employees.linkAccount.permission, before, after })
}

const lockPresent = async (trx: Db, { id, version }: { id: number; version: number }, caller: Caller) => {
  const person = await lockEmployee(trx, caller.actor, id)
  await checkEmployeeVersion(trx, version, person, caller.actor)
  if (person.status === 'LEFT') throw new BusinessError(codes.employeeState, { state: person.status })
  return person
}

/** Creates an account with the data of the employee: of a school if the employee has one, otherwise of the staff. */
export const createAccount = async (db: Db, draft: EmployeeAccountDraft, caller: Caller): Promise<number> => {
  const { username, password } = draft
  const passwordHash = await hashNewPassword({ username, password })
  return runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const person = await lockPresent(trx, draft, caller)
    if (person.userId !== null) throw new BusinessError(codes.employeeHasAccount)
    const { schoolId, deptId, name, mobile, gender } = person
    const user = { username, nickname: name, mobile, sex: gender }
    const type = schoolId === null ? 'STAFF' : 'SCHOOL'
    const userId = await insertUser(trx, { type, deptId, draft: user, passwordHash }, caller)
    if (schoolId !== null)
      await unscoped(trx, 'an insert reads nothing; the person was seen')
        .insertInto('merchantProfile')
        .values({ userId, schoolId, jobTitle: person.post })
        .execute()
    await setRoleOfKind(trx, userId, person.kind, caller)
    await link(trx, person, userId, caller)
    return userId
  })
}

/** Options of a select; others are found by typing. */
const MAX_ACCOUNTS = 50

/** Visible accounts that may be linked to a person. */
export const listLinkableAccounts = async (
  db: Db,
  { id, keyword }: EmployeeAccountQuery,
  actor: Actor,
): Promise<LinkableAccount[]> => {
  const seen = scoped(db, actor)
  const person = await seen.selectFrom('employee').select(['deptId', 'name']).where('id', '=', id).executeTakeFirst()
  if (!person) throw new BusinessError(codes.notFound, { what: '人员' })
  const text = likePattern(keyword ?? '')
  return (
    seen
      .selectFrom('users')
      .select(['id', 'username', 'nickname'])
      .where('deptId', '=', person.deptId)
      .where('enabled', '=', true)
      // Raw, so that it includes people whom the caller does not see.
      .where(sql<boolean>`not exists (select from employee other where other.user_id = users.id)`)
      .$if(!!keyword, (q) =>
        q.where(({ eb, or }) => or([eb('username', 'ilike', text), eb('nickname', 'ilike', text)])),
      )
      .orderBy(sql`users.nickname <> ${person.name}`)
      .orderBy('nickname')
      .orderBy('id')
      .limit(MAX_ACCOUNTS)
      .execute()
  )
}

type Linking = { id: number; version: number; userId: number | null }

/** Links an account of the same department to an employee, or removes the link. */
export const linkAccount = (db: Db, draft: Linking, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const person = await lockPresent(trx, draft, caller)
    if (draft.userId !== null) {
      const user = await scoped(trx, caller.actor)
        .selectFrom('users')
        .select('deptId')
        .where('id', '=', draft.userId)
        .executeTakeFirst()
      if (user?.deptId !== person.deptId) throw fieldError(Employee, 'userId', 'choice')
    }
    await link(trx, person, draft.userId, caller)
    return true
  })
