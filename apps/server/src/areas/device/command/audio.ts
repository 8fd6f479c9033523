import { codes } from '@tocsin/contract/codes'
import {
  AUDIO_TTL_SEC,
  type AudioDraft,
  COMMAND_TTL_SEC,
  deviceCommands,
  MAX_AUDIO_SEC,
} from '@tocsin/contract/device/command'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { runEdit } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Caller, type Route, route } from '#http/route'
import type { TimerHandler } from '#timer/scheduler'
import { cancelTimers } from '#timer/timer'
import type { ActingCaller } from '../lifecycle/transition.ts'
import { emitCommandChanged, findDevice, getCommand, insertCommand, withdrawCommand } from './command.ts'
import { AUDIO_TIMER, scheduleAudioStop } from './audio-timer.ts'

const ACTION = deviceCommands.openAudio.permission

registerConstraintErrors({ device_command_audio_key: { code: codes.commandAudioOpen } })

/** A session that expired before it was sent must not keep the next one waiting until its timer. */
const closeExpired = (trx: Db, deviceId: number) =>
  trx
    .updateTable('deviceCommand')
    .set({ stoppedAt: sql<Date>`now()` })
    .where('deviceId', '=', deviceId)
    .where('stopAt', 'is not', null)
    .where('stoppedAt', 'is', null)
    .where('state', '=', 'CREATED')
    .where('sentAt', 'is', null)
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()

/** Opens a sound session. The device is told the limit as well, because it may lose its link. */
export const openAudio = (db: Db, { deviceId, type, reason }: AudioDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const device = await findDevice(trx, caller.actor, deviceId)
    if (device.lifecycle === 'RETIRED') throw new BusinessError(codes.commandRetired)
    if (!(type in device.commandSchema) || !device.capabilities.twoWayAudio)
      throw new BusinessError(codes.commandUnknown)
    await closeExpired(trx, deviceId)
    const { id } = await insertCommand(
      trx,
      device,
      {
        type,
        payload: { ...(type === 'LISTEN' && { on: true }), seconds: MAX_AUDIO_SEC },
        reason,
        ttlSec: AUDIO_TTL_SEC,
        stopSec: MAX_AUDIO_SEC,
        action: ACTION,
      },
      caller,
    )
    await scheduleAudioStop(trx, id, MAX_AUDIO_SEC)
    return id
  })

/**
 * Ends a session once: a person and the timer may come at the same time, and the row decides. A device that may have
 * received the start is told to stop. Without a caller the time was up.
 */
const endAudio = async (trx: Db, id: number, caller: ActingCaller): Promise<boolean> => {
  const command = await trx
    .updateTable('deviceCommand')
    .set({ stoppedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('stopAt', 'is not', null)
    .where('stoppedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!command) return false
  const device = await unscoped(trx, 'the device of a command that was checked, or whose time is up')
    .selectFrom('device')
    .leftJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .select(['device.id', 'device.schoolId', 'device.deptId', 'deviceState.connectivity'])
    .where('device.id', '=', command.deviceId)
    .executeTakeFirstOrThrow()
  // When the time is up, an unsent message has long expired.
  const isWithdrawn = caller !== null && (await withdrawCommand(trx, command))
  const isUnsent = isWithdrawn || (command.sentAt === null && command.state === 'CREATED')
  const stop = command.type === 'LISTEN' ? { type: 'LISTEN' as const, on: false } : { type: 'TALK_STOP' as const }
  // The gateway notes a message as sent a moment after it left: a connected device may have the start all the same.
  const mayHaveCrossed = isWithdrawn && (device.connectivity === 'ONLINE' || device.connectivity === 'LATE')
  if (!isUnsent || mayHaveCrossed) {
    const { type, ...more } = stop
    const payload = { ...more, commandId: command.commandId }
    await insertCommand(trx, device, { type, payload, reason: null, ttlSec: COMMAND_TTL_SEC, action: ACTION }, caller)
  }
  await writeAudit(trx, {
    actor: caller?.actor ?? null,
    origin: caller?.origin ?? null,
    action: ACTION,
    subject: 'device_command',
    subjectId: id,
    before: { stoppedAt: null },
    after: { stoppedAt: command.stoppedAt?.toISOString() ?? null, isAutomatic: caller === null },
  })
  await emitCommandChanged(trx, device)
  return true
}

/** Whoever may open a session at the device may end one of another person, too. */
export const closeAudio = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await getCommand(trx, caller.actor, id)
    if (!(await endAudio(trx, id, caller))) throw new BusinessError(codes.commandAudioOver)
    await cancelTimers(trx, { kind: AUDIO_TIMER, subjectId: id })
    return true
  })

export const audioTimerHandlers: Record<typeof AUDIO_TIMER, TimerHandler> = {
  [AUDIO_TIMER]: {
    most: 20,
    // The same order as a person who stops: the command before its timer.
    lock: async (trx, ids, patient) => {
      const commands = trx
        .selectFrom('deviceCommand')
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forNoKeyUpdate()
      return (await (patient ? commands : commands.skipLocked()).execute()).map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const { subjectId } of keys) await endAudio(trx, subjectId, null)
    },
  },
}

export const audioRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceCommands.openAudio, ({ body, caller }) => openAudio(db, body, caller)),
  route(deviceCommands.closeAudio, ({ body, caller }) => closeAudio(db, body.id, caller)),
]
