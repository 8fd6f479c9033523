import type { OutageKind } from '@tocsin/contract/alarm/outage'
import { sql } from 'kysely'
import { ingestServerSignal } from '#areas/alarm/ingest'
import { lockDevice } from '#areas/alarm/intake/signal-source'
import type { SignalExtent } from '#areas/alarm/intake/signal-source'
import { clearedProposal, applyOutcome } from '#areas/alarm/verb/execute-verb'
import { lockForSystem } from '#areas/alarm/verb/verb-context'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'

const allOf = (db: Db) => unscoped(db, 'the server derives outages of all devices')

/** A group of devices that went offline together. The outage belongs to `schoolId`, or to `deptId` alone. */
export type OutageGroup = {
  kind: OutageKind
  subjectId: number
  name: string
  /** The gateway, or any device of the group. */
  deviceId: number
  schoolId: number | null
  deptId: number
  /** How many of its devices are offline. */
  devices: number
}

type OpenOutage = Pick<Row<'outage'>, 'id' | 'kind' | 'subjectId' | 'deviceId' | 'schoolId' | 'deptId'>

const extentOf = ({ kind, deptId }: Pick<OpenOutage, 'kind' | 'deptId'>): { extent?: SignalExtent } => {
  if (kind === 'GATEWAY') return {}
  return { extent: kind === 'SCHOOL' ? { kind } : { kind, deptId } }
}

/** Outages of one device are told apart by the zone of their signals, because a device may speak for several. */
const zoneOf = ({ kind, subjectId }: Pick<OpenOutage, 'kind' | 'subjectId'>): string => `${kind}-${subjectId}`

/** Without an alarm the devices must not be hidden in an outage: each raises its own. */
class NoAlarm extends Error {}

/**
 * Opens the outage of a group with its alarm. @returns undefined when it is open already, or when no rule raises an
 * alarm for outages.
 */
export const openOutage = async (db: Db, { devices, ...group }: OutageGroup): Promise<number | undefined> => {
  const id = await db
    .transaction()
    .execute(async (trx) => {
      await lockDevice(trx, group.deviceId)
      const made = await allOf(trx)
        .insertInto('outage')
        .values(group)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) return undefined
      const { recordId } = await ingestServerSignal(trx, {
        deviceId: group.deviceId,
        code: 'OUTAGE',
        eventId: `OUTAGE-${made.id}`,
        zone: zoneOf(group),
        detail: { outageId: made.id, kind: group.kind, name: group.name, devices },
        ...extentOf(group),
      })
      if (recordId === null) throw new NoAlarm()
      await allOf(trx).updateTable('outage').set({ recordId }).where('id', '=', made.id).execute()
      return made.id
    })
    .catch((error: unknown) => {
      if (error instanceof NoAlarm) return undefined
      throw error
    })
  if (id !== undefined) wakeSequencer()
  return id
}

/** Ends an unclaimed record of a device, because the record of the outage stands for it. @returns whether it did. */
const mergeRecord = async (trx: Db, recordId: number, into: { id: number; no: string }): Promise<boolean> => {
  const [context] = await lockForSystem(trx, [recordId])
  if (!context || context.record.state !== 'NEW' || context.record.class !== 'DEVICE_HEALTH') return false
  await applyOutcome(context, 'merge', {
    set: { ...clearedProposal, disposition: 'DUPLICATE', mergedIntoId: into.id },
    payload: { intoId: into.id, intoNo: into.no },
    stage: null,
  })
  return true
}

const recordOf = (db: Db, outageId: number) =>
  allOf(db)
    .selectFrom('outage')
    .innerJoin('warnRecord', 'warnRecord.id', 'outage.recordId')
    .select(['warnRecord.id', 'warnRecord.no'])
    .where('outage.id', '=', outageId)
    .where('warnRecord.open', '=', true)
    .executeTakeFirst()

type EarlierAlarm = { deviceId: number; recordId: number; schoolId: number | null; deptId: number; since: Date }

/** Devices of the group that went offline shortly before it and have an unclaimed alarm of their own. */
const findEarlierAlarms = async (db: Db, { kind, subjectId }: Pick<OpenOutage, 'kind' | 'subjectId'>) => {
  const { rows } = await sql<EarlierAlarm>`
    select device.id as device_id, record.id as record_id, device.school_id, device.dept_id, state.since
    from device join device_state state on state.device_id = device.id
    join warn_record record on record.device_id = device.id and record.open and record.state = 'NEW'
      and record.class = 'DEVICE_HEALTH' and record.code = 'OFFLINE' and record.mode = 'LIVE'
    left join school on school.id = device.school_id left join dept own on own.id = school.dept_id
    where state.connectivity = 'OFFLINE' and case ${kind}
      when 'GATEWAY' then ${subjectId} in (device.id, device.gateway_id)
      when 'SCHOOL' then device.school_id = ${subjectId} and state.since > now() - interval '10 minutes'
      else own.parent_id = ${subjectId} and state.since > now() - interval '10 minutes' end
      and not exists (select from outage_device member
        where member.device_id = device.id and member.restored_at is null and member.raised_at is null)
    order by device.id`.execute(allOf(db))
  return rows
}

/** Takes the alarms that devices of a new outage raised a moment before it into the alarm of the outage. */
export const joinEarlierAlarms = async (db: Db, outageId: number, group: OutageGroup): Promise<void> => {
  for (const { recordId, ...member } of await findEarlierAlarms(db, group))
    await db.transaction().execute(async (trx) => {
      await lockDevice(trx, member.deviceId)
      const into = await recordOf(trx, outageId)
      if (!into || !(await mergeRecord(trx, recordId, into))) return
      await allOf(trx)
        .insertInto('outageDevice')
        .values({ outageId, ...member })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
}

/** Hands the devices of narrower open outages over to a wider one and merges their unclaimed alarms. */
export const absorbNarrowerOutages = async (db: Db, outageId: number, group: OutageGroup): Promise<void> => {
  if (group.kind === 'GATEWAY') return
  const narrower = await allOf(db)
    .selectFrom('outage')
    .innerJoin('school', 'school.id', 'outage.schoolId')
    .innerJoin('dept', 'dept.id', 'school.deptId')
    .select(['outage.id', 'outage.recordId', 'outage.deviceId'])
    .where('outage.endedAt', 'is', null)
    .where('outage.id', '!=', outageId)
    .where(group.kind === 'SCHOOL' ? 'outage.schoolId' : 'dept.parentId', '=', group.subjectId)
    .orderBy('outage.id')
    .execute()
  for (const item of narrower)
    await db.transaction().execute(async (trx) => {
      await lockDevice(trx, item.deviceId)
      const into = await recordOf(trx, outageId)
      if (!into || item.recordId === null || !(await mergeRecord(trx, item.recordId, into))) return
      await sql`update outage set ended_at = now(), into_id = ${outageId} where id = ${item.id}`.execute(allOf(trx))
      await sql`update outage_device set outage_id = ${outageId} where outage_id = ${item.id}`.execute(allOf(trx))
    })
}

/** An outage that nobody has joined is new for this long. */
const NEW = sql`interval '2 minutes'`

/** Ends outages none of whose devices is still offline; their alarms recover by the rule. @returns how many. */
export const endOutages = async (db: Db): Promise<number> => {
  const over = sql`outage.ended_at is null
    and not exists (select from outage_device member join device on device.id = member.device_id
      where member.outage_id = outage.id and member.restored_at is null and member.raised_at is null
        and device.lifecycle in ('COMMISSIONING', 'IN_SERVICE'))
    and (outage.started_at < now() - ${NEW}
      or exists (select from outage_device member where member.outage_id = outage.id))`
  const { rows } = await sql<OpenOutage>`
    select id, kind, subject_id, device_id, school_id, dept_id from outage where ${over} order by id`.execute(allOf(db))
  for (const outage of rows)
    await db.transaction().execute(async (trx) => {
      await lockDevice(trx, outage.deviceId)
      const { rows: ended } = await sql`
        update outage set ended_at = now() where id = ${outage.id} and ${over} returning id`.execute(allOf(trx))
      if (ended.length === 0) return
      await ingestServerSignal(trx, {
        deviceId: outage.deviceId,
        code: 'OUTAGE_ENDED',
        eventId: `OUTAGE-ENDED-${outage.id}`,
        zone: zoneOf(outage),
        ...extentOf(outage),
      })
    })
  if (rows.length > 0) wakeSequencer()
  return rows.length
}
