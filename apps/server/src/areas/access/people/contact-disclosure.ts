import { codes } from '@tocsin/contract/codes'
import { REVEAL_PERMISSION } from '@tocsin/contract/access/user'
import { sql } from 'kysely'
import { constraintError } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { refundRate, hasCapacity, type RateQuota, consumeRate } from '../sign-in/login-throttle.ts'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { canSeeDept } from '../roles/grant-guards.ts'

/** The error "taken" discloses the owner of a contact. The daily limit of such errors about contacts hidden from the actor. */
const DISCLOSURE_QUOTA: RateQuota = { calls: 10, seconds: 86_400 }
const keyOf = ({ userId }: Actor): string => `taken:${userId}`

/** Whether the error "taken" discloses more about that user than this actor may read. */
export const isContactHidden = (actor: Actor, { id, deptId }: { id: number; deptId: number }): boolean =>
  id !== actor.userId && !(hasPermission(actor)(REVEAL_PERMISSION) && canSeeDept(actor, deptId))

export const seesAllContacts = (actor: Actor): boolean =>
  hasPermission(actor)(REVEAL_PERMISSION) && actor.depts === 'all'

/** Whether the actor has a disclosure left. Consumes none. */
export const hasDisclosureQuota = async (db: Db, actor: Actor): Promise<boolean> =>
  seesAllContacts(actor) || (await hasCapacity(db, keyOf(actor), DISCLOSURE_QUOTA))

/** Consumes one disclosure. @returns false when none is left. */
export const consumeDisclosure = async (db: Db, actor: Actor): Promise<boolean> =>
  (await consumeRate(db, keyOf(actor), DISCLOSURE_QUOTA)) !== undefined

type Told = { call: string; filter: Record<string, unknown>; ids: readonly number[] }

/** A disclosed contact is audited as a reading. */
export const auditDisclosure = async (db: Db, caller: Caller, { ids, ...disclosure }: Told): Promise<void> => {
  if (ids.length > 0)
    await auditPersonalRead(db, caller, {
      ...disclosure,
      action: REVEAL_PERMISSION,
      subject: 'users',
      ids: [...new Set(ids)],
    })
}

export type Contacts = { mobile?: string | null | undefined; email?: string | null | undefined }

/** The users with these contacts who are hidden from the actor. */
export const findHiddenHolders = async (db: Db, actor: Actor, contacts: readonly Contacts[]): Promise<number[]> => {
  const mobiles = contacts.flatMap(({ mobile }) => mobile ?? [])
  const emails = contacts.flatMap(({ email }) => email?.toLowerCase() ?? [])
  if (seesAllContacts(actor) || mobiles.length + emails.length === 0) return []
  const { rows } = await sql<{ id: number; deptId: number }>`
    select id, dept_id as "deptId" from users where mobile = any(${mobiles}) or lower(email) = any(${emails})`.execute(
    unscoped(db, 'contacts are unique over everybody'),
  )
  return rows.filter((user) => isContactHidden(actor, user)).map(({ id }) => id)
}

const isTaken = (error: unknown): boolean => {
  const code = constraintError(error)?.code
  return code === codes.mobileExists || code === codes.emailExists
}

type Asked = { who: Caller; call: string; contacts: Contacts; filter?: Record<string, unknown> }

/**
 * Runs the change that sets these contacts. The error that a hidden user has one of them is audited as a reading. After
 * the daily limit the actor can set no contacts, whether they are taken or not.
 */
export const withDisclosureQuota = async <T>(
  db: Db,
  { who, call, contacts, filter = {} }: Asked,
  work: () => Promise<T>,
): Promise<T> => {
  const { actor } = who
  const given = [contacts.mobile, contacts.email].some((text) => text && !text.includes('*'))
  if (!given || seesAllContacts(actor)) return work()
  // Consumed first: otherwise concurrent calls would all get the disclosure.
  if (!(await consumeDisclosure(db, actor))) throw new BusinessError(codes.contactsUntold)
  let ids: readonly number[] = []
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) ids = await findHiddenHolders(db, actor, [contacts])
    await auditDisclosure(db, who, { call, filter, ids })
    throw error
  } finally {
    if (ids.length === 0) await refundRate(db, keyOf(actor), DISCLOSURE_QUOTA)
  }
}
