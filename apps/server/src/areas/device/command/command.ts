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
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route, type Caller } from '#http/route'

/** A device that said it accepts has this long beyond the expiry to say how it went. */
const RUNNING = sql`interval '60 seconds'`

/** FSM J as of now: what was stored, and the clock. */
const currentState = sql<CommandState>`case
  when device_command.state = 'ACCEPTED' and device_command.expires_at + ${RUNNING} < now() then 'TIMEOUT'
  when device_command.state <> 'CREATED' then device_command.state
  when device_command.sent_at is null and device_command.expires_at < now() then 'EXPIRED'
  when device_command.sent_at is null then 'CREATED'
  when device_command.expires_at < now() then 'TIMEOUT'
  else 'SENT' end`

const commandRows = (db: Db) =>
  unscoped(db, 'commands of a device that is read in the visibility of the caller')
    .selectFrom('deviceCommand')
    .leftJoin('users', 'users.id', 'deviceCommand.requestedBy')
    .selectAll('deviceCommand')
    .select([currentState.as('state'), 'users.nickname as requestedByName'])

const findDevice = async (db: Db, actor: Actor, deviceId: number) => {
  const device = await scoped(db, actor)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.lifecycle', 'device.schoolId', 'device.deptId', 'deviceModel.commandSchema'])
    .where('device.id', '=', deviceId)
    .executeTakeFirst()
  if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
  return device
}

const listCommands = async (db: Db, actor: Actor, deviceId: number): Promise<DeviceCommandRow[]> => {
  await findDevice(db, actor, deviceId)
  return commandRows(db)
    .where('deviceCommand.deviceId', '=', deviceId)
    .orderBy('deviceCommand.id', 'desc')
    .limit(50)
    .execute()
}

const getCommand = async (db: Db, actor: Actor, id: number): Promise<DeviceCommandRow> => {
  const row = await commandRows(db).where('deviceCommand.id', '=', id).executeTakeFirst()
  const seen =
    row && (await scoped(db, actor).selectFrom('device').select('id').where('id', '=', row.deviceId).executeTakeFirst())
  if (!row || !seen) throw new BusinessError(codes.notFound, { what: '命令' })
  return row
}

/** What each command carries; what the type needs and is missing is named. */
const toPayload = ({ type, text, seconds, on }: CommandDraft): Record<string, unknown> => {
  if (type === 'PLAY_TTS') {
    if (text === undefined) throw fieldError(CommandDraft, 'text', 'required')
    return { text }
  }
  if (type === 'SIREN') return { seconds: seconds ?? 10 }
  if (type === 'LED') return { on: on ?? true }
  return {}
}

type Addressed = { id: number; schoolId: number | null; deptId: number }

const emitCommandChanged = (trx: Db, { id: ref, schoolId, deptId }: Addressed): Promise<void> =>
  emitEvents(trx, { type: 'device.command', ref, schoolId, deptId }, { type: 'device.outbox', ref, schoolId, deptId })

export const createCommand = (db: Db, draft: CommandDraft, who: Caller): Promise<number> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const device = await findDevice(trx, who.actor, draft.deviceId)
    if (device.lifecycle === 'RETIRED') throw new BusinessError(codes.commandRetired)
    if (!(draft.type in device.commandSchema)) throw new BusinessError(codes.commandUnknown)
    const payload = toPayload(draft)
    const commandId = randomUUID()
    const after = await trx
      .insertInto('deviceCommand')
      .values({
        deviceId: device.id,
        commandId,
        type: draft.type,
        payload: sql<typeof payload>`${JSON.stringify(payload)}::jsonb`,
        reason: draft.reason ?? null,
        requestedBy: who.actor.userId,
        expiresAt: sql<Date>`now() + make_interval(secs => ${COMMAND_TTL_SEC})`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const message = { commandId, type: draft.type, payload, expiresAt: after.expiresAt.getTime() }
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
      ...who,
      action: deviceCommands.create.permission,
      subject: 'device_command',
      subjectId: after.id,
      after: toAuditState(after),
    })
    await emitCommandChanged(trx, device)
    return after.id
  })

/** Only while nobody has sent it: what a device has heard cannot be taken back. */
export const cancelCommand = (db: Db, id: number, who: Caller): Promise<true> =>
  runEdit(db, { userId: who.actor.userId }, async (trx): Promise<true> => {
    const command = await getCommand(trx, who.actor, id)
    const waiting = await trx
      .deleteFrom('deviceOutbox')
      .where('deviceId', '=', command.deviceId)
      .where('channel', '=', 'cmd')
      .where('key', '=', command.commandId)
      .where('sentAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!waiting) throw new BusinessError(codes.commandOver)
    await trx
      .updateTable('deviceCommand')
      .set({ state: 'CANCELLED', finishedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await writeAudit(trx, {
      ...who,
      action: deviceCommands.cancel.permission,
      subject: 'device_command',
      subjectId: id,
      before: { state: command.state },
      after: { state: 'CANCELLED' },
    })
    await emitCommandChanged(trx, await findDevice(trx, who.actor, command.deviceId))
    return true
  })

export const commandRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceCommands.list, ({ query, actor }) => listCommands(db, actor, query.deviceId)),
  route(deviceCommands.get, ({ query, actor }) => getCommand(db, actor, query.id)),
  route(deviceCommands.create, ({ body, caller }) => createCommand(db, body, caller)),
  route(deviceCommands.cancel, ({ body, caller }) => cancelCommand(db, body.id, caller)),
]
