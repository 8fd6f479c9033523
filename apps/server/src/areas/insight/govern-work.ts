import type { Compliance, GovernWork } from '@tocsin/contract/insight/govern'
import { GOOD_READINESS, LOW_READINESS } from '@tocsin/contract/insight/readiness'
import { sql } from 'kysely'
import { light, visibleOrders } from '#areas/supervise/order-rows'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'
import type { FigurePeriod } from './rollup/plan-figures.ts'

const countIf = (condition: ReturnType<typeof sql<boolean>>) => sql<number>`(count(*) filter (where ${condition}))::int`
const countStates = (column: string, ...states: string[]) => countIf(sql<boolean>`${sql.ref(column)} = any(${states})`)
const never = sql<number>`0`

const schoolsBelow = (db: Db, actor: Actor, deptId: number) =>
  scoped(db, actor).selectFrom('school').select('school.id').where('school.deptId', 'in', deptsBelow(deptId))

const countReadiness = (db: Db, actor: Actor, { deptId }: FigurePeriod): Promise<GovernWork['readiness']> =>
  scoped(db, actor)
    .selectFrom('schoolReadiness')
    .select([
      countIf(sql<boolean>`score < ${LOW_READINESS}`).as('low'),
      countIf(sql<boolean>`score >= ${LOW_READINESS} and score < ${GOOD_READINESS}`).as('fair'),
      countIf(sql<boolean>`score >= ${GOOD_READINESS}`).as('good'),
    ])
    .$if(deptId !== undefined, (q) => q.where('schoolId', 'in', schoolsBelow(db, actor, deptId ?? 0)))
    .executeTakeFirstOrThrow()

/** Published shifts that have begun; an excused person was not expected. */
const countShifts = (db: Db, actor: Actor, { from, to, deptId }: FigurePeriod): Promise<Compliance> =>
  scoped(db, actor)
    .selectFrom('shift')
    .select([
      countStates('state', 'CHECKED_IN', 'DONE').as('done'),
      countStates('state', 'LATE', 'LEFT_EARLY').as('late'),
      countStates('state', 'ABSENT').as('missed'),
    ])
    .where('publishedAt', 'is not', null)
    .where('absenceReason', 'is', null)
    .where('fromAt', '>=', from)
    .where('fromAt', '<', to)
    .$if(deptId !== undefined, (q) =>
      q.where((eb) =>
        eb.or([
          eb('schoolId', 'in', schoolsBelow(db, actor, deptId ?? 0)),
          eb('deptId', 'in', deptsBelow(deptId ?? 0)),
        ]),
      ),
    )
    .executeTakeFirstOrThrow()

const countPatrols = (db: Db, actor: Actor, { from, to, deptId }: FigurePeriod): Promise<Compliance> =>
  scoped(db, actor)
    .selectFrom('patrolRun')
    .select([countStates('state', 'DONE').as('done'), never.as('late'), countStates('state', 'MISSED').as('missed')])
    .where('toAt', '>=', from)
    .where('toAt', '<', to)
    .$if(deptId !== undefined, (q) => q.where('schoolId', 'in', schoolsBelow(db, actor, deptId ?? 0)))
    .executeTakeFirstOrThrow()

/** Of tests whose window is over. */
const countTests = (db: Db, actor: Actor, { from, to, deptId }: FigurePeriod): Promise<Compliance> =>
  scoped(db, actor)
    .selectFrom('testResult')
    .innerJoin('testPlan', 'testPlan.id', 'testResult.planId')
    .select([
      countStates('test_result.result', 'PASSED').as('done'),
      never.as('late'),
      countStates('test_result.result', 'NOT_PRESSED', 'NOT_RECEIVED').as('missed'),
    ])
    .where('testPlan.windowTo', '>=', from)
    .where('testPlan.windowTo', '<', to)
    .$if(deptId !== undefined, (q) => q.where('testResult.schoolId', 'in', schoolsBelow(db, actor, deptId ?? 0)))
    .executeTakeFirstOrThrow()

const countDrills = async (db: Db, actor: Actor, { from, to, deptId }: FigurePeriod): Promise<number> => {
  const { drills } = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select(sql<number>`count(*)::int`.as('drills'))
    .where('mode', '=', 'DRILL')
    .where('firstAt', '>=', from)
    .where('firstAt', '<', to)
    .$if(deptId !== undefined, (q) => q.where('warnRecord.deptId', 'in', deptsBelow(deptId ?? 0)))
    .executeTakeFirstOrThrow()
  return drills
}

const countOrders = (db: Db, actor: Actor, { deptId }: FigurePeriod): Promise<GovernWork['orders']> =>
  visibleOrders(db, actor)
    .select([
      countIf(sql<boolean>`${light} = 'RED'`).as('red'),
      countIf(sql<boolean>`${light} = 'YELLOW'`).as('yellow'),
      countIf(sql<boolean>`${light} = 'GREEN'`).as('green'),
    ])
    .$if(deptId !== undefined, (q) => q.where('superviseOrder.responsibleDeptId', 'in', deptsBelow(deptId ?? 0)))
    .executeTakeFirstOrThrow()

/** What was due in a period, each part only for users who may read its list. */
export const getGovernWork = async (db: Db, actor: Actor, period: FigurePeriod): Promise<GovernWork> => {
  const can = hasPermission(actor)
  const [readiness, shifts, patrols, tests, drills, orders] = await Promise.all([
    can('insight:readiness:query') ? countReadiness(db, actor, period) : null,
    can('security:shift:query') ? countShifts(db, actor, period) : null,
    can('security:patrol:query') ? countPatrols(db, actor, period) : null,
    can('device:test:query') ? countTests(db, actor, period) : null,
    can('warn:record:query') ? countDrills(db, actor, period) : null,
    can('supervise:order:query') ? countOrders(db, actor, period) : null,
  ])
  return { readiness, shifts, patrols, tests, drills, orders }
}
