import { codes } from '@tocsin/contract/codes'
import { RolloutDraft } from '@tocsin/contract/device/rollout/rollout'
import {
  openRolloutStates,
  type PersonRolloutVerb,
  rings,
  rolloutRule,
  type RolloutState,
  whyNotRollout,
} from '@tocsin/contract/device/rollout/rollout-machine'
import { sql } from 'kysely'
import {
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { cancelTimers } from '#timer/timer'
import { ROLLOUT_TIMER, scheduleAdvance } from './advance.ts'
import { recordRolloutChange } from './rollout-change.ts'
import { ROLLOUT_NAME } from './rollout-reads.ts'
import { countUnseen, visibleRollouts } from './rollout-sight.ts'
import { beginRollback } from './rollback.ts'
import { withdrawUpdates } from './update-command.ts'

registerConstraintErrors({
  rollout_approver: { code: codes.rolloutApprover },
})

type Rollout = Row<'rollout'>

const MAX_ROWS = 5000

/** The ring of the device at this place, so that ring n holds the first n-th share and never nobody. */
export const ringAt = (place: number, total: number): number =>
  rings.findIndex((share) => place < Math.ceil((total * share) / 100)) + 1

/** Visible devices of the model in service; a fixed shuffle spreads the first rings over schools. */
const listDevices = (trx: Db, { actor }: Caller, modelId: number) =>
  scoped(trx, actor)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select('device.id')
    .where('device.modelId', '=', modelId)
    .where('device.lifecycle', '=', 'IN_SERVICE')
    .where(sql<boolean>`(device_model.capabilities ->> 'ota')::boolean`)
    .orderBy((eb) => eb.fn('md5', [eb.ref('device.sn')]))
    .execute()

type Model = Pick<Rollout, 'kind' | 'modelId'>

/** The lock of the model lets rollouts be created one after the other, each after it has seen the one before. */
const lockModel = (trx: Db, { modelId }: Model) =>
  trx.selectFrom('deviceModel').select('id').where('id', '=', modelId).forNoKeyUpdate().execute()

/** A device takes part in one open rollout of a kind. Rollouts of other devices of the model may be open beside it. */
const assertNoneOpen = async (trx: Db, { kind, modelId }: Model, deviceIds: readonly number[]): Promise<void> => {
  const open = await unscoped(trx, 'whether an open rollout has devices that the caller sees')
    .selectFrom('rolloutDevice')
    .innerJoin('rollout', 'rollout.id', 'rolloutDevice.rolloutId')
    .select('rollout.id')
    .where('rollout.modelId', '=', modelId)
    .where('rollout.kind', '=', kind)
    .where('rollout.state', 'in', openRolloutStates)
    .where(sql<boolean>`rollout_device.device_id = any(${deviceIds})`)
    .limit(1)
    .executeTakeFirst()
  if (open) throw new BusinessError(codes.rolloutOpen)
}

export const createRollout = (db: Db, draft: RolloutDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const program = await trx
      .selectFrom('programPackage')
      .select(['kind', 'modelId'])
      .where('id', '=', draft.packageId)
      .executeTakeFirst()
    if (!program) throw fieldError(RolloutDraft, 'packageId', 'choice')
    await lockModel(trx, program)
    const devices = await listDevices(trx, caller, program.modelId)
    if (devices.length === 0) throw new BusinessError(codes.rolloutEmpty)
    await assertNoneOpen(
      trx,
      program,
      devices.map(({ id }) => id),
    )
    const after = await trx
      .insertInto('rollout')
      .values({ ...draft, ...program, ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    const rows = devices.map(({ id: deviceId }, at) => ({
      rolloutId: after.id,
      deviceId,
      ring: ringAt(at, devices.length),
    }))
    // A statement has at most 65,535 parameters.
    for (let at = 0; at < rows.length; at += MAX_ROWS)
      await trx
        .insertInto('rolloutDevice')
        .values(rows.slice(at, at + MAX_ROWS))
        .execute()
    await recordRolloutChange(trx, caller, { action: 'create', id: after.id, after })
    return after.id
  })

type Ref = { id: number; version: number | undefined }

/** Locks a rollout that the caller sees and may change. */
const lockRollout = async (
  trx: Db,
  { actor }: Caller,
  { verb, id, version }: Ref & { verb: PersonRolloutVerb },
): Promise<Rollout> => {
  const row = await visibleRollouts(trx, actor)
    .selectAll('rollout')
    .where('rollout.id', '=', id)
    .forNoKeyUpdate('rollout')
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: ROLLOUT_NAME })
  await checkVersion(version, row, () => toAuditState(row))
  const unseen = (await countUnseen(trx, actor, [id])).get(id) ?? 0
  const code = whyNotRollout(verb, { ...row, unseen }, { userId: actor.userId, hasPermission: hasPermission(actor) })
  if (code) throw new BusinessError(code, { state: row.state })
  return row
}

export const deleteRollout = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockRollout(trx, caller, { verb: 'delete', id, version: undefined })
    await trx.deleteFrom('rollout').where('id', '=', id).execute()
    await recordRolloutChange(trx, caller, { action: 'delete', id, before })
    return true
  })

/** Columns that a verb writes beside the state. */
const columnsFor = (verb: PersonRolloutVerb, { ring, startedAt }: Rollout, caller: Caller, reason: string | null) => {
  switch (verb) {
    case 'approve':
      return { approvedBy: caller.actor.userId }
    case 'start':
      return { ring: Math.max(ring, 1), startedAt: startedAt ?? sql<Date>`now()` }
    case 'abort':
      return { reason, endedAt: sql<Date>`now()` }
    case 'rollBack':
      return { reason, endedAt: sql<Date>`now()`, rollbackAt: sql<Date>`now()` }
    default:
      return {}
  }
}

type Input = { id: number; version: number; reason?: string }

/** Applies a verb of a person by the state machine. */
export const applyRolloutVerb = (
  db: Db,
  caller: Caller,
  verb: Exclude<PersonRolloutVerb, 'delete'>,
  input: Input,
): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockRollout(trx, caller, { ...input, verb })
    const after = await trx
      .updateTable('rollout')
      .set({
        ...columnsFor(verb, before, caller, input.reason ?? null),
        state: rolloutRule(verb).to as RolloutState,
        ...updateStamp(caller),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await cancelTimers(trx, { kind: ROLLOUT_TIMER, subjectId: before.id })
    if (after.state !== 'RING') await withdrawUpdates(trx, before.id)
    const goesOn = after.state === 'RING' || (verb === 'rollBack' && (await beginRollback(trx, after)))
    if (goesOn) await scheduleAdvance(trx, before.id)
    await recordRolloutChange(trx, caller, {
      action: verb === 'rollBack' ? 'roll-back' : verb,
      id: before.id,
      before,
      after,
    })
    return true
  })
