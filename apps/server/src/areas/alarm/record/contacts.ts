import { type RecordContacts, warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { recordContacts, shownContacts } from '#areas/school/contact'
import type { Who } from '#areas/system/edit'
import type { Db } from '#db/db'
import { everything, scoped } from '#db/scope'
import { Refusal } from '#http/refusal'

/** Whom at the school of a record one can call: for whoever sees the record, even where he does not see the school. */
export const contactsOf = async (db: Db, who: Who, id: number): Promise<RecordContacts> => {
  const record = await scoped(db, who.actor)
    .selectFrom('warnRecord')
    .select('schoolId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!record) throw new Refusal(codes.notFound, { what: '警情' })
  const school = await everything(db, 'whom to call about a record that was read through the sight of the caller')
    .selectFrom('school')
    .select(['id', 'dutyPhone', 'emergencyContacts'])
    .where('id', '=', record.schoolId)
    .executeTakeFirst()
  if (!school) return { dutyPhone: null, contacts: [] }
  await recordContacts(db, who, { school, call: warnRecords.contacts.path, filter: { id } })
  return { dutyPhone: school.dutyPhone, contacts: shownContacts(who.actor, school.emergencyContacts) }
}
