import type { RecordState } from '@tocsin/contract/alarm/state-machine'
import { AckStage } from '@tocsin/protocol/ack'
import { sql } from 'kysely'
import { type DeviceReceipt, insertReceipts } from '#areas/alarm/intake/pending-writes'
import type { UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import { emitEvents } from '#db/event'
import type { LockedRecord, VerbContext } from './verb-context.ts'

export type RecordProgress = {
  state: RecordState
  claimedAt: Date | null
  dispatchedAt: Date | null
  onSiteAt: Date | null
}

/** A later stage would light up the device for a case that is over. */
const STAGE_VALID_SEC = 3600

type Press = { deviceId: number; eventId: string }

/** Builds the message that tells a device the stage of its record. */
export const buildStageReceipt = (
  { id, no }: LockedRecord,
  stage: AckStage,
  { deviceId, eventId }: Press,
): DeviceReceipt => ({
  deviceId,
  channel: 'ack',
  key: `${id}.${stage}`,
  payload: { eventId, stage, recordNo: no },
  seconds: STAGE_VALID_SEC,
})

const cancelCodes: readonly string[] = ['CANCEL', 'DURESS_CANCEL']

/**
 * A device whose latest signal is a cancel gets no stages: a light would betray a person who was forced to cancel
 * (domain, feature 9). Both kinds of cancel look the same.
 */
export const isSilencedByCancel = (code: string): boolean => cancelCodes.includes(code)

/** The progress of a record as a stage of the device protocol (domain 3.2). */
export const toAckStage = ({ state, claimedAt, dispatchedAt, onSiteAt }: RecordProgress): AckStage => {
  if (state === 'NEW') return 'accepted'
  if (state === 'CLAIMED') return 'claimed'
  if (state === 'RESOLVED' || state === 'CLOSED') return 'closed'
  if (onSiteAt) return 'onsite'
  if (dispatchedAt) return 'dispatched'
  return claimedAt ? 'claimed' : 'accepted'
}

/** The record and all records that were merged into it, at any depth. */
const listMergedIds = async (all: UnscopedDb, id: number): Promise<number[]> => {
  const counted = [id]
  for (let last = counted; last.length > 0; counted.push(...last)) {
    const children = await all.selectFrom('warnRecord').select('id').where('mergedIntoId', 'in', last).execute()
    last = children.map((child) => child.id)
  }
  return counted
}

/**
 * A cancel at another place, or after a press that was expected, is no signal of this record, and darkens the device all
 * the same (decision 018).
 */
const isCancelledLater = sql<boolean>`exists (
  select from signal as later
  where later.device_id = signal.device_id and later.mode in (signal.mode, 'LIVE') and later.code = any(${cancelCodes})
    and later.received_at >= signal.received_at and later.id > signal.id)`

/** The device hangs elsewhere now, where nothing of this record may show (decision 063). */
const hasMovedAway = sql<boolean>`exists (
  select from warn_record as own join device on device.id = own.device_id
    left join school_device as site on site.device_id = device.id and site.valid_to is null
  where own.id = signal.record_id and own.device_id = signal.device_id
    and (own.school_id, own.place_id) is distinct from (coalesce(site.school_id, device.school_id), site.place_id))`

const listLatestPresses = async (all: UnscopedDb, recordId: number) => {
  const presses = all
    .selectFrom('signal')
    .distinctOn('deviceId')
    .selectAll()
    .where('recordId', 'in', await listMergedIds(all, recordId))
    .where('kind', '=', 'ALARM')
    .orderBy('deviceId')
    .orderBy('id', 'desc')
  const latest = await all
    .selectFrom(presses.as('signal'))
    .select(['deviceId', 'code', sql<string>`coalesce(body ->> 'eventId', event_id)`.as('eventId')])
    .select([isCancelledLater.as('isCancelledLater'), hasMovedAway.as('hasMovedAway')])
    .execute()
  return latest.filter(
    ({ code, isCancelledLater, hasMovedAway }) => !isSilencedByCancel(code) && !isCancelledLater && !hasMovedAway,
  )
}

/**
 * One message per device of the record, about its latest press. A silent record sends none (domain, feature 30).
 * @param of limits the devices to those of this record, which was merged into it.
 */
export const stageMessages = async (
  { trx, record }: Pick<VerbContext, 'trx' | 'record'>,
  stage: AckStage,
  of = record.id,
) => {
  const all = unscoped(trx, 'the devices of a record that is locked')
  const presses = record.silent ? [] : await listLatestPresses(all, of)
  const { schoolId, deptId } = record
  return {
    receipts: presses.map((press) => buildStageReceipt(record, stage, press)),
    events: presses.map(({ deviceId }) => ({ type: 'device.outbox' as const, ref: deviceId, schoolId, deptId })),
  }
}

/** Writes the messages. No row that others may have locked is locked after this. */
export const notifyDevices = async (context: VerbContext, stage: AckStage, of = context.record.id): Promise<void> => {
  const { receipts, events } = await stageMessages(context, stage, of)
  if (receipts.length > 0) await insertReceipts(receipts).execute(context.trx)
  await emitEvents(context.trx, ...events)
}

/** Tells the devices of a merged record the stage of the target when that stage is further. */
export const notifyMergedDevices = async (context: VerbContext, child: LockedRecord): Promise<void> => {
  const [before, now] = [toAckStage(child), toAckStage(context.record)]
  const order = AckStage.options
  if (order.indexOf(now) > order.indexOf(before)) await notifyDevices(context, now, child.id)
}
