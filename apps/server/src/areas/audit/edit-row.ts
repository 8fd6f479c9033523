import type { Insertable, Kysely } from 'kysely'
import type { Code } from '@tocsin/contract/code'
import type { Db } from '#db/db'
import { emitEvents, type NewEvent } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { AllTables, Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { writeAudit } from './audit.ts'
import { checkVersion, createStamp, runEdit, toAuditState, updateStamp } from './edit-transaction.ts'

/** Tables with the columns that every table edited by people has. */
type EditedTable = {
  [K in keyof AllTables]: Row<K> extends { id: number; version: number } ? K : never
}[keyof AllTables]

/** What a change leaves behind: its audit row, and the events that tell screens. */
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

/** Audits a change and announces it, in its transaction. `createRow`, `updateRow` and `deleteRow` do so by themselves. */
export const recordChange = async (trx: Db, caller: Caller, change: RowChange): Promise<void> => {
  const { action, subject, id: subjectId, before, after, events = [] } = change
  await emitEvents(trx, ...events)
  await writeAudit(trx, {
    ...caller,
    action,
    subject,
    ...(subjectId !== undefined && { subjectId }),
    before: before ? toAuditState({ ...before }) : null,
    after: after ? toAuditState({ ...after }) : null,
  })
}

/** How the rows of one table are locked, audited and announced; one constant per table says it for all its calls. */
export type EditableTable<T extends EditedTable> = {
  table: T
  /** The permissions before their verb, like `system:dict`. */
  action: string
  missing: Code
  /** The row as `get` answers it, for an edit that comes too late. */
  current: (trx: Db, row: Row<T>, caller: Caller) => unknown
  /** Who must hear of a change of this row. */
  events?: (row: Row<T>) => readonly NewEvent[]
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// Kysely cannot type a query over a table that is a type parameter: the row types are restored by the callers below.
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

/** Inserts a row, audits and announces it. References must have been checked: an insert is not limited to what is seen. */
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
  await record(trx, caller, { of, verb: 'create', after })
  return after
}

/** Locks a row that the actor can see, and checks the version that the caller read; without one it takes what it finds. */
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
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new BusinessError(of.missing)
  const row = found as Row<T> & { version: number }
  await checkVersion(version, row, () => of.current(trx, row, caller))
  return row
}

type Changes<T extends EditedTable> = { [K in keyof Row<T>]?: Row<T>[K] | undefined }

/** Updates a row that `lockRow` locked, counts its version, audits and announces it. */
export const updateRow = async <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  of: EditableTable<T>,
  { before, changes, verb = 'update' }: { before: Row<T>; changes: Changes<T>; verb?: string },
): Promise<Row<T>> => {
  const all = unscoped(trx, 'the row was locked in sight') as unknown as AnyTable
  const after = (await all
    .updateTable(of.table as string)
    .set({ ...changes, ...updateStamp(caller) })
    .where('id', '=', (before as { id: number }).id)
    .returningAll()
    .executeTakeFirstOrThrow()) as Row<T>
  await record(trx, caller, { of, verb, before, after })
  return after
}

/** Deletes a row that `lockRow` locked, audits and announces it. */
export const deleteRow = async <T extends EditedTable>(
  trx: Db,
  caller: Caller,
  of: EditableTable<T>,
  before: Row<T>,
): Promise<void> => {
  const all = unscoped(trx, 'the row was locked in sight') as unknown as AnyTable
  await all
    .deleteFrom(of.table as string)
    .where('id', '=', (before as { id: number }).id)
    .execute()
  await record(trx, caller, { of, verb: 'delete', before })
}

type RowEdit<T extends EditedTable> = {
  id: number
  version?: number | undefined
  verb?: string
  /** Checks the edit against the locked row and returns the columns to change. */
  change: (trx: Db, before: Row<T>) => Promise<Changes<T>> | Changes<T>
}

/**
 * A whole edit in one call: one transaction with retry, in which the row is locked, its version checked, the change
 * made, audited and announced.
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
