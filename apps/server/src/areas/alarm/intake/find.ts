import { openStates } from '@tocsin/contract/alarm/machine'
import { sql } from 'kysely'
import type { AllDb } from '#db/db'
import { cancellable } from './match.ts'
import type { Intake, Locked } from './write.ts'

export const isOpen = ({ state }: Pick<Locked, 'state'>): boolean => openStates.some((one) => one === state)

/** Ids first, by the index on the key; then the rows, locked. */
const lockThose = (all: AllDb, ids: ReturnType<typeof sql<number[]>>): Promise<Locked[]> =>
  all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** The open record of a key, else the one that ended last, locked. */
export const lockLatest = async ({ all, heard }: Intake, key: string): Promise<Locked | undefined> => {
  const [found] = await lockThose(
    all,
    sql<number[]>`array(select id from warn_record where dedup_key = ${key} and mode = ${heard.mode}
      order by open desc, resolved_at desc nulls first limit 1)`,
  )
  return found
}

/**
 * The open records of some keys, locked in the order of their ids. `open >= true` and not `open`: so that only the
 * index on the key can serve it, never a walk over all open records (migration 0007).
 */
export const lockOpen = ({ all, heard }: Intake, keys: readonly string[]): Promise<Locked[]> =>
  lockThose(
    all,
    sql<number[]>`array(select id from warn_record
      where dedup_key = any(${keys}) and mode = ${heard.mode} and open >= true)`,
  )

/**
 * What the device raised and nobody closed yet, locked: open ones first, of each the one heard last. Found by what the
 * device itself sent, so that a shared or merged record is found too.
 */
export const lockRaised = async ({ all, heard, source }: Intake): Promise<Locked[]> => {
  const found = await lockThose(
    all,
    sql<number[]>`array(select distinct r.id from warn_record r join (
      select record_id from signal
      where device_id = ${source.deviceId} and code = any(${cancellable}) and record_id is not null
      order by id desc limit 20
    ) as said on said.record_id = r.id where r.mode = ${heard.mode} and r.state <> 'CLOSED')`,
  )
  return found.toSorted(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.lastAt.getTime() - a.lastAt.getTime() || b.id - a.id,
  )
}

/** When a record last ceased to be open, by its log: the milestone keeps the first time. */
export const endedAt = async ({ all }: Intake, record: Locked): Promise<Date | null> => {
  const last = await all
    .selectFrom('warnLog')
    .select('at')
    .where('recordId', '=', record.id)
    .where('toState', '=', 'RESOLVED')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.at ?? null
}

/** Follows merges to the record that now stands for this one; undefined when that one is not open any more. */
export const mergedInto = async ({ all }: Intake, record: Locked): Promise<Locked | undefined> => {
  let at: Locked | undefined = record
  while (at && !isOpen(at) && at.mergedIntoId !== null)
    [at] = await lockThose(all, sql<number[]>`array[${at.mergedIntoId}::bigint]`)
  return at && isOpen(at) ? at : undefined
}
