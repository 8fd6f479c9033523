import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { isExpectationKey, toLiveKey } from '#areas/alarm/intake/expected-presses'
import { formatRecordNo } from '#areas/alarm/intake/unit-of-work'
import { appendLog } from '#areas/alarm/record-log'
import { scheduleOverdue } from '#areas/alarm/timer/schedule-timers'
import { emitEvents } from '#db/event'
import { runHooks } from '#db/transaction-hook'
import type { Db } from '#db/db'
import type { LockedRecord, UserVerbContext } from './verb-context.ts'

const freshNo = async (trx: Db): Promise<string> => {
  const { rows } = await sql<{ count: number; day: string }>`
    select nextval('warn_record_no_seq') as count, to_char(now() at time zone ${zone.name}, 'YYYYMMDD') as day`.execute(
    trx,
  )
  const [row] = rows
  if (!row) throw new Error('a sequence gave no number')
  return formatRecordNo(row.day, row.count)
}

/**
 * Columns that stay true of the source and the press, however long ago. Columns about people's decisions are not
 * copied.
 */
const sameCase = ({ record }: UserVerbContext) => ({
  ruleId: record.ruleId,
  ruleVersion: record.ruleVersion,
  class: record.class,
  code: record.code,
  level: record.level,
  // Whoever reopens the press that an installation or a test expected finds it real.
  mode: isExpectationKey(record.dedupKey) ? ('LIVE' as const) : record.mode,
  dedupKey: toLiveKey(record.dedupKey),
  deviceId: record.deviceId,
  schoolDeviceId: record.schoolDeviceId,
  schoolId: record.schoolId,
  deptId: record.deptId,
  placeId: record.placeId,
  schoolName: record.schoolName,
  building: record.building,
  floor: record.floor,
  room: record.room,
  placePath: record.placePath,
  lng: record.lng,
  lat: record.lat,
  silent: record.silent,
  duress: record.duress,
  presserCancelled: record.presserCancelled,
  resetAt: record.resetAt,
  // As after any reopening: it ended on a lead's decision, and the device was never reset.
  faults: record.faults,
  condition: record.class === 'PANIC' && record.resetAt === null ? ('ACTIVE' as const) : record.condition,
})

/**
 * No signal arrived: the record counts none and starts with the lead as its owner, so that nobody needs to claim it.
 */
const raiseFrom = async (context: UserVerbContext): Promise<LockedRecord> =>
  context.all
    .insertInto('warnRecord')
    .values({
      ...sameCase(context),
      no: await freshNo(context.trx),
      state: 'HANDLING',
      ownerId: context.by.userId,
      linkedRecordId: context.record.id,
      occurrenceCount: 0,
      pressCount: 0,
      firstAt: context.now,
      lastAt: context.now,
      receivedAt: context.now,
      claimedAt: context.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Continues a record that was closed too long ago to be reopened (domain 2.8): a new record in the state of a reopened
 * one, with the timers of that state. The closed record keeps its end; both logs refer to each other.
 */
export const continueInNewRecord = async (context: UserVerbContext, reason: string): Promise<LockedRecord> => {
  const { trx, all, by, record } = context
  const raised = await raiseFrom(context)
  const actor = { id: by.userId, name: by.nickname }
  const { id, schoolId, deptId } = raised
  const { class: kind, level } = raised
  await appendLog(all, id, {
    kind: 'TRANSITION',
    verb: 'reopen',
    actor,
    to: 'HANDLING',
    payload: { reason, class: kind, level, linkedId: record.id, linkedNo: record.no },
  })
  await appendLog(all, record.id, {
    kind: 'NOTE',
    verb: 'wentOn',
    actor,
    from: record.state,
    to: record.state,
    payload: { reason, linkedId: id, linkedNo: raised.no },
  })
  await scheduleOverdue(trx, raised)
  await runHooks(trx, alarmHooks.raised, { recordId: id, again: true })
  // As after any reopening: nothing was pressed, so no desk sounds a new alarm.
  await emitEvents(
    trx,
    { type: 'alarm.again', ref: id, schoolId, deptId },
    { type: 'alarm.changed', ref: record.id, schoolId, deptId },
  )
  return raised
}
