import { maskMobile } from '@tocsin/contract/access/user-contact'
import { codes } from '@tocsin/contract/codes'
import { employees } from '@tocsin/contract/school/employee-calls'
import { changeUser } from '#areas/access/people/change'
import { seesAllContacts, withDisclosureQuota } from '#areas/access/people/contact-disclosure'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { listNominations } from './nominations.ts'

type Employee = Row<'employee'>

/** The number also opens the account, so its owner is told. */
const tellOwner = async (trx: Db, { userId, deptId }: Employee, mobile: string, { actor }: Caller): Promise<void> => {
  if (userId === null || userId === actor.userId) return
  const by = escapeHtml(actor.nickname)
  const content =
    `<p>${by} 将您账号的手机号改为 ${maskMobile(mobile)}。如有疑问，请联系管理员。</p>` +
    `<p>${by} changed the mobile number of your account to ${maskMobile(mobile)}. If this is wrong, tell an administrator.</p>`
  await publishSystemNotice(
    trx,
    { deptId },
    { title: '您账号的手机号已修改', content, publisherName: null, userIds: [userId] },
  )
}

/** The school that a person leaves keeps somebody who receives its alarms. */
const assertNotLastRecipient = async (trx: Db, person: Employee): Promise<void> => {
  const last = (await listNominations(trx, person)).find(({ what }) => what === 'LAST_RECIPIENT')
  if (last) throw new BusinessError(codes.employeeLastRecipient, { name: person.name, school: last.where })
}

type Change = { before: Employee; after: Employee }

/** A cleared number is cleared at the account as well, unless its owner entered another one there. */
const mobileOf = ({ before, after }: Change, accountMobile: string | null) => {
  if (after.mobile === before.mobile || after.mobile === accountMobile) return {}
  return after.mobile === null && accountMobile !== before.mobile ? {} : { mobile: after.mobile }
}

/**
 * Brings the linked account to a new number and department in the transaction of the person, under the rules for
 * changing users. `isCounted`: the caller runs within `withAccountQuota`.
 */
export const updateLinkedAccount = async (trx: Db, change: Change, caller: Caller, isCounted: boolean) => {
  const { before, after } = change
  const isMoved = after.deptId !== before.deptId
  if (before.userId === null || (!isMoved && after.mobile === before.mobile)) return
  const user = await scoped(trx, caller.actor)
    .selectFrom('users')
    .select(['id', 'type', 'mobile'])
    .where('id', '=', before.userId)
    .executeTakeFirst()
  if (!user) throw new BusinessError(codes.employeeAccountUnseen)
  const mobile = mobileOf(change, user.mobile)
  if (mobile.mobile && !isCounted && !seesAllContacts(caller.actor)) throw new BusinessError(codes.employeeMobileByForm)
  if (isMoved && user.type === 'SCHOOL' && after.schoolId === null)
    throw new BusinessError(codes.employeeAccountOfSchool)
  if (isMoved) await assertNotLastRecipient(trx, before)
  const edit = { ...mobile, ...(isMoved && { deptId: after.deptId }) }
  if (Object.keys(edit).length === 0) return
  await changeUser(trx, { id: user.id, ...edit }, caller)
  if (mobile.mobile) await tellOwner(trx, after, mobile.mobile, caller)
}

/** "Taken" about the number of an account discloses its owner, so it counts against the daily limit. */
export const withAccountQuota = async <T>(
  db: Db,
  { id, mobile }: { id: number; mobile?: string | null | undefined },
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> => {
  const person = await scoped(db, caller.actor)
    .selectFrom('employee')
    .select(['userId', 'mobile'])
    .where('id', '=', id)
    .executeTakeFirst()
  const isAccountChanged = person && person.userId !== null && mobile !== person.mobile
  const contacts = isAccountChanged ? { mobile } : {}
  return withDisclosureQuota(db, { who: caller, call: employees.update.path, contacts, filter: { id } }, work)
}
