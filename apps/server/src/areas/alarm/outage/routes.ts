import { MAX_OUTAGE_DEVICES, type Outage, type OutageDeviceState, outages } from '@tocsin/contract/alarm/outage'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, type Route, route } from '#http/route'
import { raiseMember } from './raise-devices.ts'

type Wanted = { outageId?: number | undefined; recordId?: number | undefined }

const memberState = sql<OutageDeviceState>`case when outage_device.raised_at is not null then 'RAISED'
  when outage_device.restored_at is not null then 'RESTORED' else 'OFFLINE' end`

/** The outage of visible devices. A user of a school sees the outage of the district only through its own devices. */
const getOutage = async (db: Db, actor: Actor, { outageId: given, recordId }: Wanted): Promise<Outage | null> => {
  const visible = scoped(db, actor)
  const outageId =
    given ??
    (
      await visible
        .selectFrom('outage')
        .select('id')
        .where('recordId', '=', recordId ?? 0)
        .orderBy('id', 'desc')
        .executeTakeFirst()
    )?.id
  const members = visible.selectFrom('outageDevice').where('outageDevice.outageId', '=', outageId ?? 0)
  const counted = await members
    .select(sql<number>`count(*)::int`.as('total'))
    .select(sql<number>`(count(*) filter (where restored_at is null and raised_at is null))::int`.as('offline'))
    .executeTakeFirstOrThrow()
  // Its name and times are no secret for those who see one of its devices.
  const outage =
    counted.total > 0
      ? (
          await sql<Pick<Outage, 'id' | 'kind' | 'name' | 'startedAt' | 'endedAt'>>`
            select id, kind, name, started_at, ended_at from outage where id = ${outageId}`.execute(
            unscoped(db, 'the caller sees a device of the outage'),
          )
        ).rows[0]
      : undefined
  if (!outage && given !== undefined) throw new BusinessError(codes.notFound, { what: '大面积离线' })
  if (!outage) return null
  const devices = await members
    .innerJoin('device', 'device.id', 'outageDevice.deviceId')
    .leftJoin('school', 'school.id', 'outageDevice.schoolId')
    .leftJoin('schoolDevice', (join) =>
      join.onRef('schoolDevice.deviceId', '=', 'device.id').on('schoolDevice.validTo', 'is', null),
    )
    .leftJoin('place', 'place.id', 'schoolDevice.placeId')
    .select(['device.id as deviceId', 'device.sn', 'school.name as schoolName', 'place.name as placeName'])
    .select(['outageDevice.since', memberState.as('state')])
    .orderBy(sql`outage_device.restored_at is not null`)
    .orderBy('device.sn')
    .limit(MAX_OUTAGE_DEVICES)
    .execute()
  return { ...outage, ...counted, devices }
}

/** Undoes the collapse for some devices: each gets its own alarm, which rings now. @returns for how many. */
const raiseDevices = async (
  db: Db,
  caller: Caller,
  { id, deviceIds }: { id: number; deviceIds: readonly number[] },
): Promise<number> => {
  const raised = await db.transaction().execute(async (trx) => {
    const seen = await scoped(trx, caller.actor)
      .selectFrom('outageDevice')
      .select('deviceId')
      .where('outageId', '=', id)
      .where('deviceId', 'in', deviceIds)
      .orderBy('deviceId')
      .execute()
    if (seen.length === 0) throw new BusinessError(codes.notFound, { what: '设备' })
    const done: number[] = []
    for (const { deviceId } of seen) if (await raiseMember(trx, { outageId: id, deviceId })) done.push(deviceId)
    await writeAudit(trx, {
      ...caller,
      action: 'warn:outage:raise',
      subject: 'outage',
      subjectId: id,
      after: { deviceIds: done },
    })
    return done
  })
  wakeSequencer()
  return raised.length
}

export const outageRoutes = ({ db }: { db: Db }): Route[] => [
  route(outages.get, ({ query, actor }) => getOutage(db, actor, query)),
  route(outages.raise, ({ body, caller }) => raiseDevices(db, caller, body)),
]
