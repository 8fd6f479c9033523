import { codes } from '@tocsin/contract/codes'
import { canReceiveCode } from '@tocsin/contract/school/contact'
import { employees } from '@tocsin/contract/school/employee-calls'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { sql } from 'kysely'
import type { AuthDeps } from '#areas/access/sign-in/deps'
import { clearAttempts, countAttempt } from '#areas/access/sign-in/login-throttle'
import { consumeCode, sendCode } from '#areas/access/sign-in/verification-code/code'
import { checkChannel } from '#areas/access/sign-in/verification-code/contact'
import { runEdit, updateStamp } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, type Route, route } from '#http/route'
import { stampVerification, toContactsColumn } from './contact.ts'
import { lockEmployee, recordChange } from '../employee/edit.ts'
import { checkEmployeeVersion } from '../employee/read.ts'
import { checkSchoolVersion, lockSchool, recordSchoolChange } from '../school-edit.ts'

/** Only the caller, to whom it is read back, can use the code. */
const purposeFor = (phone: string, { userId }: Actor) => {
  if (!canReceiveCode(phone)) throw new BusinessError(codes.contactNoMobile)
  return { contact: { type: 'MOBILE', value: phone }, scene: 'VERIFY', userId } as const
}

const sendTo = async (deps: AuthDeps, phone: string, caller: Caller): Promise<true> => {
  const purpose = purposeFor(phone, caller.actor)
  await checkChannel(deps.db, purpose.contact)
  await sendCode(deps, purpose, caller)
  return true
}

const useCode = async (deps: AuthDeps, phone: string, code: string, { actor }: Caller): Promise<void> => {
  const key = `verify:${actor.userId}`
  const attempt = await countAttempt(deps.db, key)
  if (!attempt.allowed) throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  if (!(await consumeCode(deps, purposeFor(phone, actor), code))) throw new BusinessError(codes.codeWrong)
  await clearAttempts(deps.db, key)
}

type At = { id: number; position: number }

type Versioned<T> = T & { version?: number | undefined }

/** The version is checked first: a stale one may mean another contact. */
const phoneOf = async (db: Db, caller: Caller, { id, position, version }: Versioned<At>): Promise<string> => {
  const school = await scoped(db, caller.actor).selectFrom('school').selectAll().where('id', '=', id).executeTakeFirst()
  if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
  await checkSchoolVersion(version, school, caller)
  const contact = school.emergencyContacts[position - 1]
  if (!contact) throw new BusinessError(codes.notFound, { what: '联系人' })
  return contact.phone
}

/** Without a code the caller confirms having spoken to the contact by this number. */
const verifyContact = async (
  deps: AuthDeps,
  { id, version, position, code }: At & { version: number; code?: string | undefined },
  caller: Caller,
): Promise<true> => {
  const phone = await phoneOf(deps.db, caller, { id, position, version })
  if (code !== undefined) await useCode(deps, phone, code, caller)
  return runEdit(deps.db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockSchool(trx, caller, id)
    await checkSchoolVersion(version, before, caller)
    if (before.status === 'CLOSED') throw new BusinessError(codes.schoolClosed)
    if (before.emergencyContacts[position - 1]?.phone !== phone) throw new BusinessError(codes.codeWrong)
    const verified = await stampVerification(trx, caller, code === undefined ? 'PERSON' : 'CODE')
    const contacts = before.emergencyContacts.map((contact, at) =>
      at === position - 1 ? { ...contact, ...verified } : contact,
    )
    const after = await unscoped(trx, 'locked in the visibility of the caller')
      .updateTable('school')
      .set({ emergencyContacts: toContactsColumn(contacts), ...updateStamp(caller) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordSchoolChange(trx, caller, { action: schoolEdits.verifyContact.permission, before, after })
    return true
  })
}

const mobileOf = async (db: Db, { actor }: Caller, { id, version }: Versioned<{ id: number }>): Promise<string> => {
  const person = await scoped(db, actor).selectFrom('employee').selectAll().where('id', '=', id).executeTakeFirst()
  if (!person) throw new BusinessError(codes.notFound, { what: '人员' })
  await checkEmployeeVersion(db, version, person, actor)
  return person.mobile ?? ''
}

const verifyMobile = async (
  deps: AuthDeps,
  { id, version, code }: { id: number; version: number; code: string },
  caller: Caller,
): Promise<true> => {
  const mobile = await mobileOf(deps.db, caller, { id, version })
  await useCode(deps, mobile, code, caller)
  return runEdit(deps.db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockEmployee(trx, caller.actor, id)
    await checkEmployeeVersion(trx, version, before, caller.actor)
    if (before.mobile !== mobile) throw new BusinessError(codes.codeWrong)
    const after = await unscoped(trx, 'locked in the visibility of the caller')
      .updateTable('employee')
      .set({ mobileVerifiedAt: sql<Date>`now()`, ...updateStamp(caller) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { action: employees.verifyMobile.permission, before, after })
    return true
  })
}

/** Whether a number answers: for contacts of schools, and for people. */
export const contactVerificationRoutes = (deps: AuthDeps): Route[] => [
  route(schoolEdits.sendContactCode, async ({ body, caller }) =>
    sendTo(deps, await phoneOf(deps.db, caller, body), caller),
  ),
  route(schoolEdits.verifyContact, ({ body, caller }) => verifyContact(deps, body, caller)),
  route(employees.sendMobileCode, async ({ body, caller }) =>
    sendTo(deps, await mobileOf(deps.db, caller, body), caller),
  ),
  route(employees.verifyMobile, ({ body, caller }) => verifyMobile(deps, body, caller)),
]
