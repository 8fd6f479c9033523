import { type RecordContacts, warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { auditContactReads, maskContacts } from '#areas/school/contact'
import type { Caller } from '#http/route'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'

/** Whom at the school of a record one can call: for whoever sees the record, even where he does not see the school. */
export const getRecordContacts = async (db: Db, who: Caller, id: number): Promise<RecordContacts> => {
  const record = await scoped(db, who.actor)
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
  await auditContactReads(db, who, { school, call: warnRecords.contacts.path, filter: { id } })
  return { dutyPhone: school.dutyPhone, contacts: maskContacts(who.actor, school.emergencyContacts) }
}
