import { codes } from '@tocsin/contract/codes'
import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { runRule, type RunVerb, whyNotRun } from '@tocsin/contract/device/procedure/procedure-machine'
import { type RunDetail, type RunStart, RunStepDraft, type StepState } from '@tocsin/contract/device/procedure/run'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { checkVersion, fieldError, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { replaceAttachments } from '#areas/files/attachment'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { getRun, RUN_NAME, STEP_OWNER } from './run-reads.ts'

registerConstraintErrors({
  procedure_run_device_key: { code: codes.runOpen },
  procedure_run_device_id_fkey: { code: codes.referred, params: { what: '设备' } },
  procedure_run_order_id_fkey: { code: codes.referred, params: { what: '维修工单' } },
  procedure_run_school_id_fkey: { code: codes.referred, params: { what: '学校' } },
  procedure_run_dept_id_fkey: { code: codes.referred, params: { what: '部门' } },
})

type Run = Row<'procedureRun'>

const recordChange = async (
  trx: Db,
  caller: Caller,
  { action, before, after, more }: { action: string; before?: Run; after: Run; more?: Record<string, unknown> },
): Promise<void> => {
  const { id: ref, schoolId, deptId } = after
  await emitEvents(trx, { type: 'run.changed', ref, schoolId, deptId })
  await writeAudit(trx, {
    ...caller,
    action: `device:procedure:${action}`,
    subject: 'procedure_run',
    subjectId: after.id,
    before: before ? toAuditState(before) : null,
    after: { ...toAuditState(after), ...more },
  })
}

/** The order must be visible and concern the same device. */
const checkOrder = async (trx: Db, { actor }: Caller, { orderId, deviceId }: RunStart): Promise<void> => {
  if (!orderId) return
  const order = await scoped(trx, actor)
    .selectFrom('maintenanceOrder')
    .select('id')
    .where('id', '=', orderId)
    .where('deviceId', '=', deviceId)
    .executeTakeFirst()
  if (!order) throw new BusinessError(codes.notFound, { what: '维修工单' })
}

/** Starts the version in force at a device that the caller sees. */
export const startRun = (db: Db, start: RunStart, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const device = await scoped(trx, caller.actor)
      .selectFrom('device')
      .select(['id', 'schoolId', 'deptId'])
      .where('id', '=', start.deviceId)
      .executeTakeFirst()
    if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
    await checkOrder(trx, caller, start)
    const version = await trx
      .selectFrom('procedureVersion')
      .innerJoin('procedure', (join) =>
        join
          .onRef('procedure.id', '=', 'procedureVersion.procedureId')
          .onRef('procedure.versionNo', '=', 'procedureVersion.no'),
      )
      .select('procedureVersion.id')
      .where('procedure.id', '=', start.procedureId)
      .where('procedure.kind', '=', 'WORK')
      .where('procedure.status', '=', 'PUBLISHED')
      .executeTakeFirst()
    if (!version) throw new BusinessError(codes.runRetired)
    const after = await unscoped(trx, 'a run at a device that was read within the visibility of the caller')
      .insertInto('procedureRun')
      .values({
        kind: 'WORK',
        procedureId: start.procedureId,
        versionId: version.id,
        deviceId: device.id,
        orderId: start.orderId ?? null,
        schoolId: device.schoolId,
        deptId: device.deptId,
        startedBy: caller.actor.userId,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { action: 'start', after })
    return after.id
  })

type Ref = { id: number; version: number }

const lockRun = async (trx: Db, { actor }: Caller, { id, version }: Ref): Promise<Run> => {
  const run: Run | undefined = await scoped(trx, actor)
    .selectFrom('procedureRun')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'WORK')
    .forUpdate()
    .executeTakeFirst()
  if (!run) throw new BusinessError(codes.notFound, { what: RUN_NAME })
  await checkVersion(version, run, () => toAuditState(run))
  return run
}

type Progress = { steps: readonly ProcedureStep[]; done: ReadonlySet<number> }

const loadProgress = async (trx: Db, { id, versionId }: Run): Promise<Progress> => {
  const { steps } = await trx
    .selectFrom('procedureVersion')
    .select('steps')
    .where('id', '=', versionId)
    .executeTakeFirstOrThrow()
  const rows = await trx
    .selectFrom('procedureRunStep')
    .select('no')
    .where('runId', '=', id)
    .where('state', '=', 'DONE')
    .execute()
  return { steps, done: new Set(rows.map(({ no }) => no)) }
}

/** Numbers of mandatory steps that are not done. */
const listMissing = ({ steps, done }: Progress): number[] =>
  steps.flatMap(({ mandatory }, at) => (mandatory && !done.has(at + 1) ? [at + 1] : []))

const authorize = (verb: RunVerb, run: Run, missing: readonly number[]): void => {
  const code = whyNotRun(verb, { state: run.state, missing: missing.length })
  const steps = missing.join(', ')
  if (code) throw new BusinessError(code, { state: run.state, count: missing.length, steps, stepsEn: steps })
}

const touchRun = (trx: Db, { id }: Run, set: Partial<Run> = {}) =>
  unscoped(trx, 'the run was locked within the visibility of the caller')
    .updateTable('procedureRun')
    .set({ ...set, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const isOutside = (value: number, { min, max }: ProcedureStep): boolean =>
  (min !== null && value < min) || (max !== null && value > max)

/** Checks the evidence that the step asks for. A reading outside its limits is stored as a failed step. */
const checkEvidence = (
  { evidence, ...step }: ProcedureStep,
  { reading, scan, attachments = [] }: RunStepDraft,
  { sn, photos }: { sn: string; photos: number },
): StepState => {
  if (evidence === 'PHOTO' && attachments.length === 0 && photos === 0)
    throw fieldError(RunStepDraft, 'attachments', 'required')
  if (evidence === 'SCAN') {
    if (!scan) throw fieldError(RunStepDraft, 'scan', 'required')
    // A label holds an address that ends with the serial number.
    if (!scan.toUpperCase().endsWith(sn.toUpperCase())) throw fieldError(RunStepDraft, 'scan', 'choice')
  }
  if (evidence !== 'READING') return 'DONE'
  if (reading == null) throw fieldError(RunStepDraft, 'reading', 'required')
  return isOutside(reading, { evidence, ...step }) ? 'FAILED' : 'DONE'
}

const countPhotos = async (trx: Db, run: Run, no: number): Promise<number> => {
  const rows = await trx
    .selectFrom('procedureRunStep')
    .innerJoin('attachment', (join) =>
      join.onRef('attachment.ownerId', '=', 'procedureRunStep.id').on('attachment.ownerType', '=', STEP_OWNER),
    )
    .select('attachment.id')
    .where('procedureRunStep.runId', '=', run.id)
    .where('procedureRunStep.no', '=', no)
    .execute()
  return rows.length
}

const snOf = async (trx: Db, { deviceId }: Run): Promise<string> => {
  const device = await unscoped(trx, 'the device of a run that the caller sees')
    .selectFrom('device')
    .select('sn')
    .where('id', '=', deviceId ?? 0)
    .executeTakeFirstOrThrow()
  return device.sn
}

const writeStep = async (trx: Db, run: Run, draft: RunStepDraft, { state, who }: { state: StepState; who: Caller }) => {
  const columns = {
    state,
    userId: who.actor.userId,
    userName: who.actor.nickname,
    at: sql<Date>`now()`,
    reading: draft.reading ?? null,
    scan: draft.scan ?? null,
    note: draft.note ?? null,
  }
  const row = await trx
    .insertInto('procedureRunStep')
    .values({ runId: run.id, no: draft.no, ...columns })
    .onConflict((conflict) => conflict.constraint('procedure_run_step_key').doUpdateSet(columns))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (draft.attachments)
    await replaceAttachments(trx, {
      ownerType: STEP_OWNER,
      ownerId: row.id,
      files: draft.attachments,
      actor: who.actor,
    })
}

/** Completes one step with its evidence; mandatory steps before it must be done. */
export const completeStep = async (db: Db, draft: RunStepDraft, caller: Caller): Promise<RunDetail> => {
  await runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const before = await lockRun(trx, caller, draft)
    const progress = await loadProgress(trx, before)
    authorize('step', before, [])
    const step = progress.steps[draft.no - 1]
    if (!step) throw fieldError(RunStepDraft, 'no', 'choice')
    const earlier = listMissing(progress).find((no) => no < draft.no)
    if (earlier !== undefined) throw new BusinessError(codes.runOrder, { no: earlier })
    const photos = await countPhotos(trx, before, draft.no)
    const state = checkEvidence(step, draft, { sn: await snOf(trx, before), photos })
    await writeStep(trx, before, draft, { state, who: caller })
    const after = await touchRun(trx, before)
    await recordChange(trx, caller, { action: 'step', before, after, more: { no: draft.no, step: state } })
  })
  return getRun(db, caller.actor, draft.id)
}

/** Ends a run by the state machine. */
export const endRun = (
  db: Db,
  caller: Caller,
  verb: 'finish' | 'fail' | 'abort',
  input: Ref & { reason?: string },
): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockRun(trx, caller, input)
    authorize(verb, before, listMissing(await loadProgress(trx, before)))
    const { to } = runRule(verb)
    const after = await touchRun(trx, before, {
      state: to === 'same' ? before.state : to,
      reason: input.reason ?? null,
      endedAt: new Date(),
    })
    await recordChange(trx, caller, { action: verb, before, after })
    return true
  })
