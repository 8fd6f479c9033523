import { openStates } from '@tocsin/contract/alarm/machine'
import { sql } from 'kysely'
import type { Intake } from './book.ts'
import { cancellable } from './match.ts'
import type { Locked } from './write.ts'

export const isOpen = ({ state }: Pick<Locked, 'state'>): boolean => openStates.some((one) => one === state)

/** Ids first, by an index; then the rows, locked in the order of their ids. */
const lockThose = async ({ all, book }: Intake, ids: ReturnType<typeof sql<number[]>>): Promise<Locked[]> => {
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

/** What the device sent last that called for help. */
const pressesOf = ({ all, source }: Intake) =>
  all
    .selectFrom('signal')
    .select('recordId')
    .where('deviceId', '=', source.deviceId)
    .where('code', '=', sql<string>`any(${cancellable})`)
    .where('recordId', 'is not', null)
    .orderBy('id', 'desc')
    .limit(20)
    .as('said')

/**
 * What the device raised and nobody closed yet, locked: open ones first, of each the one heard last. Found by what the
 * device itself sent, so that a shared or merged record is found too.
 */
export const lockRaised = async (intake: Intake): Promise<Locked[]> => {
  const { all, heard } = intake
  const raised = all
    .selectFrom('warnRecord as r')
    .innerJoin(pressesOf(intake), 'said.recordId', 'r.id')
    .select('r.id')
    .distinct()
    .where('r.mode', '=', heard.mode)
    .where('r.state', '!=', 'CLOSED')
  const found = await lockThose(intake, sql<number[]>`array(${raised})`)
  return found.toSorted(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.lastAt.getTime() - a.lastAt.getTime() || b.id - a.id,
  )
}

/** Follows merges to the record that now stands for this one; undefined when that one is not open any more. */
export const mergedInto = async (intake: Intake, record: Locked): Promise<Locked | undefined> => {
  let at: Locked | undefined = record
  while (at && !isOpen(at) && at.mergedIntoId !== null)
    [at] = await lockThose(intake, sql<number[]>`array[${at.mergedIntoId}::bigint]`)
  return at && isOpen(at) ? at : undefined
}
