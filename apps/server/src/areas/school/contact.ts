import { type EmergencyContact, REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import { maskPhone } from '@tocsin/contract/access/user-contact'
import { auditPersonalRead } from '#areas/audit/access-audit'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { type Actor, hasPermission, type Caller } from '#http/route'

/** Contacts as this reader gets them: numbers in the clear need a right of their own (DESIGN 5). */
export const maskContacts = (actor: Actor, contacts: readonly EmergencyContact[]): EmergencyContact[] =>
  contacts.map((one) =>
    hasPermission(actor)(REVEAL_CONTACTS_PERMISSION) ? one : { ...one, phone: maskPhone(one.phone) },
  )

type Read = { school: Pick<Row<'school'>, 'id' | 'emergencyContacts'>; call: string; filter: Record<string, unknown> }

/** Puts on record who was shown numbers in the clear, before he is. */
export const auditContactReads = async (db: Db, who: Caller, { school, call, filter }: Read): Promise<void> => {
  if (school.emergencyContacts.length === 0 || !hasPermission(who.actor)(REVEAL_CONTACTS_PERMISSION)) return
  await auditPersonalRead(db, who, {
    action: REVEAL_CONTACTS_PERMISSION,
    subject: 'school',
    call,
    filter,
    ids: [school.id],
  })
}
