import type {
  OrderPeopleQuery,
  OrderSubjectOption,
  OrderSubjectQuery,
  OrderSubjectType,
} from '@tocsin/contract/supervise/order'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import { schools } from '@tocsin/contract/school/school'
import { sql } from 'kysely'
import { canSeeDept } from '#areas/access/roles/grant-guards'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'
import { loadPlacePaths } from '#areas/school/place'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'

const MAX_SUBJECTS = 30
const MAX_PEOPLE = 50
/** As far back as a list of alarms reaches. */
const ALARM_DAYS = 92

type Asked = { keyword: string; id: number | undefined }

const listAlarms = async (db: Db, actor: Actor, { keyword, id }: Asked): Promise<OrderSubjectOption[]> => {
  const text = likePattern(keyword)
  return scoped(db, actor)
    .selectFrom('warnRecord')
    .select(['id', 'no as label', 'schoolId', 'schoolName', 'placePath as place', 'level', 'firstAt as at'])
    .$if(id !== undefined, (q) => q.where('id', '=', id ?? 0))
    .$if(id === undefined, (q) =>
      q.where(sql<boolean>`(warn_record.open or warn_record.first_at >= now() - make_interval(days => ${ALARM_DAYS}))`),
    )
    .$if(keyword !== '', (q) =>
      q.where((eb) => eb.or((['no', 'schoolName', 'placePath'] as const).map((name) => eb(name, 'ilike', text)))),
    )
    .orderBy('firstAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SUBJECTS)
    .execute()
}

const listDevices = async (db: Db, actor: Actor, { keyword, id }: Asked): Promise<OrderSubjectOption[]> => {
  const seen = scoped(db, actor)
  const text = likePattern(keyword)
  const rows = await seen
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .select(['schoolDevice.id', 'device.sn as label', 'schoolDevice.schoolId', 'school.name as schoolName'])
    .select('schoolDevice.placeId')
    .$if(id !== undefined, (q) => q.where('schoolDevice.id', '=', id ?? 0))
    // An installation that ended is named by its address only.
    .$if(id === undefined, (q) => q.where('schoolDevice.validTo', 'is', null))
    .$if(keyword !== '', (q) =>
      q.where((eb) => eb.or([eb('device.sn', 'ilike', text), eb('school.name', 'ilike', text)])),
    )
    .orderBy('device.sn')
    .orderBy('schoolDevice.id')
    .limit(MAX_SUBJECTS)
    .execute()
  const paths = await loadPlacePaths(
    seen,
    rows.map(({ placeId }) => placeId),
  )
  return rows.map(({ placeId, ...row }) => ({ ...row, place: paths.get(placeId) ?? null, level: null, at: null }))
}

const listSchools = async (db: Db, actor: Actor, { keyword, id }: Asked): Promise<OrderSubjectOption[]> => {
  const text = likePattern(keyword)
  const rows = await scoped(db, actor)
    .selectFrom('school')
    .select(['id', 'name'])
    .$if(id !== undefined, (q) => q.where('id', '=', id ?? 0))
    .$if(keyword !== '', (q) => q.where((eb) => eb.or([eb('name', 'ilike', text), eb('code', 'ilike', text)])))
    .orderBy('name')
    .orderBy('id')
    .limit(MAX_SUBJECTS)
    .execute()
  const none = { place: null, level: null, at: null }
  return rows.map((row) => ({ id: row.id, label: row.name, schoolId: row.id, schoolName: row.name, ...none }))
}

const subjects: Record<
  Exclude<OrderSubjectType, 'NONE'>,
  { permission: string; list: (db: Db, actor: Actor, asked: Asked) => Promise<OrderSubjectOption[]> }
> = {
  WARN_RECORD: { permission: warnRecords.page.permission, list: listAlarms },
  SCHOOL_DEVICE: { permission: schoolDevices.page.permission, list: listDevices },
  SCHOOL: { permission: schools.page.permission, list: listSchools },
}

/** What an order may name: of the kinds whose lists the caller may read, the rows in sight. */
export const listSubjects = async (
  db: Db,
  actor: Actor,
  { subjectType, keyword = '', chosenId: id }: OrderSubjectQuery,
): Promise<OrderSubjectOption[]> => {
  if (subjectType === 'NONE') return []
  const { permission, list } = subjects[subjectType]
  return hasPermission(actor)(permission) ? list(db, actor, { keyword, id }) : []
}

const unitOf = async (db: Db, actor: Actor, { schoolId, responsibleDeptId }: OrderPeopleQuery) => {
  if (schoolId === undefined)
    return responsibleDeptId !== undefined && canSeeDept(actor, responsibleDeptId) ? responsibleDeptId : undefined
  const school = await scoped(db, actor)
    .selectFrom('school')
    .select('deptId')
    .where('id', '=', schoolId)
    .executeTakeFirst()
  return school?.deptId
}

/** Enabled people of the unit and below it, never the caller: whom `checkPerson` accepts. */
export const listPeople = async (db: Db, actor: Actor, query: OrderPeopleQuery) => {
  const deptId = await unitOf(db, actor, query)
  if (deptId === undefined) return []
  const { keyword = '', chosenId: id } = query
  const text = likePattern(keyword)
  return scoped(db, actor)
    .selectFrom('users')
    .innerJoin('dept', 'dept.id', 'users.deptId')
    .select(['users.id', 'users.nickname', 'dept.name as deptName'])
    .where('users.enabled', '=', true)
    .where('users.id', '<>', actor.userId)
    .where('users.deptId', 'in', deptsBelow(deptId))
    .$if(id !== undefined, (q) => q.where('users.id', '=', id ?? 0))
    .$if(keyword !== '', (q) =>
      q.where((eb) => eb.or([eb('users.nickname', 'ilike', text), eb('dept.name', 'ilike', text)])),
    )
    .orderBy('users.nickname')
    .orderBy('users.id')
    .limit(MAX_PEOPLE)
    .execute()
}
