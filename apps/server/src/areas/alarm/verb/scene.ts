import { type Code, codes, type Params } from '@tocsin/contract/codes'
import { type Selectable, sql } from 'kysely'
import { encodedRow } from '#areas/alarm/record/record-row'
import type { AllDb, Db } from '#db/db'
import { everything, scoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { Refusal } from '#http/refusal'
import type { Actor } from '#http/route'

export type Locked = Selectable<AllTables['warnRecord']>

/** A record under its row lock, who acts on it, and the database's clock, read in the transaction of the act. */
export type Scene = { trx: Db; all: AllDb; record: Locked; by: Actor | 'system'; now: Date }
export type PersonScene = Scene & { by: Actor }

const lock = async (all: AllDb, id: number): Promise<{ record: Locked; now: Date } | undefined> => {
  const row = await all
    .selectFrom('warnRecord')
    .selectAll()
    .select(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as('now'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const { now, ...record } = row
  return { record, now }
}

/** Locks a record that the person sees; what he does not see does not exist. */
export const personScene = async (trx: Db, actor: Actor, id: number): Promise<PersonScene> => {
  const all = scoped(trx, actor)
  const found = await lock(all, id)
  if (!found) throw new Refusal(codes.notFound, { what: '警情' })
  return { trx, all, by: actor, ...found }
}

/** Locks a record for a timer step; undefined when it is gone. */
export const systemScene = async (trx: Db, id: number): Promise<Scene | undefined> => {
  const all = everything(trx, 'timer steps of a record act for nobody in particular')
  const found = await lock(all, id)
  return found && { trx, all, by: 'system', ...found }
}

/** A "no" that shows the caller the record as it is now. */
export const refused = async ({ trx, record }: Scene, code: Code, params?: Params): Promise<Refusal> =>
  new Refusal(code, params, { current: await encodedRow(trx, record) })
