import { isAutoClosable, type Rule } from '@tocsin/contract/alarm/state-machine'
import { type UpdateObject, sql } from 'kysely'
import { followLevel } from '#areas/alarm/checklist/response-run'
import { isExpectationKey, toLiveKey } from '#areas/alarm/intake/expected-presses'
import { appendLog, chainEntries } from '#areas/alarm/record-log'
import { scheduleOverdue } from '#areas/alarm/timer/schedule-timers'
import { violatedConstraint } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { SerializationError } from '#db/retry'
import { unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import type { LockedRecord, VerbContext } from './verb-context.ts'

const ofKey = (trx: Db) => unscoped(trx, 'alarms of one key, which are of one device or school')

/** The open LIVE alarm that takes further presses of the device, locked. */
const lockKeyHolder = (trx: Db, { id, dedupKey }: LockedRecord): Promise<LockedRecord | undefined> =>
  ofKey(trx)
    .selectFrom('warnRecord')
    .selectAll()
    .where('dedupKey', '=', toLiveKey(dedupKey))
    .where('mode', '=', 'LIVE')
    .where('open', '=', true)
    .where('id', '!=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Links two alarms that are open for one button. The page of each shows the other. */
const linkHolder = async (trx: Db, holder: LockedRecord, record: LockedRecord): Promise<void> => {
  const { id, schoolId, deptId, linkedRecordId } = holder
  const isLinked = linkedRecordId === record.id || record.linkedRecordId === id
  if (!isLinked && linkedRecordId === null)
    await ofKey(trx).updateTable('warnRecord').set({ linkedRecordId: record.id }).where('id', '=', id).execute()
  const payload = { linkedId: record.id, linkedNo: record.no }
  await appendLog(ofKey(trx), id, { kind: 'NOTE', verb: 'linkedFoundReal', actor: 'system', payload })
  await emitEvents(trx, { type: 'alarm.changed', ref: id, schoolId, deptId })
}

/** @throws SerializationError when a press has raised the alarm of the key since the holder was read. */
const update = async (context: VerbContext, set: UpdateObject<AllTables, 'warnRecord'>): Promise<LockedRecord> => {
  try {
    const changed = context.all.updateTable('warnRecord').set(set).where('id', '=', context.record.id)
    return await changed.returningAll().executeTakeFirstOrThrow()
  } catch (error) {
    if (violatedConstraint(error) !== 'warn_record_open_key') throw error
    throw new SerializationError('a press raised the alarm of this key at the same time')
  }
}

/** Whether its device was cancelled after the press. While the press was expected, the cancel belonged to no alarm. */
const isCancelled = (record: LockedRecord) => sql<boolean>`exists (
  select from signal as press join signal as later on later.device_id = press.device_id and later.record_id is null
    and later.code = 'CANCEL' and (later.boot, later.seq) > (press.boot, press.seq)
    and later.received_at >= press.received_at - interval '10 minutes'
    left join school_device as hung on hung.id = ${record.schoolDeviceId}
  where press.record_id = ${record.id} and later.received_at < coalesce(hung.valid_to, 'infinity'))`

const isRealState = (to: Rule['to']): boolean => to === 'HANDLING' || to === 'ESCALATED'

/**
 * Makes the press that an installation or a test expected a LIVE alarm in every respect, once people take it for real
 * (decision 067): with its limits, its response plan, and the key by which it takes further presses. While another alarm has
 * that key, both are linked. Whoever sends somebody in the same transaction calls it before, because the mode decides
 * how they are notified.
 */
export const convertToLive = async <Context extends VerbContext>(
  context: Context,
  to: Rule['to'],
): Promise<Context> => {
  const { trx, record, now } = context
  if (!isExpectationKey(record.dedupKey) || !isRealState(to) || to === record.state) return context
  const holder = await lockKeyHolder(trx, record)
  const key = holder ? {} : { dedupKey: toLiveKey(record.dedupKey) }
  // It was converted before it ended, while another alarm had the key.
  if (record.mode === 'LIVE') return { ...context, record: holder ? record : await update(context, key) }
  const { commissioning, testPlanId } = record
  const linked = holder && { linkedId: holder.id, linkedNo: holder.no }
  const log = chainEntries(record, now, [
    { kind: 'NOTE', verb: 'foundReal', actor: 'system', payload: { commissioning, testPlanId, ...linked } },
  ])
  await ofKey(trx).insertInto('warnLog').values(log.rows).execute()
  const link = holder && holder.linkedRecordId !== record.id && { linkedRecordId: record.linkedRecordId ?? holder.id }
  const real = { mode: 'LIVE', commissioning: false, testPlanId: null, presserCancelled: isCancelled(record) } as const
  const after = await update(context, { ...real, ...key, ...link, ...log.head })
  if (holder) await linkHolder(trx, holder, after)
  await followLevel(trx, after)
  await scheduleOverdue(trx, after)
  return { ...context, record: after }
}

/**
 * Gives the key of an alarm that ended to an expected press that was made LIVE while that alarm was open, so that further
 * presses find it.
 */
export const passOnKey = async (trx: Db, { mode, class: kind, dedupKey }: LockedRecord): Promise<void> => {
  if (mode !== 'LIVE' || isAutoClosable(kind) || isExpectationKey(dedupKey)) return
  await sql`
    update warn_record set dedup_key = ${dedupKey} where id = (
      select id from warn_record
      where open and mode = 'LIVE' and (dedup_key like 'test:%' or dedup_key like 'installation:%')
        and regexp_replace(dedup_key, '^[a-z]+:[0-9]+/', '') = ${dedupKey}
      order by id limit 1 for no key update)`.execute(ofKey(trx))
}
