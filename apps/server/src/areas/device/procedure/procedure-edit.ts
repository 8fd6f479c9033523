import { codes } from '@tocsin/contract/codes'
import { type BuiltInProcedure, ProcedureDraft, type ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { type ProcedureVerb, whyNotProcedure } from '@tocsin/contract/device/procedure/procedure-machine'
import { sql } from 'kysely'
import type { z } from 'zod'
import { writeAudit } from '#areas/audit/audit'
import {
  changedColumns,
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { canonicalJson } from '#db/canonical-json'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { builtInProcedures, PROCEDURE_NAME } from './procedure-reads.ts'

registerConstraintErrors({
  procedure_name_key: { code: codes.duplicate, params: { field: '规程名称' } },
  procedure_version_procedure_id_fkey: { code: codes.referred, params: { what: PROCEDURE_NAME } },
  procedure_version_publisher: { code: codes.procedurePublisher },
})

type Procedure = Row<'procedure'>

const toJsonb = (steps: readonly ProcedureStep[]) => sql<ProcedureStep[]>`${JSON.stringify(steps)}::jsonb`

type Subject = Pick<ProcedureDraft, 'kind' | 'class' | 'work' | 'fromMin' | 'toMin'>
type Content = Subject & { steps: readonly ProcedureStep[] }

const hasCrossedLimits = ({ min, max }: ProcedureStep): boolean => min !== null && max !== null && min > max

/** Rules over several fields; the table repeats them without naming the field. */
const checkDraft = ({ kind, class: of, work, fromMin, toMin, steps }: Content): void => {
  const [own, other] = kind === 'RESPONSE' ? (['class', 'work'] as const) : (['work', 'class'] as const)
  const values = { class: of, work }
  if (values[own] === null) throw fieldError(ProcedureDraft, own, 'required')
  if (values[other] !== null) throw fieldError(ProcedureDraft, other, 'choice')
  if (fromMin === null && toMin !== null) throw fieldError(ProcedureDraft, 'fromMin', 'required')
  if (fromMin !== null && toMin === null) throw fieldError(ProcedureDraft, 'toMin', 'required')
  if (fromMin !== null && fromMin === toMin) throw fieldError(ProcedureDraft, 'toMin', 'choice')
  if (steps.some(hasCrossedLimits)) throw fieldError(ProcedureDraft, 'steps', 'format')
}

type Change = { action: string; id: number; before?: Procedure | undefined; after?: Procedure | undefined }

const recordChange = async (trx: Db, caller: Caller, { action, id, before, after }: Change): Promise<void> => {
  // Procedures belong to no school, so every reader loads them again.
  await emitEvents(trx, { type: 'procedure.changed', ref: id })
  await writeAudit(trx, {
    ...caller,
    action: `device:procedure:${action}`,
    subject: 'procedure',
    subjectId: id,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })
}

// No key update: a claim that starts a run refers to the procedure and must not wait.
const lockProcedure = async (trx: Db, id: number, version: number | undefined): Promise<Procedure> => {
  const row = await trx.selectFrom('procedure').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: PROCEDURE_NAME })
  await checkVersion(version, row, () => toAuditState(row))
  return row
}

const authorize = (verb: ProcedureVerb, row: Procedure, { actor }: Caller): void => {
  const code = whyNotProcedure(verb, row, { userId: actor.userId, hasPermission: hasPermission(actor) })
  if (code) throw new BusinessError(code, { state: row.status })
}

const insertProcedure = async (
  trx: Db,
  draft: ProcedureDraft,
  { who, editedBy }: { who: Caller; editedBy: number | null },
): Promise<Procedure> => {
  checkDraft(draft)
  const { steps, ...columns } = draft
  const after = await trx
    .insertInto('procedure')
    .values({
      ...columns,
      steps: toJsonb(steps),
      editedBy,
      ...createStamp(who),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(trx, who, { action: 'create', id: after.id, after })
  return after
}

export const createProcedure = (db: Db, draft: ProcedureDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { id } = await insertProcedure(trx, draft, { who: caller, editedBy: caller.actor.userId })
    return id
  })

/** Freezes the draft as the next version. Runs of earlier versions keep theirs. */
const publishLocked = async (trx: Db, before: Procedure, caller: Caller): Promise<void> => {
  authorize('publish', before, caller)
  const { id, kind, steps, versionNo, editedBy, changed } = before
  const no = changed ? (versionNo ?? 0) + 1 : (versionNo ?? 1)
  if (changed)
    await trx
      .insertInto('procedureVersion')
      .values({
        procedureId: id,
        no,
        ...frozenOf(before),
        kind,
        steps: toJsonb(steps),
        draftedBy: editedBy,
        publishedBy: caller.actor.userId,
      })
      .execute()
  const after = await trx
    .updateTable('procedure')
    .set({ status: 'PUBLISHED', versionNo: no, changed: false, publishedAt: sql<Date>`now()`, ...updateStamp(caller) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(trx, caller, { action: 'publish', id, before, after })
}

/** Several copies of one built-in procedure can exist side by side. */
const freeName = async (trx: Db, { kind, name }: BuiltInProcedure): Promise<string> => {
  const rows = await trx.selectFrom('procedure').select('name').where('kind', '=', kind).execute()
  const taken = new Set(rows.map((row) => row.name))
  let candidate = name
  for (let n = 2; taken.has(candidate); n += 1) candidate = `${name} ${n}`
  return candidate
}

type Copy = z.output<typeof procedures.copy.body>

/**
 * A copy is a draft of the caller. Published at once it is in force as it ships: nobody edited it, so nobody else needs to
 * look at it first.
 */
export const copyBuiltIn = (db: Db, { key, publish }: Copy, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const found = builtInProcedures.find((procedure) => procedure.key === key)
    if (!found) throw new BusinessError(codes.notFound, { what: PROCEDURE_NAME })
    const { key: _key, ...draft } = found
    const editedBy = publish ? null : caller.actor.userId
    const row = await insertProcedure(trx, { ...draft, name: await freeName(trx, found) }, { who: caller, editedBy })
    if (publish) await publishLocked(trx, row, caller)
    return row.id
  })

type Edit = z.output<typeof procedures.update.body>

type Frozen = Omit<ProcedureDraft, 'kind'>
/** What a version freezes, without its kind. */
const frozenOf = ({ name, nameEn, class: of, levels, placeKinds, fromMin, toMin, work, steps }: Frozen): Frozen => ({
  name,
  nameEn,
  class: of,
  levels,
  placeKinds,
  fromMin,
  toMin,
  work,
  steps,
})
const contentOf = (of: Frozen) => canonicalJson(frozenOf(of))

const newestVersion = (trx: Db, id: number) =>
  trx.selectFrom('procedureVersion').selectAll().where('procedureId', '=', id).orderBy('no', 'desc').executeTakeFirst()

export const updateProcedure = (db: Db, edit: Edit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockProcedure(trx, edit.id, edit.version)
    authorize('update', before, caller)
    const { steps, ...columns } = changedColumns(edit)
    const next = { ...before, ...columns, ...(steps && { steps }) }
    checkDraft(next)
    const published = await newestVersion(trx, edit.id)
    const after = await trx
      .updateTable('procedure')
      .set({
        ...columns,
        ...(steps && { steps: toJsonb(steps) }),
        changed: !published || contentOf(published) !== contentOf(next),
        editedBy: caller.actor.userId,
        ...updateStamp(caller),
      })
      .where('id', '=', edit.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { action: 'update', id: edit.id, before, after })
    return true
  })

type Ref = { id: number; version: number }

export const publishProcedure = (db: Db, { id, version }: Ref, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await publishLocked(trx, await lockProcedure(trx, id, version), caller)
    return true
  })

export const retireProcedure = (db: Db, { id, version }: Ref, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockProcedure(trx, id, version)
    authorize('retire', before, caller)
    const after = await trx
      .updateTable('procedure')
      .set({ status: 'RETIRED', ...updateStamp(caller) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordChange(trx, caller, { action: 'retire', id, before, after })
    return true
  })

export const deleteProcedure = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockProcedure(trx, id, undefined)
    authorize('delete', before, caller)
    await trx.deleteFrom('procedure').where('id', '=', id).execute()
    await recordChange(trx, caller, { action: 'delete', id, before })
    return true
  })
