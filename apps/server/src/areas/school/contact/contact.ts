import {
  type EmergencyContact,
  REVEAL_CONTACTS_PERMISSION,
  type VerificationWay,
} from '@tocsin/contract/school/contact'
import { SchoolDraft } from '@tocsin/contract/school/school'
import { maskPhone } from '@tocsin/contract/access/user-contact'
import { sql } from 'kysely'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { fieldError } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { type Actor, hasPermission, type Caller } from '#http/route'

/** Contacts for this reader: unmasked numbers need a permission of their own (DESIGN 5). */
export const maskContacts = (actor: Actor, contacts: readonly EmergencyContact[]): EmergencyContact[] =>
  contacts.map((contact) =>
    hasPermission(actor)(REVEAL_CONTACTS_PERMISSION) ? contact : { ...contact, phone: maskPhone(contact.phone) },
  )

type Read = { school: Pick<Row<'school'>, 'id' | 'emergencyContacts'>; call: string; filter: Record<string, unknown> }

/** Audits the read of unmasked numbers before the response. */
export const auditContactReads = async (db: Db, caller: Caller, { school, call, filter }: Read): Promise<void> => {
  if (school.emergencyContacts.length === 0 || !hasPermission(caller.actor)(REVEAL_CONTACTS_PERMISSION)) return
  await auditPersonalRead(db, caller, {
    action: REVEAL_CONTACTS_PERMISSION,
    subject: 'school',
    call,
    filter,
    ids: [school.id],
  })
}

/** The driver writes a list as an SQL array; this column is one JSON value. */
export const toContactsColumn = (contacts: readonly EmergencyContact[]) =>
  sql<EmergencyContact[]>`${JSON.stringify(contacts)}::jsonb`

/** The verifying user, and the day by the clock of the database. */
export const stampVerification = async (trx: Db, caller: Caller, verifiedHow: VerificationWay) => {
  const { nickname, today } = await scoped(trx, caller.actor)
    .selectFrom('users')
    .select(['nickname', sql<string>`current_date::text`.as('today')])
    .where('id', '=', caller.actor.userId)
    .executeTakeFirstOrThrow()
  return { verifiedHow, verifiedBy: nickname, verifiedOn: today }
}

const digits = (phone: string): string => phone.replaceAll(/\D/g, '')

/**
 * A new day of verification is claimed by the saving user. The stored verification of a number stays; another number is
 * unverified.
 */
export const claimVerification = async (
  trx: Db,
  caller: Caller,
  contacts: readonly EmergencyContact[],
  stored: readonly EmergencyContact[],
): Promise<EmergencyContact[]> => {
  const own = await stampVerification(trx, caller, 'PERSON')
  return contacts.map(({ verifiedHow: _how, verifiedBy: _by, ...contact }) => {
    const { verifiedOn = null } = contact
    const known = stored.find(({ phone }) => digits(phone) === digits(contact.phone))
    if (known && (known.verifiedOn ?? null) === verifiedOn)
      return {
        ...contact,
        ...(known.verifiedHow && { verifiedHow: known.verifiedHow }),
        ...(known.verifiedBy && { verifiedBy: known.verifiedBy }),
      }
    if (verifiedOn === null) return contact
    if (verifiedOn > own.verifiedOn) throw fieldError(SchoolDraft, 'emergencyContacts', 'tooBig')
    return { ...contact, verifiedHow: own.verifiedHow, verifiedBy: own.verifiedBy }
  })
}
