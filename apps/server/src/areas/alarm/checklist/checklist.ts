import { type Checklist, checklists, canTick } from '@tocsin/contract/alarm/checklist'
import { codes } from '@tocsin/contract/codes'
import type { z } from 'zod'
import { appendLog } from '#areas/alarm/record-log'
import { lockForUser, rejectWithRecord, type UserVerbContext } from '#areas/alarm/verb/verb-context'
import { writeAudit } from '#areas/audit/audit'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { listSounds } from './step-sound.ts'

const runs = (db: Db) => unscoped(db, 'the checklist of a record that was read within the visibility of the caller')

export const loadChecklist = async (db: Db, recordId: number): Promise<Checklist | null> => {
  const run = await runs(db)
    .selectFrom('procedureRun')
    .innerJoin('procedureVersion', 'procedureVersion.id', 'procedureRun.versionId')
    .select(['procedureRun.id as runId', 'procedureRun.state', 'procedureRun.startedAt'])
    .select(['procedureVersion.name', 'procedureVersion.nameEn', 'procedureVersion.no as versionNo'])
    .select('procedureVersion.steps')
    .where('procedureRun.recordId', '=', recordId)
    .executeTakeFirst()
  if (!run) return null
  const results = await db
    .selectFrom('procedureRunStep')
    .select(['no', 'state', 'userName', 'at', 'note'])
    .where('runId', '=', run.runId)
    .execute()
  const steps = run.steps.map((step, at) => {
    const found = results.find(({ no }) => no === at + 1)
    const { no: _no, ...result } = found ?? { no: at + 1 }
    return { ...step, result: found ? (result as Omit<typeof found, 'no'>) : null }
  })
  const missing = steps.flatMap(({ mandatory, result }, at) => (mandatory && result === null ? [at + 1] : []))
  const sounds = await listSounds(db, recordId)
  return { ...run, steps, missing, sounds }
}

/** The plan that runs for a record the reader sees; null without one. */
export const getChecklist = async (db: Db, actor: Actor, id: number): Promise<Checklist | null> => {
  const record = await scoped(db, actor).selectFrom('warnRecord').select('id').where('id', '=', id).executeTakeFirst()
  if (!record) throw new BusinessError(codes.notFound, { what: '警情' })
  return loadChecklist(db, id)
}

type Outcome = { state: 'DONE' | 'SKIPPED'; note: string | null } | undefined

/** @returns whether anything changed: a second tick of the same step keeps the first name and time. */
const writeResult = async (
  trx: Db,
  { by, now }: UserVerbContext,
  { runId, no, outcome }: { runId: number; no: number; outcome: Outcome },
): Promise<boolean> => {
  if (!outcome) {
    const removed = await trx
      .deleteFrom('procedureRunStep')
      .where('runId', '=', runId)
      .where('no', '=', no)
      // A step that a shift lead skipped stays skipped.
      .where('state', '=', 'DONE')
      .returning('id')
      .executeTakeFirst()
    return removed !== undefined
  }
  const written = await trx
    .insertInto('procedureRunStep')
    .values({ runId, no, ...outcome, userId: by.userId, userName: by.nickname, at: now })
    .onConflict((conflict) => conflict.constraint('procedure_run_step_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

type Change = { id: number; no: number; outcome: Outcome; verb: 'tick' | 'untick' | 'skipStep' }

/** Changes one step under the lock of the record, with an entry in the log of the record. */
const changeStep = (db: Db, caller: Caller, { id, no, outcome, verb }: Change): Promise<Checklist> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const context = await lockForUser(trx, caller.actor, id)
    const { record, all } = context
    if (!canTick(record.state)) throw await rejectWithRecord(context, codes.wrongState, { state: record.state })
    const before = await loadChecklist(trx, id)
    if (!before) throw new BusinessError(codes.checklistMissing)
    const step = before.steps[no - 1]
    if (!step) throw fieldError(checklists.tick.body, 'no', 'choice')
    if (!(await writeResult(trx, context, { runId: before.runId, no, outcome }))) return before
    const { state, schoolId, deptId } = record
    const payload = { step: `${no}. ${step.text}`, ...(outcome?.note && { reason: outcome.note }) }
    const actor = { id: caller.actor.userId, name: caller.actor.nickname }
    await appendLog(all, id, { kind: 'NOTE', verb, actor, from: state, to: state, payload })
    await emitEvents(trx, { type: 'alarm.changed', ref: id, schoolId, deptId })
    const after = await loadChecklist(trx, id)
    if (!after) throw new Error('a checklist does not end while its record is locked')
    await writeAudit(trx, {
      ...caller,
      action: `warn:record:${verb === 'skipStep' ? 'skip' : 'tick'}`,
      subject: 'warn_record',
      subjectId: id,
      before: { missing: before.missing },
      after: { ...payload, missing: after.missing },
    })
    return after
  })

type TickInput = z.output<typeof checklists.tick.body>
type SkipInput = z.output<typeof checklists.skip.body>

export const tickStep = (db: Db, { id, no, done }: TickInput, caller: Caller): Promise<Checklist> =>
  changeStep(db, caller, {
    id,
    no,
    outcome: done ? { state: 'DONE', note: null } : undefined,
    verb: done ? 'tick' : 'untick',
  })

/** A step that cannot be done, with the reason of a shift lead; it no longer blocks the closing. */
export const skipStep = (db: Db, { id, no, reason }: SkipInput, caller: Caller): Promise<Checklist> =>
  changeStep(db, caller, { id, no, outcome: { state: 'SKIPPED', note: reason }, verb: 'skipStep' })
