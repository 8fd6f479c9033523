import { checklists, soundOf, STEP_SIREN_SEC } from '@tocsin/contract/alarm/checklist'
import { codes } from '@tocsin/contract/codes'
import { COMMAND_TTL_SEC, deviceCommands } from '@tocsin/contract/device/command'
import type { z } from 'zod'
import { appendLog } from '#areas/alarm/record-log'
import { lockForUser, rejectWithRecord } from '#areas/alarm/verb/verb-context'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import { insertCommand } from '#areas/device/command/command'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { loadChecklist } from './checklist.ts'
import { findRecordDevice } from './step-sound.ts'

const MAX_REASON = 200

/**
 * Sends the device of an alarm the text or the siren of a step. Whoever works the plan may do exactly what it says, without
 * the right to send any command. @returns the command.
 */
export const soundStep = (
  db: Db,
  { id, no }: z.output<typeof checklists.sound.body>,
  caller: Caller,
): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const context = await lockForUser(trx, caller.actor, id)
    const { record, all } = context
    if (!record.open) throw await rejectWithRecord(context, codes.wrongState, { state: record.state })
    if (record.silent || record.duress) throw new BusinessError(codes.stepSilent)
    const checklist = await loadChecklist(trx, id)
    if (!checklist) throw new BusinessError(codes.checklistMissing)
    const step = checklist.steps[no - 1]
    const type = step && soundOf(step)
    if (!step || !type) throw fieldError(checklists.sound.body, 'no', 'choice')
    const device = await findRecordDevice(trx, id)
    if (!device || !(type in device.commandSchema)) throw new BusinessError(codes.stepSound)
    const text = `${no}. ${step.text}`
    const { state, schoolId, deptId } = record
    await appendLog(all, id, {
      kind: 'COMMAND',
      verb: type === 'SIREN' ? 'sirenStep' : 'speakStep',
      actor: { id: caller.actor.userId, name: caller.actor.nickname },
      from: state,
      to: state,
      payload: { step: text },
    })
    await emitEvents(trx, { type: 'alarm.changed', ref: id, schoolId, deptId })
    const command = await insertCommand(
      trx,
      device,
      {
        type,
        payload: type === 'SIREN' ? { seconds: STEP_SIREN_SEC } : { text: step.text },
        reason: `${record.no} ${text}`.slice(0, MAX_REASON),
        ttlSec: COMMAND_TTL_SEC,
        action: deviceCommands.create.permission,
      },
      caller,
    )
    return command.id
  })
