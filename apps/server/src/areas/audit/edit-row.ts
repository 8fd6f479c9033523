import type { Expression, ExpressionBuilder, Insertable, Kysely, SqlBool } from 'kysely'
import type { Code } from '@tocsin/contract/codes/code'
import type { Db } from '#db/db'
import { emitEvents, type NewEvent } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { AllTables, Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { writeAudits } from './audit.ts'
import { checkVersion, createStamp, runEdit, toAuditState, updateStamp } from './edit-transaction.ts'

/** Tables with the columns of every editable table. */
export type EditedTable = {
  [K in keyof AllTables]: Row<K> extends { id: number; version: number } ? K : never
}[keyof AllTables]

/** The effects of a change: its audit row, and the events that notify screens. */
export type RowChange = {
  /** The permission, like `system:role:update`. */
  action: string
  /** The table by its SQL name. */
  subject: string
  id?: number | undefined
  before?: object | null | undefined
  after?: object | null | undefined
  events?: readonly NewEvent[]
}

/** Audits changes and emits their events, in their transaction. */
export const recordChanges = async (trx: Db, caller: Caller, changes: readonly RowChange[]): Promise<void> => {
  await emitEvents(trx, ...changes.flatMap(({ events = [] }) => events))
  await writeAudits(
    trx,
    changes.map(({ action, subject, id: subjectId, before, after }) => ({
      ...caller,
      action,
      subject,
      ...(subjectId !== undefined && { subjectId }),
      before: before ? toAuditState({ ...before }) : null,
      after: after ? toAuditState({ ...after }) : null,
    })),
  )
}

/** The same for one change. `createRow`, `updateRow` and `deleteRow` call it. */
export const recordChange = (trx: Db, caller: Caller, change: RowChange): Promise<void> =>
  recordChanges(trx, caller, [change])

/** How the rows of one table are locked, audited and announced; one constant per table for all its calls. */
export type EditableTable<T extends EditedTable> = {
  table: T
  /** The prefix of the permissions, like `system:dict`. */
  action: string
  missing: Code
  params?: Record<string, string | number>
  /** The row as `get` returns it, for a stale edit. */
  current: (trx: Db, row: Row<T>, caller: Caller) => unknown
  /** Who is notified of a change of this row. */
  events?: (row: Row<T>) => readonly NewEvent[]
  /** The rows that these calls have, where the table holds others too. */
  rows?: RowCondition<T> | undefined
  /** What belongs to a row in other tables, for its audit. */
  parts?: ((trx: Db, row: Row<T>) => Promise<object>) | undefined
  /** Writes them after the row; `before` are those of the row before. */
  saveParts?: ((after: Row<T>, before: object | undefined) => Promise<void>) | undefined
  /** Deletes them before the row, where the database does not. */
  deleteParts?: ((trx: Db, row: Row<T>) => Promise<void>) | undefined
}

export type RowCondition<T extends EditedTable> = (on: ExpressionBuilder<AllTables, T>) => Expression<SqlBool>

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// Kysely cannot type a query over a table that is a type parameter: the callers below restore the row types.
type AnyTable = Kysely<Record<string, Record<string, unknown>>>

const record = <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  { of, verb, before, after }: { of: EditableTable<T>; verb: string; before?: Row<T>; after?: Row<T> },
): Promise<void> => {
  const row = (after ?? before) as Row<T> & { id: number }
  const events = of.events?.(row) ?? []
  return recordChange(trx, caller, {
    action: `${of.action}:${verb}`,
    subject: snake(of.table),
    id: row.id,
    before,
    after,
    events,
  })
}

/**
 * Inserts a row, audits it and emits its events. Check the references first: an insert is not limited to visible rows.
 */
export const createRow = async <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  of: EditableTable<T>,
  values: Omit<Insertable<AllTables[T]>, 'creator' | 'updater'>,
): Promise<Row<T>> => {
  const all = unscoped(trx, 'an insert reads nothing; its references were checked') as unknown as AnyTable
  const after = (await all
    .insertInto(of.table as string)
    .values({ ...values, ...createStamp(caller) })
    .returningAll()
    .executeTakeFirstOrThrow()) as Row<T>
  await of.saveParts?.(after, undefined)
  await record(trx, caller, { of, verb: 'create', after: { ...after, ...(await of.parts?.(trx, after)) } })
  return after
}

/** Locks a visible row, and checks the version that the caller read; without a version any is accepted. */
export const lockRow = async <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  of: EditableTable<T>,
  { id, version }: { id: number; version?: number | undefined },
): Promise<Row<T>> => {
  const seen = scoped(trx, caller.actor) as unknown as AnyTable
  const found = await seen
    .selectFrom(of.table as string)
    .selectAll()
    .where('id', '=', id)
    .$if(of.rows !== undefined, (rows) => rows.where(of.rows as never))
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new BusinessError(of.missing, of.params)
  const row = found as Row<T> & { version: number }
  await checkVersion(version, row, () => of.current(trx, row, caller))
  return row
}

export type Changes<T extends EditedTable> = { [K in keyof Row<T>]?: Row<T>[K] | undefined }

type RowUpdate<T extends EditedTable> = {
  before: Row<T>
  changes: Changes<T>
  verb?: string
}

/** Updates a row locked by `lockRow`, increments its version, audits it and emits its events. */
export const updateRow = async <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  of: EditableTable<T>,
  { before, changes, verb = 'update' }: RowUpdate<T>,
): Promise<Row<T>> => {
  const earlier = await of.parts?.(trx, before)
  const all = unscoped(trx, 'the row was locked in sight') as unknown as AnyTable
  const after = (await all
    .updateTable(of.table as string)
    .set({ ...changes, ...updateStamp(caller) })
    .where('id', '=', (before as { id: number }).id)
    .returningAll()
    .executeTakeFirstOrThrow()) as Row<T>
  await of.saveParts?.(after, earlier)
  const later = await of.parts?.(trx, after)
  await record(trx, caller, { of, verb, before: { ...before, ...earlier }, after: { ...after, ...later } })
  return after
}

/** Deletes a row locked by `lockRow`, audits it and emits its events. */
export const deleteRow = async <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  of: EditableTable<T>,
  before: Row<T>,
): Promise<void> => {
  const parts = await of.parts?.(trx, before)
  await of.deleteParts?.(trx, before)
  const all = unscoped(trx, 'the row was locked in sight') as unknown as AnyTable
  await all
    .deleteFrom(of.table as string)
    .where('id', '=', (before as { id: number }).id)
    .execute()
  await record(trx, caller, { of, verb: 'delete', before: { ...before, ...parts } })
}

type RowEdit<T extends EditedTable> = {
  id: number
  version?: number | undefined
  verb?: string
  /** Checks the edit against the locked row and returns the columns to change. */
  change: (trx: Db, before: Row<T>) => Promise<Changes<T>> | Changes<T>
}

/**
 * A whole edit in one call: one transaction with retry that locks the row, checks its version, makes the change, audits
 * it and emits events.
 */
export const editRow = <T extends EditedTable>(
  db: Db,
  caller: Caller,
  of: EditableTable<T>,
  { change, verb, ...edit }: RowEdit<T>,
): Promise<true> =>
  runEdit(db, 'all', async (trx): Promise<true> => {
    const before = await lockRow(trx, caller, of, edit)
    await updateRow(trx, caller, of, { before, changes: await change(trx, before), ...(verb && { verb }) })
    return true
  })
