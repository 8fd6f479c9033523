import { type LeaderField, type SchoolQuery, type SetupStep, setupSteps } from '@tocsin/contract/school/school'
import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely'
import type { AllTablesDb } from '#db/db'
import type { AllTables } from '#db/tables'
import { likePattern } from '#db/keyword-search'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Actor } from '#http/route'
import { hasPermission } from '#http/route'

// Subqueries of the query builder, so that each of them is limited to visible rows.
const school = expressionBuilder<AllTables, 'school'>()
const n = sql<number>`count(*)::int`

/** Devices installed in the school now. */
const installations = () =>
  school
    .selectFrom('schoolDevice as site')
    .whereRef('site.schoolId', '=', 'school.id')
    .where('site.validTo', 'is', null)

const installedDevices = installations().select(n.as('n')).$asScalar()

const devicesInService = installations()
  .innerJoin('device', 'device.id', 'site.deviceId')
  .where('device.lifecycle', '=', 'IN_SERVICE')
  .select(n.as('n'))
  .$asScalar()

/** Drills and tests are no alarms that must still be ended. */
const openAlarms = school
  .selectFrom('warnRecord as record')
  .whereRef('record.schoolId', '=', 'school.id')
  .where('record.open', '=', true)
  .where('record.mode', '=', 'LIVE')
  .select(n.as('n'))
  .$asScalar()

const onlineDevices = installations()
  .innerJoin('deviceState as state', 'state.deviceId', 'site.deviceId')
  .where('state.connectivity', '=', 'ONLINE')
  .select(n.as('n'))
  .$asScalar()

const overdueTests = installations()
  .where('site.status', '=', 'ACCEPTED')
  .where(sql<boolean>`site.next_test_due < current_date`)
  .select(n.as('n'))
  .$asScalar()

const places = school.selectFrom('place').whereRef('place.schoolId', '=', 'school.id').select(n.as('n')).$asScalar()

/** The last score computed by the server (insight/readiness); null before a device is accepted. */
const storedReadiness = school
  .selectFrom('schoolReadiness')
  .whereRef('schoolReadiness.schoolId', '=', 'school.id')
  .select('schoolReadiness.score')
  .$asScalar()

/** Users who cannot see alarm records get no count of them. */
const alarmsFor = (actor: Actor) =>
  sql<number | null>`${hasPermission(actor)('warn:record:query') ? openAlarms : null}::int`

/** Rows of schools with the counts of the list. The counts are about the school of a visible row. */
export const schoolRows = (seen: AllTablesDb) =>
  seen
    .selectFrom('school')
    .innerJoin('dept as own', 'own.id', 'school.deptId')
    .leftJoin('dept as district', 'district.id', 'own.parentId')
    .leftJoin('dept as police', 'police.id', 'school.policeDeptId')

type SchoolRows = ReturnType<typeof schoolRows>

export const selectSchool = (found: SchoolRows, actor: Actor) =>
  found
    .selectAll('school')
    .select([
      'district.id as eduDeptId',
      'district.name as eduDeptName',
      'police.name as policeDeptName',
      storedReadiness.as('readiness'),
      installedDevices.as('deviceCount'),
      devicesInService.as('inServiceCount'),
      alarmsFor(actor).as('openAlarmCount'),
    ])

const order: ListOrder<SchoolQuery> = {
  columns: {
    name: { by: sql`school.name` },
    code: { by: sql`school.code` },
    eduDeptName: { by: sql`district.name`, nullable: true },
    studentCount: { by: sql`school.student_count` },
    // Columns of the result: a reader without alarms sorts by nothing. The counts of a school are read from its index.
    deviceCount: { by: sql`device_count` },
    openAlarmCount: { by: sql`open_alarm_count`, nullable: true },
    readiness: { by: sql`${storedReadiness}`, nullable: true },
  },
  usual: sql`${storedReadiness} asc, school.id desc`,
  id: sql`school.id`,
}

/** As chosen; else the least ready schools first. */
export const orderSchools = (found: ReturnType<typeof selectSchool>, orderBy: SchoolQuery['orderBy']) =>
  found.orderBy(toOrderBy(orderBy, order))

const stepConditions: Record<SetupStep, Expression<SqlBool>> = {
  STATION: school('school.policeDeptId', 'is not', null),
  LOCATION: school('school.lng', 'is not', null),
  PLACES: school.exists(
    school.selectFrom('place').whereRef('place.schoolId', '=', 'school.id').select(sql.lit(1).as('found')),
  ),
  PEOPLE: school.exists(
    school
      .selectFrom('employee')
      .whereRef('employee.schoolId', '=', 'school.id')
      .where('employee.status', '<>', 'LEFT')
      .select(sql.lit(1).as('found')),
  ),
  CONTACTS: sql<boolean>`school.emergency_contacts <> '[]'`,
  DEVICES: school.exists(installations().select(sql.lit(1).as('found'))),
  TEST: school.exists(installations().where('site.lastTestAt', 'is not', null).select(sql.lit(1).as('found'))),
}

const stepsDone = sql<SetupStep[]>`array_remove(array[${sql.join(
  setupSteps.map((step) => sql`case when ${stepConditions[step]} then ${sql.lit(step)} end`),
)}], null)`

/** Null for readers who do not see the person. */
const leaderName = (column: `school.${LeaderField}`) =>
  school.selectFrom('employee').whereRef('employee.id', '=', column).select('employee.name').$asScalar()

export const selectSchoolDetail = (found: SchoolRows, actor: Actor) =>
  selectSchool(found, actor).select([
    places.as('placeCount'),
    onlineDevices.as('onlineCount'),
    overdueTests.as('overdueTestCount'),
    leaderName('school.principalId').as('principalName'),
    leaderName('school.safetyOfficerId').as('safetyOfficerName'),
    leaderName('school.legalViceHeadId').as('legalViceHeadName'),
    stepsDone.as('stepsDone'),
  ])

type Filter = Omit<SchoolQuery, 'pageNo' | 'pageNum' | 'pageSize'>

export const filterSchools = (found: SchoolRows, actor: Actor, query: Filter): SchoolRows => {
  const { keyword, stage, status, eduDeptId, policeDeptId, noStation, openAlarms: withAlarms } = query
  const text = likePattern(keyword ?? '')
  return found
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('school.name', 'ilike', text),
          eb('school.code', 'ilike', text),
          eb('school.address', 'ilike', text),
        ]),
      ),
    )
    .$if(!!stage?.length, (q) => q.where('school.stage', 'in', stage ?? []))
    .$if(!!status?.length, (q) => q.where('school.status', 'in', status ?? []))
    .$if(eduDeptId !== undefined, (q) => q.where('own.parentId', '=', eduDeptId ?? 0))
    .$if(policeDeptId !== undefined, (q) => q.where('school.policeDeptId', '=', policeDeptId ?? 0))
    .$if(noStation !== undefined, (q) => q.where('school.policeDeptId', noStation ? 'is' : 'is not', null))
    .$if(withAlarms !== undefined && hasPermission(actor)('warn:record:query'), (q) =>
      q.where(withAlarms ? sql<boolean>`${openAlarms} > 0` : sql<boolean>`${openAlarms} = 0`),
    )
}
