import { codes } from '@tocsin/contract/codes'
import type { SchoolPossession } from '@tocsin/contract/codes/school-codes'
import type { EmergencyContact } from '@tocsin/contract/school/contact'
import { findCrossingCorner } from '@tocsin/contract/school/geofence'
import { type SchoolCreateDraft, SchoolDraft } from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { maskPhone } from '@tocsin/contract/access/user-contact'
import type { z } from 'zod'
import { deleteSchoolDept, insertSchoolDepts, renameSchoolDept } from '#areas/access/roles/dept/school-dept'
import { recordChange, recordChanges, type RowChange } from '#areas/audit/edit-row'
import {
  changedColumns,
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { registerConstraintErrors, violatedConstraint } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { claimVerification, maskContacts, toContactsColumn } from './contact/contact.ts'
import { checkLeaders } from './leaders.ts'
import { stationKinds } from './school-options.ts'

type School = Row<'school'>

/** The foreign keys that keep a school from being deleted. */
export const possessions: Readonly<Record<string, SchoolPossession>> = {
  place_school_id_fkey: 'PLACES',
  floor_plan_school_id_fkey: 'FLOOR_PLANS',
  employee_school_id_fkey: 'PEOPLE',
  merchant_profile_school_fkey: 'ACCOUNTS',
  device_school_id_fkey: 'DEVICES',
  school_device_school_id_fkey: 'INSTALLATIONS',
  outage_school_id_fkey: 'OUTAGES',
  outage_device_school_id_fkey: 'OUTAGES',
  test_plan_school_id_fkey: 'TESTS',
  test_result_school_id_fkey: 'TESTS',
  maintenance_order_school_id_fkey: 'MAINTENANCE',
  rollout_device_school_id_fkey: 'ROLLOUTS',
  warn_record_school_id_fkey: 'ALARMS',
  assignment_school_id_fkey: 'TASKS',
  procedure_run_school_id_fkey: 'PROCEDURES',
  police_situation_school_id_fkey: 'INCIDENTS',
  delivery_school_id_fkey: 'MESSAGES',
  security_post_school_id_fkey: 'POSTS',
  shift_school_id_fkey: 'SHIFTS',
  shift_swap_school_id_fkey: 'SHIFTS',
  handover_school_id_fkey: 'HANDOVERS',
  patrol_plan_school_id_fkey: 'PATROLS',
  patrol_point_school_id_fkey: 'PATROLS',
  patrol_run_school_id_fkey: 'PATROLS',
  patrol_scan_school_id_fkey: 'PATROLS',
  supervise_order_school_id_fkey: 'ORDERS',
  supervise_party_school_id_fkey: 'ORDERS',
}

registerConstraintErrors({
  school_code_key: { code: codes.duplicate, params: { field: '学校代码' } },
  school_name_key: { code: codes.duplicate, params: { field: '学校名称' } },
  ...Object.fromEntries(
    Object.keys(possessions).map((name) => [name, { code: codes.referred, params: { what: '学校' } }]),
  ),
})

type Change = { action: string; before?: School; after?: School }

const schoolChange = ({ action, before, after }: Change): RowChange => {
  const { id = 0, deptId = 0 } = after ?? before ?? {}
  return {
    action,
    subject: 'school',
    id,
    before,
    after,
    events: [{ type: 'school.changed', ref: id, schoolId: id, deptId }],
  }
}

export const recordSchoolChange = (trx: Db, caller: Caller, change: Change): Promise<void> =>
  recordChange(trx, caller, schoolChange(change))

/** Locks a visible school; presses do not wait for this lock. */
export const lockSchool = async (trx: Db, caller: Caller, id: number): Promise<School> => {
  const school = await scoped(trx, caller.actor)
    .selectFrom('school')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
  return school
}

export const checkSchoolVersion = (version: number | undefined, school: School, caller: Caller): Promise<void> =>
  checkVersion(version, school, () => ({
    ...school,
    emergencyContacts: maskContacts(caller.actor, school.emergencyContacts),
  }))

const checkStation = async (trx: Db, id: number | null | undefined): Promise<void> => {
  if (id === null || id === undefined) return
  const station = await trx
    .selectFrom('dept')
    .select('id')
    .where('id', '=', id)
    .where('kind', 'in', stationKinds)
    .where('enabled', '=', true)
    .forShare()
    .executeTakeFirst()
  if (!station) throw fieldError(SchoolDraft, 'policeDeptId', 'choice')
}

type Together = {
  [K in 'lng' | 'lat' | 'geofence' | 'studentCount' | 'boarderCount']?: SchoolDraft[K] | undefined
}

/** Rules over several fields. */
const checkTogether = ({ lng, lat, geofence, studentCount = 0, boarderCount = 0 }: Together): void => {
  if ((lng ?? null) === null && (lat ?? null) !== null) throw fieldError(SchoolDraft, 'lng', 'required')
  if ((lat ?? null) === null && (lng ?? null) !== null) throw fieldError(SchoolDraft, 'lat', 'required')
  if (boarderCount > studentCount) throw fieldError(SchoolDraft, 'boarderCount', 'tooBig', studentCount)
  const [ring = []] = geofence?.coordinates ?? []
  const [first, last] = [ring[0], ring.at(-1)]
  if (first && last && (first[0] !== last[0] || first[1] !== last[1]))
    throw fieldError(SchoolDraft, 'geofence', 'format')
  const corner = findCrossingCorner(ring)
  if (corner !== undefined) throw new BusinessError(codes.fenceCrosses, { corner })
}

/** A mask sent back stands for the stored number; a mask of something else is no number. */
const restoreNumbers = (
  contacts: readonly EmergencyContact[],
  stored: readonly EmergencyContact[],
): EmergencyContact[] =>
  contacts.map((contact) => {
    if (!contact.phone.includes('*')) return contact
    const masked = stored.filter(({ phone }) => maskPhone(phone) === contact.phone)
    const found = masked.find(({ name }) => name === contact.name) ?? masked[0]
    if (!found) throw fieldError(SchoolDraft, 'emergencyContacts', 'format')
    return { ...contact, phone: found.phone }
  })

/**
 * Creates schools and their departments in the caller's transaction, in the order of the drafts. They are PREPARING until
 * they are activated.
 */
export const insertSchools = async (
  trx: Db,
  drafts: readonly SchoolCreateDraft[],
  caller: Caller,
): Promise<School[]> => {
  for (const draft of drafts) {
    checkTogether(draft)
    await checkLeaders(trx, caller.actor, draft, {})
  }
  for (const stationId of new Set(drafts.map(({ policeDeptId }) => policeDeptId))) await checkStation(trx, stationId)
  const depts = await insertSchoolDepts(
    trx,
    caller,
    drafts.map(({ name, eduDeptId }) => ({ name, parentId: eduDeptId })),
  )
  const rows = []
  for (const { eduDeptId: _district, emergencyContacts = [], ...columns } of drafts) {
    const contacts = await claimVerification(trx, caller, restoreNumbers(emergencyContacts, []), [])
    const deptId = depts.get(columns.name)?.id ?? 0
    rows.push({ ...columns, deptId, emergencyContacts: toContactsColumn(contacts), ...createStamp(caller) })
  }
  const inserted = await unscoped(trx, 'an insert reads nothing; its department is visible')
    .insertInto('school')
    .values(rows)
    .returningAll()
    .execute()
  await recordChanges(
    trx,
    caller,
    inserted.map((after) => schoolChange({ action: schoolEdits.create.permission, after })),
  )
  const byCode = new Map(inserted.map((school) => [school.code, school]))
  return drafts.flatMap(({ code }) => byCode.get(code) ?? [])
}

/** As `insertSchools`, for one school. */
export const insertSchool = async (trx: Db, draft: SchoolCreateDraft, caller: Caller): Promise<School> => {
  const [school] = await insertSchools(trx, [draft], caller)
  if (!school) throw new Error(`school ${draft.code} was inserted under another code`)
  return school
}

export const createSchool = (db: Db, draft: SchoolCreateDraft, caller: Caller): Promise<number> =>
  // Users who see the department above see one more school.
  runEdit(db, 'all', async (trx) => (await insertSchool(trx, draft, caller)).id)

type Position = Pick<School, 'lng' | 'lat'>

/** A position that is changed without its source was chosen on our map. */
export const sourceOfMove = (
  before: Position,
  { lng = before.lng, lat = before.lat }: { [K in keyof Position]?: Position[K] | undefined },
) => (lng === before.lng && lat === before.lat ? {} : { coordinateSystem: 'CGCS2000' as const })

export type SchoolEdit = Omit<z.output<typeof schoolEdits.update.body>, 'version'> & { version?: number }

export const updateSchoolIn = async (trx: Db, edit: SchoolEdit, caller: Caller): Promise<void> => {
  const before = await lockSchool(trx, caller, edit.id)
  await checkSchoolVersion(edit.version, before, caller)
  if (before.status === 'CLOSED') throw new BusinessError(codes.schoolClosed)
  const { emergencyContacts, ...given } = changedColumns(edit)
  const columns = { ...sourceOfMove(before, given), ...given }
  checkTogether({ ...before, ...columns })
  if (columns.policeDeptId !== before.policeDeptId) await checkStation(trx, columns.policeDeptId)
  await checkLeaders(trx, caller.actor, columns, before)
  const contacts =
    emergencyContacts &&
    (await claimVerification(
      trx,
      caller,
      restoreNumbers(emergencyContacts, before.emergencyContacts),
      before.emergencyContacts,
    ))
  const after = await unscoped(trx, 'locked in the visibility of the caller')
    .updateTable('school')
    .set({ ...columns, ...(contacts && { emergencyContacts: toContactsColumn(contacts) }), ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await renameSchoolDept(trx, caller, { id: after.deptId, from: before.name, to: after.name })
  await recordSchoolChange(trx, caller, { action: schoolEdits.update.permission, before, after })
}

export const updateSchool = (db: Db, edit: SchoolEdit, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx): Promise<true> => {
    await updateSchoolIn(trx, edit, caller)
    return true
  })

/** Names what the school still has: other areas register the same keys for their own calls. */
const toReferredError = (error: unknown): unknown => {
  const thing = possessions[violatedConstraint(error) ?? '']
  return thing ? new BusinessError(codes.schoolReferred, { thing }) : error
}

/** Deletes an unreferenced school, and its department. */
export const deleteSchool = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx): Promise<true> => {
    const before = await lockSchool(trx, caller, id)
    const all = unscoped(trx, 'locked in the visibility of the caller')
    await all
      .deleteFrom('school')
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        throw toReferredError(error)
      })
    await recordSchoolChange(trx, caller, { action: schoolEdits.delete.permission, before })
    await deleteSchoolDept(trx, caller, before.deptId)
    return true
  })
