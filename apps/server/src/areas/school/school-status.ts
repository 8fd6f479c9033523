import { codes } from '@tocsin/contract/codes'
import {
  type SchoolFacts,
  schoolRule,
  type SchoolVerb,
  whyNotSchoolTransition,
} from '@tocsin/contract/school/school-status'
import { sql } from 'kysely'
import { runEdit, updateStamp } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { checkSchoolVersion, lockSchool, recordSchoolChange } from './school-edit.ts'

/** The counts for the guards of the machine. Devices and alarms count whether or not the caller sees each of them. */
const loadFacts = async (trx: Db, school: Row<'school'>): Promise<SchoolFacts> => {
  const { rows } = await sql<{ devices: number; alarms: number }>`select
    (select count(*)::int from school_device where school_id = ${school.id} and valid_to is null) as devices,
    (select count(*)::int from warn_record where school_id = ${school.id} and open) as alarms`.execute(
    unscoped(trx, 'the school was locked in the visibility of the caller'),
  )
  return {
    status: school.status,
    devices: rows[0]?.devices ?? 0,
    alarms: rows[0]?.alarms ?? 0,
    hasStation: school.policeDeptId !== null,
    contacts: school.emergencyContacts.length,
  }
}

type Step = { verb: SchoolVerb; id: number; version: number; reason?: string }

/** Applies one transition to a school; a rejecting guard names the open dependencies, with counts. */
export const changeSchoolStatus = (db: Db, { verb, id, version, reason }: Step, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockSchool(trx, caller, id)
    await checkSchoolVersion(version, before, caller)
    const facts = await loadFacts(trx, before)
    const why = whyNotSchoolTransition(verb, facts)
    if (why === codes.schoolNotEmpty) throw new BusinessError(why, { devices: facts.devices, alarms: facts.alarms })
    if (why) throw new BusinessError(why, { state: before.status })
    const { to, permission } = schoolRule(verb)
    const after = await unscoped(trx, 'locked in the visibility of the caller')
      .updateTable('school')
      .set({ status: to, statusReason: reason ?? null, ...updateStamp(caller) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordSchoolChange(trx, caller, { action: permission, before, after })
    return true
  })
