import { codes } from '@tocsin/contract/codes'
import { localDay } from '@tocsin/contract/security/hours'
import {
  MAX_SCAN_AGE_HOURS,
  type MyPatrolRun,
  PATROL_GRACE_MIN,
  type PatrolGrid,
  type PatrolPlanDetail,
  type PatrolPlanRow,
  type PatrolPointRow,
  type PatrolQuery,
} from '@tocsin/contract/security/patrol'
import { sql } from 'kysely'
import { listAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'

export const SCAN_OWNER = 'patrol_scan'

const countRuns = (state: 'DONE' | 'MISSED', day: string) => sql<number>`(
  select count(*)::int from patrol_run r
  where r.plan_id = patrol_plan.id and r.day = ${day}::date and r.state = ${state})`

/** The points and rounds of a plan belong to its school: whoever sees the plan sees how many there are. */
const selectPlans = (db: Db) => {
  const day = localDay(new Date())
  return unscoped(db, 'schools, points and rounds of visible plans')
    .selectFrom('patrolPlan')
    .innerJoin('school', 'school.id', 'patrolPlan.schoolId')
    .selectAll('patrolPlan')
    .select([
      'school.name as schoolName',
      sql<number>`(select count(*)::int from patrol_point p where p.plan_id = patrol_plan.id
        and p.removed_at is null)`.as('pointCount'),
      countRuns('DONE', day).as('doneToday'),
      countRuns('MISSED', day).as('missedToday'),
    ])
}

/** Ids of the visible plans of a filter. */
export const filterPatrols = (db: Db, actor: Actor, query: PatrolQuery) => {
  const missed = sql<boolean>`exists (select from patrol_run r where r.plan_id = patrol_plan.id
    and r.day = ${localDay(new Date())}::date and r.state = 'MISSED')`
  return scoped(db, actor)
    .selectFrom('patrolPlan')
    .select('patrolPlan.id')
    .$if(!!query.keyword, (q) => q.where('name', 'ilike', likePattern(query.keyword ?? '')))
    .$if(query.schoolId !== undefined, (q) => q.where('schoolId', '=', query.schoolId ?? 0))
    .$if(query.enabled !== undefined, (q) => q.where('enabled', '=', query.enabled ?? true))
    .$if(query.missed !== undefined, (q) => q.where(missed, '=', query.missed ?? true))
}

const order: ListOrder<PatrolQuery> = {
  columns: {
    name: { by: sql`patrol_plan.name` },
    schoolName: { by: sql`school.name` },
    createTime: { by: sql`patrol_plan.create_time` },
  },
  usual: sql`school.name, patrol_plan.name, patrol_plan.id`,
  id: sql`patrol_plan.id`,
}

export const pagePatrols = async (db: Db, actor: Actor, query: PatrolQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const visible = filterPatrols(db, actor, query)
  const rows = selectPlans(db).where('patrolPlan.id', 'in', visible).orderBy(toOrderBy(query.orderBy, order))
  const [list, total] = await Promise.all([rows.limit(limit).offset(offset).execute(), countCapped(db, visible)])
  return { list: list as PatrolPlanRow[], ...total }
}

const listPoints = async (db: Db, planIds: readonly number[]): Promise<Map<number, PatrolPointRow[]>> => {
  if (planIds.length === 0) return new Map()
  const rows = await unscoped(db, 'points of visible plans')
    .selectFrom('patrolPoint')
    .leftJoin('place', 'place.id', 'patrolPoint.placeId')
    .select([
      'patrolPoint.planId',
      'patrolPoint.id',
      'patrolPoint.seq',
      'patrolPoint.name',
      'patrolPoint.placeId',
      'patrolPoint.keyPart',
      'place.name as placeName',
    ])
    .where('patrolPoint.planId', 'in', [...planIds])
    .where('patrolPoint.removedAt', 'is', null)
    .orderBy('patrolPoint.seq')
    .execute()
  const points = new Map<number, PatrolPointRow[]>()
  for (const { planId, ...point } of rows) points.set(planId, [...(points.get(planId) ?? []), point])
  return points
}

export const getPatrol = async (db: Db, actor: Actor, id: number): Promise<PatrolPlanDetail> => {
  const visible = scoped(db, actor).selectFrom('patrolPlan').select('patrolPlan.id').where('id', '=', id)
  const row = await selectPlans(db).where('patrolPlan.id', 'in', visible).executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '巡查路线' })
  return { ...row, points: (await listPoints(db, [id])).get(id) ?? [] }
}

export const listPointCodes = async (db: Db, actor: Actor, id: number) => {
  await getPatrol(db, actor, id)
  return unscoped(db, 'points of a visible plan')
    .selectFrom('patrolPoint')
    .select(['id', 'name', 'code'])
    .where('planId', '=', id)
    .where('removedAt', 'is', null)
    .orderBy('seq')
    .execute()
}

const listScans = async (db: Db, actor: Actor, runIds: readonly number[]): Promise<PatrolGrid['scans']> => {
  if (runIds.length === 0) return []
  const rows = await unscoped(db, 'scans of visible rounds')
    .selectFrom('patrolScan')
    .innerJoin('users', 'users.id', 'patrolScan.userId')
    .select([
      'patrolScan.id',
      'patrolScan.runId',
      'patrolScan.pointId',
      'patrolScan.pointName',
      'patrolScan.userId',
      'patrolScan.scannedAt',
      'patrolScan.receivedAt',
      'patrolScan.isOdd',
      'patrolScan.note',
      'users.nickname as userName',
    ])
    .where('patrolScan.runId', 'in', [...runIds])
    .orderBy('patrolScan.scannedAt')
    .execute()
  const attachmentsOf = await listAttachments(
    db,
    actor,
    SCAN_OWNER,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, attachments: attachmentsOf(row.id) }))
}

export const readGrid = async (
  db: Db,
  actor: Actor,
  { id, day = localDay(new Date()) }: { id: number; day?: string | undefined },
): Promise<PatrolGrid> => {
  const { points } = await getPatrol(db, actor, id)
  const runs = await unscoped(db, 'rounds of a visible plan')
    .selectFrom('patrolRun')
    .select(['id', 'day', 'round', 'fromAt', 'toAt', 'state'])
    .where('planId', '=', id)
    .where('day', '=', day)
    .orderBy('round')
    .execute()
  const scans = await listScans(
    db,
    actor,
    runs.map((run) => run.id),
  )
  return { day, points, runs, scans }
}

const MINUTE_MS = 60_000
const MAX_MY_RUNS = 20

/** Rounds whose time has come, those of the person's own school first; the codes of the points are not told. */
export const listMyRuns = async (db: Db, actor: Actor) => {
  const now = new Date()
  const shifted = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS)
  const seen = scoped(db, actor)
  const visible = seen
    .selectFrom('patrolRun')
    .select('patrolRun.id')
    .where('fromAt', '<=', shifted(PATROL_GRACE_MIN))
    .where('toAt', '>=', shifted(-PATROL_GRACE_MIN))
  const all = unscoped(db, 'plans, schools and points of visible rounds')
  const own = all.selectFrom('employee').select('schoolId').where('userId', '=', actor.userId)
  const runs = await all
    .selectFrom('patrolRun')
    .innerJoin('patrolPlan', 'patrolPlan.id', 'patrolRun.planId')
    .innerJoin('school', 'school.id', 'patrolRun.schoolId')
    .selectAll('patrolRun')
    .select(['patrolPlan.name as planName', 'patrolPlan.rounds', 'school.name as schoolName'])
    .where('patrolRun.id', 'in', visible)
    .orderBy(
      (eb) => eb('patrolRun.schoolId', 'in', own),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('patrolRun.toAt')
    .orderBy('patrolRun.id')
    .limit(MAX_MY_RUNS)
    .execute()
  const points = await listPoints(db, [...new Set(runs.map(({ planId }) => planId))])
  const scans = await listScans(
    db,
    actor,
    runs.map(({ id }) => id),
  )
  const next = await seen
    .selectFrom('patrolRun')
    .select('fromAt')
    .where('fromAt', '>', shifted(PATROL_GRACE_MIN))
    .where('fromAt', '<', shifted(MAX_SCAN_AGE_HOURS * 60))
    .orderBy('fromAt')
    .executeTakeFirst()
  const withPoints = runs.map(
    (run): MyPatrolRun => ({
      ...run,
      points: (points.get(run.planId) ?? []).map((point) => ({
        ...point,
        scannedAt: scans.find(({ runId, pointId }) => runId === run.id && pointId === point.id)?.scannedAt ?? null,
      })),
    }),
  )
  return { now, runs: withPoints, nextAt: next?.fromAt ?? null }
}
