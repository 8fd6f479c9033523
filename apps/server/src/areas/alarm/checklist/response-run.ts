import { needsChecklist } from '@tocsin/contract/alarm/checklist'
import { codes } from '@tocsin/contract/codes'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import type { LockedRecord } from '#areas/alarm/verb/verb-context'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'

const runs = (trx: Db) => unscoped(trx, 'the checklist of a record that the caller has locked')

type Plan = { procedureId: number; versionId: number; steps: { text: string }[] }

/** The published plan that fits class, level, kind of place and hour best; no row when none fits. */
const bestPlan = ({ class: of, level, placeId, firstAt }: LockedRecord) => sql<Plan>`
  select p.id as "procedureId", v.id as "versionId", v.steps
  from procedure p join procedure_version v on v.procedure_id = p.id and v.no = p.version_no
  cross join lateral (select (extract(epoch from (${firstAt}::timestamptz at time zone ${zone.name})::time) / 60)::numeric
    as minute) t
  where p.status = 'PUBLISHED' and p.kind = 'RESPONSE' and v.class = ${of}
    and (cardinality(v.levels) = 0 or ${level}::int = any(v.levels))
    and (cardinality(v.place_kinds) = 0
      or (select kind from place where place.id = ${placeId}::bigint)::text = any(v.place_kinds))
    and (v.from_min is null or case when v.from_min < v.to_min
      then t.minute >= v.from_min and t.minute < v.to_min
      else t.minute >= v.from_min or t.minute < v.to_min end)
  order by cardinality(v.place_kinds) = 0, v.from_min is null, cardinality(v.levels) = 0, v.id desc
  limit 1`

/** Starts the plan that fits best. One statement, and nothing when none fits: a claim never fails or waits for a plan. */
const startResponseRun = async (trx: Db, record: LockedRecord): Promise<void> => {
  const { id, schoolId, deptId, ownerId } = record
  await sql`
    insert into procedure_run (kind, procedure_id, version_id, record_id, school_id, dept_id, started_by)
    select 'RESPONSE', best."procedureId", best."versionId", ${id}::bigint, ${schoolId}::bigint, ${deptId}::bigint,
      ${ownerId}::bigint
    from (${bestPlan(record)}) best
    on conflict (record_id) where record_id is not null do nothing`.execute(runs(trx))
}

/** Results move to the steps of the same text; those of steps that the new plan does not have stay in the log only. */
const moveResults = async (trx: Db, runId: number, before: Plan['steps'], after: Plan['steps']): Promise<void> => {
  const results = await trx.deleteFrom('procedureRunStep').where('runId', '=', runId).returningAll().execute()
  const moved = results.flatMap(({ id: _id, no, ...result }) => {
    const at = after.findIndex(({ text }) => text === before[no - 1]?.text)
    return at < 0 ? [] : { ...result, no: at + 1 }
  })
  if (moved.length > 0)
    await trx
      .insertInto('procedureRunStep')
      .values(moved)
      .onConflict((conflict) => conflict.constraint('procedure_run_step_key').doNothing())
      .execute()
}

/**
 * Chooses the plan again for a claimed record that became more severe. A plan that still fits best keeps its version; another
 * one takes its place and begins now, with what was already done of it.
 */
export const followLevel = async (trx: Db, record: LockedRecord): Promise<void> => {
  if (record.mode === 'TEST' || record.claimedAt === null) return
  const run = await runs(trx)
    .selectFrom('procedureRun')
    .innerJoin('procedureVersion', 'procedureVersion.id', 'procedureRun.versionId')
    .select(['procedureRun.id', 'procedureRun.procedureId', 'procedureVersion.steps'])
    .where('procedureRun.recordId', '=', record.id)
    .executeTakeFirst()
  if (!run) return startResponseRun(trx, record)
  const [plan] = (await bestPlan(record).execute(runs(trx))).rows
  if (!plan || plan.procedureId === run.procedureId) return undefined
  const { procedureId, versionId } = plan
  await runs(trx)
    .updateTable('procedureRun')
    .set({ procedureId, versionId, startedAt: sql<Date>`now()` })
    .where('id', '=', run.id)
    .execute()
  return moveResults(trx, run.id, run.steps, plan.steps)
}

type MissingStep = { no: number; text: string; textEn: string }

/** Mandatory steps that are neither done nor skipped; none without a plan. */
export const listMissingSteps = async (trx: Db, recordId: number): Promise<MissingStep[]> => {
  const { rows } = await sql<MissingStep>`
    select step.no::int4 as no, step.value ->> 'text' as text, step.value ->> 'textEn' as "textEn"
    from procedure_run r join procedure_version v on v.id = r.version_id
    cross join lateral jsonb_array_elements(v.steps) with ordinality as step (value, no)
    where r.record_id = ${recordId} and (step.value ->> 'mandatory')::boolean
      and not exists (select from procedure_run_step s where s.run_id = r.id and s.no = step.no)
    order by step.no`.execute(runs(trx))
  return rows
}

/** @throws the error that names the open mandatory steps of an alarm that was real. */
export const assertChecklistDone = async (trx: Db, recordId: number, disposition: string | null): Promise<void> => {
  if (!needsChecklist(disposition)) return
  const missing = await listMissingSteps(trx, recordId)
  if (missing.length === 0) return
  throw new BusinessError(codes.runStepsOpen, {
    count: missing.length,
    steps: missing.map(({ no, text }) => `${no} ${text}`).join('；'),
    stepsEn: missing.map(({ no, textEn }) => `${no} ${textEn}`).join('; '),
  })
}

/** The run ends with its record: done when nothing mandatory is open. A reopened record goes on with the same run. */
const endResponseRun = async (trx: Db, recordId: number): Promise<void> => {
  const missing = await listMissingSteps(trx, recordId)
  await runs(trx)
    .updateTable('procedureRun')
    .set({ state: missing.length === 0 ? 'DONE' : 'ABORTED', endedAt: sql<Date>`now()` })
    .where('recordId', '=', recordId)
    .where('state', '=', 'RUNNING')
    .execute()
}

const resumeResponseRun = async (trx: Db, recordId: number): Promise<void> => {
  await runs(trx)
    .updateTable('procedureRun')
    .set({ state: 'RUNNING', endedAt: null })
    .where('recordId', '=', recordId)
    .execute()
}

/** Called with every change of a record, in its transaction. Button tests need no plan. */
export const updateChecklistForState = async (trx: Db, before: LockedRecord, after: LockedRecord): Promise<void> => {
  if (after.mode === 'TEST') return
  if (before.claimedAt === null && after.claimedAt !== null) await startResponseRun(trx, after)
  if (before.state === 'RESOLVED' && after.state === 'NEW') await followLevel(trx, after)
  if (before.state !== 'CLOSED' && after.state === 'CLOSED') await endResponseRun(trx, after.id)
  if (before.state === 'CLOSED' && after.state !== 'CLOSED') await resumeResponseRun(trx, after.id)
}
