import { type Code, codes, type Params } from '@tocsin/contract/codes'
import { type Selectable, sql } from 'kysely'
import { loadButtonState } from '#areas/alarm/record/button-reset'
import { encodeRecordRow } from '#areas/alarm/record/record-row'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

export type LockedRecord = Selectable<AllTables['warnRecord']>

/** A record under its row lock, the person who acts on it, and the database clock of the transaction. */
export type VerbContext = { trx: Db; all: AllTablesDb; record: LockedRecord; by: Actor | 'system'; now: Date }
export type UserVerbContext = VerbContext & { by: Actor }

const lock = async (
  { trx, all }: Pick<VerbContext, 'trx' | 'all'>,
  ids: readonly number[],
): Promise<{ record: LockedRecord; now: Date }[]> => {
  const rows = await all
    .selectFrom('warnRecord')
    .selectAll()
    .select(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  // Read after the lock: a press that this waited for has latched the button again.
  const withButton = await loadButtonState(trx, rows)
  return rows.map(({ now, ...record }) => ({ record: withButton(record), now }))
}

/** Locks a record that the person sees. Any other record is not found. */
export const lockForUser = async (trx: Db, actor: Actor, id: number): Promise<UserVerbContext> => {
  const all = scoped(trx, actor)
  const [found] = await lock({ trx, all }, [id])
  if (!found) throw new BusinessError(codes.notFound, { what: '警情' })
  return { trx, all, by: actor, ...found }
}

const forTimers = (trx: Db): AllTablesDb => unscoped(trx, 'timer steps of a record act for nobody in particular')

/** Locks records for timer steps in the order of their ids. Deleted records are omitted. */
export const lockForSystem = async (trx: Db, ids: readonly number[]): Promise<VerbContext[]> => {
  const all = forTimers(trx)
  return (await lock({ trx, all }, ids)).map((found) => ({ trx, all, by: 'system', ...found }))
}

/** Locks records in the order of their ids. Unless `patient`, records that are locked by others are omitted. */
export const lockRecords = async (trx: Db, ids: readonly number[], patient: boolean): Promise<number[]> => {
  const locked = await forTimers(trx)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .$if(!patient, (q) => q.skipLocked())
    .execute()
  return locked.map(({ id }) => id)
}

/** An error that returns the current record to the caller. */
export const rejectWithRecord = async (
  { trx, record }: VerbContext,
  code: Code,
  params?: Params,
): Promise<BusinessError> => new BusinessError(code, params, { current: await encodeRecordRow(trx, record) })
