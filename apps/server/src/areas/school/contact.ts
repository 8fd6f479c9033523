import { type EmergencyContact, REVEAL_CONTACTS } from '@tocsin/contract/school/contact'
import { maskPhone } from '@tocsin/contract/system/user-contact'
import type { Who } from '#areas/system/edit'
import { recordReading } from '#areas/system/reading'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { type Actor, may } from '#http/route'

/** Contacts as this reader gets them: numbers in the clear need a right of their own (DESIGN 5). */
export const shownContacts = (actor: Actor, contacts: readonly EmergencyContact[]): EmergencyContact[] =>
  contacts.map((one) => (may(actor)(REVEAL_CONTACTS) ? one : { ...one, phone: maskPhone(one.phone) }))

type Read = { school: Pick<Row<'school'>, 'id' | 'emergencyContacts'>; call: string; filter: Record<string, unknown> }

/** Puts on record who was shown numbers in the clear, before he is. */
export const recordContacts = async (db: Db, who: Who, { school, call, filter }: Read): Promise<void> => {
  if (school.emergencyContacts.length === 0 || !may(who.actor)(REVEAL_CONTACTS)) return
  await recordReading(db, who, { action: REVEAL_CONTACTS, subject: 'school', call, filter, ids: [school.id] })
}
