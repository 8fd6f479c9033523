import type { CommandType } from '@tocsin/contract/device/model'
import { codes } from '@tocsin/contract/codes'
import {
  COMMAND_TTL_SEC,
  CommandDraft,
  type CommandState,
  type DeviceCommandRow,
  deviceCommands,
} from '@tocsin/contract/device/command'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { fieldError, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route, type Caller } from '#http/route'
import { isOfOwnSchoolPeriod } from '../lifecycle/own-school-period.ts'
import type { ActingCaller } from '../lifecycle/transition.ts'

/** A device that accepted a command has this long beyond the expiry to report the result. */
const RUNNING = sql`interval '60 seconds'`

/** FSM J as of now: derived from the stored state and the clock. */
const currentState = sql<CommandState>`case
  when device_command.state = 'ACCEPTED' and device_command.expires_at + ${RUNNING} < now() then 'TIMEOUT'
  when device_command.state <> 'CREATED' then device_command.state
  when device_command.sent_at is null and device_command.expires_at < now() then 'EXPIRED'
  when device_command.sent_at is null then 'CREATED'
  when device_command.expires_at < now() then 'TIMEOUT'
  when device_command.delivered_at is not null then 'DELIVERED'
  else 'SENT' end`

const commandRows = (db: Db) =>
  unscoped(db, 'commands of a device that is read in the visibility of the caller')
    .selectFrom('deviceCommand')
    .leftJoin('users', 'users.id', 'deviceCommand.requestedBy')
    .selectAll('deviceCommand')
    .select([currentState.as('state'), 'users.nickname as requestedByName'])

const isDeviceVisible = async (db: Db, actor: Actor, id: number): Promise<boolean> =>
  (await scoped(db, actor).selectFrom('device').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export const findDevice = async (db: Db, actor: Actor, deviceId: number) => {
  const device = await scoped(db, actor)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.lifecycle', 'device.schoolId', 'device.deptId'])
    .select(['deviceModel.commandSchema', 'deviceModel.capabilities'])
    .where('device.id', '=', deviceId)
    .executeTakeFirst()
  if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
  return device
}

/** The columns of the answer; the school decides only who sees the row. */
const withoutSchool = <T extends { schoolId: number | null }>({ schoolId: _school, ...row }: T) => row

/** Each school sees the commands of the time in which it held the device, also when the device is gone. */
const listCommands = async (db: Db, actor: Actor, deviceId: number): Promise<DeviceCommandRow[]> => {
  const rows = await commandRows(db)
    .where('deviceCommand.deviceId', '=', deviceId)
    .where(isOfOwnSchoolPeriod(actor, sql.ref('device_command.school_id')))
    .orderBy('deviceCommand.id', 'desc')
    .limit(50)
    .execute()
  const own = rows.filter(({ schoolId }) => schoolId !== null)
  if (own.length > 0 && !(await isDeviceVisible(db, actor, deviceId))) return own.map(withoutSchool)
  await findDevice(db, actor, deviceId)
  return rows.map(withoutSchool)
}

/** Commands that were sent while the record was open, to users who see the record. */
const listCommandsOfRecord = async (db: Db, actor: Actor, recordId: number): Promise<DeviceCommandRow[]> => {
  const seen = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '警情' })
  const rows = await commandRows(db)
    .where('deviceCommand.recordId', '=', recordId)
    .orderBy('deviceCommand.id', 'desc')
    .limit(50)
    .execute()
  return rows.map(withoutSchool)
}

export const getCommand = async (db: Db, actor: Actor, id: number): Promise<DeviceCommandRow> => {
  const row = await commandRows(db)
    .where('deviceCommand.id', '=', id)
    .where(isOfOwnSchoolPeriod(actor, sql.ref('device_command.school_id')))
    .executeTakeFirst()
  const isSeen = row && (row.schoolId !== null || (await isDeviceVisible(db, actor, row.deviceId)))
  if (!row || !isSeen) throw new BusinessError(codes.notFound, { what: '命令' })
  return withoutSchool(row)
}

/** The payload of each command; a missing required value is named. */
const toPayload = ({ type, text, seconds, on }: CommandDraft): Record<string, unknown> => {
  if (type === 'PLAY_TTS') {
    if (text === undefined) throw fieldError(CommandDraft, 'text', 'required')
    return { text }
  }
  if (type === 'SIREN') return { seconds: seconds ?? 10 }
  if (type === 'LED') return { on: on ?? true }
  return {}
}

export type Addressed = { id: number; schoolId: number | null; deptId: number }

export const emitCommandChanged = (trx: Db, { id: ref, schoolId, deptId }: Addressed): Promise<void> =>
  emitEvents(trx, { type: 'device.command', ref, schoolId, deptId }, { type: 'device.outbox', ref, schoolId, deptId })

/** The last open record of a device: what is sent to the device now belongs to it. */
const openRecordOf = ({ id, deptId }: Addressed) => sql<number | null>`(
  select max(record.id) from warn_record record
  where record.dept_id = ${deptId} and record.open and record.device_id = ${id})`

type NewCommand = {
  type: CommandType
  payload: Record<string, unknown>
  reason: string | null
  ttlSec: number
  /** Of a sound session: seconds until it stops by itself. */
  stopSec?: number
  action: string
}

/** Stores a command and its message, with audit and events. Without a caller the server itself sends it. */
export const insertCommand = async (
  trx: Db,
  device: Addressed,
  { type, payload, reason, ttlSec, stopSec, action }: NewCommand,
  caller: ActingCaller,
) => {
  const commandId = randomUUID()
  const after = await trx
    .insertInto('deviceCommand')
    .values({
      deviceId: device.id,
      schoolId: device.schoolId,
      commandId,
      type,
      payload: sql<typeof payload>`${JSON.stringify(payload)}::jsonb`,
      reason,
      requestedBy: caller?.actor.userId ?? null,
      recordId: openRecordOf(device),
      expiresAt: sql<Date>`now() + make_interval(secs => ${ttlSec})`,
      ...(stopSec !== undefined && { stopAt: sql<Date>`now() + make_interval(secs => ${stopSec})` }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const message = { commandId, type, payload, expiresAt: after.expiresAt.getTime() }
  await trx
    .insertInto('deviceOutbox')
    .values({
      deviceId: device.id,
      channel: 'cmd',
      key: commandId,
      payload: sql<object>`${JSON.stringify(message)}::jsonb`,
      expiresAt: after.expiresAt,
    })
    .execute()
  await writeAudit(trx, {
    actor: caller?.actor ?? null,
    origin: caller?.origin ?? null,
    action,
    subject: 'device_command',
    subjectId: after.id,
    after: toAuditState(after),
  })
  await emitCommandChanged(trx, device)
  return after
}

export const createCommand = (db: Db, draft: CommandDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const device = await findDevice(trx, caller.actor, draft.deviceId)
    if (device.lifecycle === 'RETIRED') throw new BusinessError(codes.commandRetired)
    if (device.lifecycle === 'LOST') throw new BusinessError(codes.commandLost)
    if (!(draft.type in device.commandSchema)) throw new BusinessError(codes.commandUnknown)
    const { id } = await insertCommand(
      trx,
      device,
      {
        type: draft.type,
        payload: toPayload(draft),
        reason: draft.reason ?? null,
        ttlSec: COMMAND_TTL_SEC,
        action: deviceCommands.create.permission,
      },
      caller,
    )
    return id
  })

/**
 * Withdraws a command whose message has not been sent, and cancels it.
 * @returns whether the device cannot have received it
 */
export const withdrawCommand = async (
  trx: Db,
  { id, deviceId, commandId }: Pick<Row<'deviceCommand'>, 'id' | 'deviceId' | 'commandId'>,
): Promise<boolean> => {
  const waiting = await trx
    .selectFrom('deviceOutbox')
    .select('id')
    .where('deviceId', '=', deviceId)
    .where('channel', '=', 'cmd')
    .where('key', '=', commandId)
    .where('sentAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!waiting) return false
  // First, because deleting the message of any other command says that it has arrived.
  await trx
    .updateTable('deviceCommand')
    .set({ state: 'CANCELLED', finishedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('deviceOutbox').where('id', '=', waiting.id).execute()
  return true
}

/** Only before it was sent: a device cannot undo what it received. */
export const cancelCommand = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const command = await getCommand(trx, caller.actor, id)
    // A sound session has a timer, and a permission of its own.
    if (command.stopAt !== null) throw new BusinessError(codes.commandOver)
    if (!(await withdrawCommand(trx, command))) throw new BusinessError(codes.commandOver)
    await writeAudit(trx, {
      ...caller,
      action: deviceCommands.cancel.permission,
      subject: 'device_command',
      subjectId: id,
      before: { state: command.state },
      after: { state: 'CANCELLED' },
    })
    await emitCommandChanged(trx, await findDevice(trx, caller.actor, command.deviceId))
    return true
  })

export const commandRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceCommands.list, ({ query, actor }) => listCommands(db, actor, query.deviceId)),
  route(deviceCommands.listOfRecord, ({ query, actor }) => listCommandsOfRecord(db, actor, query.recordId)),
  route(deviceCommands.get, ({ query, actor }) => getCommand(db, actor, query.id)),
  route(deviceCommands.create, ({ body, caller }) => createCommand(db, body, caller)),
  route(deviceCommands.cancel, ({ body, caller }) => cancelCommand(db, body.id, caller)),
]
