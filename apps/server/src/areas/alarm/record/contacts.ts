import { type RecordContacts, warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { auditContactReads, maskContacts } from '#areas/school/contact/contact'
import type { Caller } from '#http/route'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'

/** Lists the contacts of the record's school for everybody who sees the record, even without access to the school. */
export const getRecordContacts = async (db: Db, caller: Caller, id: number): Promise<RecordContacts> => {
  const record = await scoped(db, caller.actor)
    .selectFrom('warnRecord')
    .select('schoolId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!record) throw new BusinessError(codes.notFound, { what: '警情' })
  const school = await unscoped(db, 'whom to call about a record that was read through the sight of the caller')
    .selectFrom('school')
    .select(['id', 'dutyPhone', 'emergencyContacts'])
    .where('id', '=', record.schoolId)
    .executeTakeFirst()
  if (!school) return { dutyPhone: null, contacts: [] }
  await auditContactReads(db, caller, { school, call: warnRecords.contacts.path, filter: { id } })
  return { dutyPhone: school.dutyPhone, contacts: maskContacts(caller.actor, school.emergencyContacts) }
}
