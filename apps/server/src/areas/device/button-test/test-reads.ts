import { codes } from '@tocsin/contract/codes'
import type { TestPlanQuery, TestPlanState, TestResultState } from '@tocsin/contract/device/button-test'
import { sql } from 'kysely'
import { loadPlacePaths } from '#areas/school/place'
import type { AllTablesDb, Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { selectProvingPresses } from '../installation/press-proof.ts'

/** When a device of a result was first pressed in the window of its plan; null: not yet. */
export const pressedAt = ({ windowFrom, windowTo }: Pick<Row<'testPlan'>, 'windowFrom' | 'windowTo'>) => {
  const window = { from: sql<Date>`${windowFrom}::timestamptz`, to: sql<Date>`${windowTo}::timestamptz` }
  const presses = selectProvingPresses(sql.ref('test_result.school_device_id'), window)
  return sql<Date | null>`(select min(presses.occurred_at) from (${presses}) as presses)`
}

const state = sql<TestPlanState>`case
  when test_plan.closed_at is not null then 'COMPLETED'
  when now() >= test_plan.window_from then 'RUNNING'
  when test_plan.station_told_at is not null then 'NOTIFIED'
  else 'SCHEDULED' end`

/** A stored result counts; before that, the presses so far. */
const passed = sql<number>`(
  select count(*)::int from test_result where test_result.plan_id = test_plan.id and (
    test_result.result = 'PASSED' or test_plan.closed_at is null and exists (${selectProvingPresses(
      sql.ref('test_result.school_device_id'),
      { from: sql.ref<Date>('test_plan.window_from'), to: sql.ref<Date>('test_plan.window_to') },
    )})))`
const total = sql<number>`(select count(*)::int from test_result where test_result.plan_id = test_plan.id)`

const planRows = (seen: AllTablesDb) =>
  seen.selectFrom('testPlan').innerJoin('school', 'school.id', 'testPlan.schoolId')

const selectPlan = (found: ReturnType<typeof planRows>) =>
  found
    .selectAll('testPlan')
    .select(['school.name as schoolName', state.as('state'), passed.as('passed'), total.as('total')])

const order: ListOrder<TestPlanQuery> = {
  columns: {
    schoolName: { by: sql`school.name` },
    windowFrom: { by: sql`test_plan.window_from` },
    windowTo: { by: sql`test_plan.window_to` },
  },
  usual: sql`test_plan.window_from desc, test_plan.id`,
  id: sql`test_plan.id`,
}

export const pagePlans = async (db: Db, actor: Actor, query: TestPlanQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = planRows(scoped(db, actor))
    .$if(query.schoolId !== undefined, (q) => q.where('testPlan.schoolId', '=', query.schoolId ?? 0))
    .$if(query.open !== undefined, (q) => q.where('testPlan.closedAt', query.open ? 'is' : 'is not', null))
  const [list, count] = await Promise.all([
    selectPlan(found).orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('testPlan.id')),
  ])
  return { list, ...count }
}

export const getPlan = async (db: Db, actor: Actor, id: number) => {
  const seen = scoped(db, actor)
  const plan = await selectPlan(planRows(seen).where('testPlan.id', '=', id)).executeTakeFirst()
  if (!plan) throw new BusinessError(codes.notFound, { what: '测试计划' })
  const rows = await unscoped(db, 'results of a plan that the caller can see')
    .selectFrom('testResult')
    .innerJoin('device', 'device.id', 'testResult.deviceId')
    .innerJoin('schoolDevice', 'schoolDevice.id', 'testResult.schoolDeviceId')
    .selectAll('testResult')
    .select(['device.sn', 'schoolDevice.placeId', pressedAt(plan).as('pressed')])
    .where('testResult.planId', '=', id)
    .execute()
  const paths = await loadPlacePaths(
    seen,
    rows.map(({ placeId }) => placeId),
  )
  const results = rows.map(({ placeId, pressed, ...row }) => {
    const isPassed = !plan.closedAt && pressed !== null
    const result: TestResultState = isPassed ? 'PASSED' : row.result
    return { ...row, result, at: isPassed ? pressed : row.at, placePath: paths.get(placeId) ?? '' }
  })
  // In walking order: building, floor, room by name.
  return {
    ...plan,
    results: results.toSorted((a, b) => a.placePath.localeCompare(b.placePath, 'zh', { numeric: true })),
  }
}
