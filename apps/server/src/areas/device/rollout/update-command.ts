import { COMMAND_TTL_SEC } from '@tocsin/contract/device/command'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { deviceFileLink } from '#areas/files/file-store'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

type Target = { deviceId: number; schoolId: number | null; deptId: number }
type Package = Pick<Row<'programPackage'>, 'kind' | 'release' | 'fileId' | 'size' | 'sha256' | 'signature'>

/** The payload of an UPDATE command: what to fetch, how to check it, under which number to report. */
export const updatePayload = (rolloutId: number, program: Package): Record<string, unknown> => ({
  rolloutId: String(rolloutId),
  kind: program.kind,
  version: program.release,
  // Good for ten minutes, as long as the command; a device that was away gets a new one.
  url: deviceFileLink(program.fileId),
  size: program.size,
  sha256: program.sha256,
  signature: program.signature,
})

export const rollbackPayload = (rolloutId: number, program: Package): Record<string, unknown> => ({
  rolloutId: String(rolloutId),
  kind: program.kind,
  version: program.release,
  rollback: true,
})

/** Puts the command on its way like any other command of a device. */
export const sendUpdate = async (
  trx: Db,
  { deviceId, schoolId, deptId }: Target,
  { payload, userId }: { payload: Record<string, unknown>; userId: number | null },
): Promise<void> => {
  const commandId = randomUUID()
  // Whoever reads the commands of a device does not get the package.
  const { url: _url, ...stored } = payload
  const json = sql<Record<string, unknown>>`${JSON.stringify(stored)}::jsonb`
  const command = await trx
    .insertInto('deviceCommand')
    .values({
      deviceId,
      commandId,
      type: 'UPDATE',
      payload: json,
      requestedBy: userId,
      expiresAt: sql<Date>`now() + make_interval(secs => ${COMMAND_TTL_SEC})`,
    })
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  const message = { commandId, type: 'UPDATE', payload, expiresAt: command.expiresAt.getTime() }
  await trx
    .insertInto('deviceOutbox')
    .values({
      deviceId,
      channel: 'cmd',
      key: commandId,
      payload: sql<object>`${JSON.stringify(message)}::jsonb`,
      expiresAt: command.expiresAt,
    })
    .execute()
  const to = { ref: deviceId, schoolId, deptId }
  await emitEvents(trx, { type: 'device.command', ...to }, { type: 'device.outbox', ...to })
}

/**
 * Takes back what no device has received yet, so that nothing starts after a halt. A device whose command never left waits
 * again as before it: an attempt that was not made counts neither as a try nor as a start.
 */
export const withdrawUpdates = async (trx: Db, rolloutId: number): Promise<void> => {
  await sql`
    with withdrawn as (
      delete from device_outbox o using device_command c
      where c.command_id = o.key and o.channel = 'cmd' and o.sent_at is null
        and c.type = 'UPDATE' and c.payload ->> 'rolloutId' = ${String(rolloutId)}
        and c.device_id in (select device_id from rollout_device where rollout_id = ${rolloutId})
        and o.device_id = c.device_id
      returning o.key, o.device_id, c.payload ? 'rollback' as is_rollback
    ),
    waiting as (
      update rollout_device r set state = 'QUEUED', attempts = greatest(r.attempts - w.commands, 0), changed_at = now()
      from (select device_id, count(*)::int4 as commands from withdrawn where not is_rollback group by device_id) w
      where r.rollout_id = ${rolloutId} and r.device_id = w.device_id and r.state = 'INITIATED'
    )
    update device_command set state = 'CANCELLED', finished_at = now()
    where command_id in (select key from withdrawn)`.execute(unscoped(trx, 'commands of one rollout'))
}
