import { codes } from '@tocsin/contract/codes'
import type { RunDetail, RunQuery, RunRow, WorkChoice } from '@tocsin/contract/device/procedure/run'
import { sql } from 'kysely'
import { listAttachments } from '#areas/files/attachment'
import { loadPlacePaths } from '#areas/school/place'
import type { AllTablesDb, Db, UnscopedDb } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'
import { toOffsetLimit } from '#http/time-window'

export const RUN_NAME = '作业'
/** The owner type of attachments of steps; they are as visible as the run. */
export const STEP_OWNER = 'procedure_run_step'

const withNames = (db: AllTablesDb) => unscoped(db, 'names on runs that were read within the visibility of the caller')

const nameOf = (_all: UnscopedDb, column: string) =>
  sql<string | null>`(select nickname from users where users.id = ${sql.ref(column)})`
const snOf = (_all: UnscopedDb) => sql<string | null>`(select sn from device where device.id = procedure_run.device_id)`
const schoolOf = (_all: UnscopedDb) =>
  sql<string | null>`(select name from school where school.id = procedure_run.school_id)`
const recordNoOf = (_all: UnscopedDb) =>
  sql<string | null>`(select no from warn_record where warn_record.id = procedure_run.record_id)`
const doneCount = (_all: UnscopedDb) => sql<number>`(
  select count(*)::int4 from procedure_run_step s where s.run_id = procedure_run.id and s.state = 'DONE')`

const findRuns = (db: Db, actor: Actor, query: Partial<RunQuery>) => {
  const { procedureId, deviceId, orderId, state, mine } = query
  return (
    scoped(db, actor)
      .selectFrom('procedureRun')
      .innerJoin('procedureVersion', 'procedureVersion.id', 'procedureRun.versionId')
      // Checklists of alarms only for readers of alarms.
      .$if(!hasPermission(actor)('warn:record:query'), (q) => q.where('procedureRun.kind', '=', 'WORK'))
      .$if(procedureId !== undefined, (q) => q.where('procedureRun.procedureId', '=', procedureId ?? 0))
      .$if(deviceId !== undefined, (q) => q.where('procedureRun.deviceId', '=', deviceId ?? 0))
      .$if(orderId !== undefined, (q) => q.where('procedureRun.orderId', '=', orderId ?? 0))
      .$if(!!state?.length, (q) => q.where('procedureRun.state', 'in', state ?? []))
      .$if(mine !== undefined, (q) => q.where('procedureRun.startedBy', mine ? '=' : 'is distinct from', actor.userId))
  )
}

const order: ListOrder<RunQuery> = {
  columns: {
    startedAt: { by: sql`procedure_run.started_at` },
    endedAt: { by: sql`procedure_run.ended_at`, nullable: true },
  },
  usual: sql`procedure_run.started_at desc, procedure_run.id desc`,
  id: sql`procedure_run.id`,
}

const selectRuns = (all: UnscopedDb, found: ReturnType<typeof findRuns>, orderBy?: RunQuery['orderBy']) =>
  found
    .selectAll('procedureRun')
    .select(['procedureVersion.name', 'procedureVersion.nameEn', 'procedureVersion.no as versionNo'])
    .select(['procedureVersion.work'])
    .select([
      snOf(all).as('sn'),
      recordNoOf(all).as('recordNo'),
      schoolOf(all).as('schoolName'),
      nameOf(all, 'procedure_run.started_by').as('startedByName'),
      sql<number>`jsonb_array_length(procedure_version.steps)`.as('stepCount'),
      doneCount(all).as('doneCount'),
    ])
    .orderBy(toOrderBy(orderBy, order))

export const pageRuns = async (db: Db, actor: Actor, query: RunQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = findRuns(db, actor, query)
  const [list, total] = await Promise.all([
    selectRuns(withNames(scoped(db, actor)), found, query.orderBy)
      .limit(limit)
      .offset(offset)
      .execute(),
    countCapped(db, found.select('procedureRun.id')),
  ])
  return { list: list as RunRow[], ...total }
}

const placePathOf = async (db: Db, actor: Actor, deviceId: number | null): Promise<string | null> => {
  if (deviceId === null) return null
  const place = await scoped(db, actor)
    .selectFrom('schoolDevice')
    .select('placeId')
    .where('deviceId', '=', deviceId)
    .where('validTo', 'is', null)
    .executeTakeFirst()
  if (!place) return null
  return (await loadPlacePaths(scoped(db, actor), [place.placeId])).get(place.placeId) ?? null
}

/** One run of a work procedure; checklists of alarms are read through the alarm. */
export const getRun = async (db: Db, actor: Actor, id: number): Promise<RunDetail> => {
  const all = withNames(scoped(db, actor))
  const found = findRuns(db, actor, {}).where('procedureRun.id', '=', id).where('procedureRun.kind', '=', 'WORK')
  const run = await selectRuns(all, found).select('procedureVersion.steps').executeTakeFirst()
  if (!run) throw new BusinessError(codes.notFound, { what: RUN_NAME })
  const results = await all.selectFrom('procedureRunStep').selectAll().where('runId', '=', id).execute()
  const attached = await listAttachments(
    db,
    actor,
    STEP_OWNER,
    results.map((result) => result.id),
  )
  const resultOf = (no: number) => {
    const result = results.find((result) => result.no === no)
    return result ? { ...result, attachments: attached(result.id) } : null
  }
  const { steps, ...row } = run
  return {
    ...row,
    placePath: await placePathOf(db, actor, run.deviceId),
    steps: steps.map((step, at) => ({ ...step, result: resultOf(at + 1) })),
  }
}

/** The newest version of each work procedure in force. */
export const listWorkChoices = async (db: Db): Promise<WorkChoice[]> => {
  const rows = await db
    .selectFrom('procedure')
    .innerJoin('procedureVersion', (join) =>
      join
        .onRef('procedureVersion.procedureId', '=', 'procedure.id')
        .onRef('procedureVersion.no', '=', 'procedure.versionNo'),
    )
    .select(['procedure.id', 'procedureVersion.name', 'procedureVersion.nameEn', 'procedureVersion.work'])
    .select(sql<number>`jsonb_array_length(procedure_version.steps)`.as('stepCount'))
    .where('procedure.status', '=', 'PUBLISHED')
    .where('procedure.kind', '=', 'WORK')
    .orderBy('procedureVersion.name')
    .execute()
  return rows.flatMap(({ work, ...row }) => (work === null ? [] : [{ ...row, work }]))
}
