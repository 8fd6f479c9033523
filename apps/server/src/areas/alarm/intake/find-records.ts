import { openStates } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'
import type { SignalContext } from './unit-of-work.ts'
import { cancellableCodes } from './match.ts'
import type { LockedRecord } from './pending-writes.ts'

export const isOpen = ({ state }: Pick<LockedRecord, 'state'>): boolean => openStates.some((one) => one === state)

/** Ids first, by an index; then the rows, locked in the order of their ids. */
const lockThose = async (
  { all, book }: SignalContext,
  ids: ReturnType<typeof sql<number[]>>,
): Promise<LockedRecord[]> => {
  await book.write()
  const found = await all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return found.map((record) => book.keep(record))
}

/** Of each word by itself, so that what it said since hides nothing: a reset is about a panic, whatever was cried after. */
const SAID_MOST = 20

/** Records that the device called for help in, by the latest of its signals of each code. */
const calledIn = ({ all, source, heard }: SignalContext) =>
  all
    .selectFrom(sql<{ code: string }>`unnest(${cancellableCodes}::text[])`.as<'called'>(sql`called (code)`))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('signal')
          .select('recordId')
          .where('deviceId', '=', source.deviceId)
          .whereRef('signal.code', '=', 'called.code')
          .where('mode', '=', heard.mode)
          .where('recordId', 'is not', null)
          .orderBy('receivedAt', 'desc')
          .limit(SAID_MOST)
          .as('said'),
      (join) => join.onTrue(),
    )
    .innerJoin('warnRecord as r', 'r.id', 'said.recordId')

/**
 * What the device raised and nobody closed yet, locked: open ones first, of each the one heard last. Found by what the
 * device itself sent, so that a shared or merged record is found too.
 */
export const lockRecordsOfDevice = async (intake: SignalContext): Promise<LockedRecord[]> => {
  const raised = calledIn(intake).select('r.id').distinct().where('r.state', '!=', 'CLOSED')
  const found = await lockThose(intake, sql<number[]>`array(${raised})`)
  return found.toSorted(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.lastAt.getTime() - a.lastAt.getTime() || b.id - a.id,
  )
}

/** Follows merges to the record that now stands for this one; undefined when that one is not open any more. */
export const findMergeTarget = async (
  intake: SignalContext,
  record: LockedRecord,
): Promise<LockedRecord | undefined> => {
  let at: LockedRecord | undefined = record
  while (at && !isOpen(at) && at.mergedIntoId !== null)
    [at] = await lockThose(intake, sql<number[]>`array[${at.mergedIntoId}::bigint]`)
  return at && isOpen(at) ? at : undefined
}
