import { isOpenByState } from '#areas/device/button-test/open-records'
import { sql } from 'kysely'
import { type Match, hasPlaceInKey } from './evaluate-rules.ts'
import { cancellableCodes } from './normalize-signal.ts'
import { isOpen, type LockedRecord } from './pending-writes.ts'
import type { RecordKey, SignalContext } from './unit-of-work.ts'

/** The key of the record of a match. Only for a key with a place, an open record at another place matters. */
export const recordKeyOf = (
  { signal, source: { deviceId, schoolId, placeId } }: Pick<SignalContext, 'signal' | 'source'>,
  { rule, class: name, dedupKey }: Match,
): RecordKey => ({
  key: dedupKey,
  mode: signal.mode,
  raises: true,
  ...((rule === null || hasPlaceInKey({ schoolId }, rule)) && { placed: { deviceId, class: name, schoolId, placeId } }),
})

/** Whether the record may take a signal of this device: a record of the device itself only at its own place. */
export const isOfPlace = (
  { source }: Pick<SignalContext, 'source'>,
  { deviceId, schoolId, placeId, dedupKey }: Pick<LockedRecord, 'deviceId' | 'schoolId' | 'placeId' | 'dedupKey'>,
): boolean =>
  deviceId !== source.deviceId ||
  dedupKey.startsWith('school:') ||
  (schoolId === source.schoolId && placeId === source.placeId)

/** Finds the ids by an index first, then locks the rows in the order of ids. */
const lockByIds = async (
  { all, unitOfWork }: SignalContext,
  ids: ReturnType<typeof sql<number[]>>,
): Promise<LockedRecord[]> => {
  await unitOfWork.write()
  const found = await all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return found.map((record) => unitOfWork.store(record))
}

/** Read per code, so that later signals of one code cannot hide another: a reset must find the panic. */
const MAX_SIGNALS_PER_CODE = 200

/** Records of the latest calls for help of the device, per code; `anywhere`: at any place and in any mode. */
const selectRaisedRecords = ({ all, source, signal }: SignalContext, anywhere: boolean) =>
  all
    .selectFrom(sql<{ code: string }>`unnest(${cancellableCodes}::text[])`.as<'called'>(sql`called (code)`))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('signal')
          .select('recordId')
          .where('deviceId', '=', source.deviceId)
          .whereRef('signal.code', '=', 'called.code')
          .$if(!anywhere, (q) =>
            q.where('schoolId', 'is not distinct from', source.schoolId).where('mode', '=', signal.mode),
          )
          .where('recordId', 'is not', null)
          .orderBy('receivedAt', 'desc')
          .limit(MAX_SIGNALS_PER_CODE)
          .as('said'),
      (join) => join.onTrue(),
    )
    .innerJoin('warnRecord as r', 'r.id', 'said.recordId')

/** Open records of expected presses that people made LIVE. Their signals have another mode than they. */
const selectConvertedRecords = ({ all, source, signal }: SignalContext) =>
  all
    .selectFrom('warnRecord as r')
    .select('r.id')
    .where('r.deviceId', '=', source.deviceId)
    .where('r.mode', '=', signal.mode)
    .where(isOpenByState)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('signal')
          .select('signal.id')
          .whereRef('signal.recordId', '=', 'r.id')
          .whereRef('signal.mode', '!=', 'r.mode')
          .where('signal.code', 'in', cancellableCodes),
      ),
    )

/**
 * Locks the records of the device at its present place that are not closed: open ones first, then by the latest signal.
 * They are found by the signals of the device, so that shared and merged records are included.
 */
export const lockRecordsOfDevice = async (context: SignalContext, anywhere = false): Promise<LockedRecord[]> => {
  const raised = selectRaisedRecords(context, anywhere).select('r.id').distinct().where('r.state', '!=', 'CLOSED')
  const ids = sql<number[]>`array(${raised} union ${selectConvertedRecords(context)})`
  const found = await lockByIds(context, ids)
  const here = anywhere ? found : found.filter((record) => isOfPlace(context, record))
  return here.toSorted(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.lastAt.getTime() - a.lastAt.getTime() || b.id - a.id,
  )
}

/** Follows merges to the record this one was merged into; undefined when that record is no longer open. */
export const findMergeTarget = async (
  context: SignalContext,
  record: LockedRecord,
): Promise<LockedRecord | undefined> => {
  let at: LockedRecord | undefined = record
  while (at && !isOpen(at) && at.mergedIntoId !== null)
    [at] = await lockByIds(context, sql<number[]>`array[${at.mergedIntoId}::bigint]`)
  return at && isOpen(at) ? at : undefined
}
