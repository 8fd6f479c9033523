import { codes } from '@tocsin/contract/codes'
import type { Data, Endpoint } from '@tocsin/contract/endpoint'
import { issueText, type FieldError, type Rule } from '@tocsin/contract/issue'
import { labelOf } from '@tocsin/contract/field'
import { localStamp } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { z } from 'zod'
import { constraintError } from '#db/constraint-error'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { retryTransaction } from '#db/retry'
import { ValidationError, BusinessError, errorForItem, type DisclosedRow } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { invalidateSessionCache } from '#http/session-auth'

type Given<E> = { [K in Exclude<keyof E, 'id' | 'version'>]?: Exclude<E[K], undefined> }

/** The columns that an edit names: absent is unchanged, null clears (DESIGN 5). */
export const changedColumns = <E extends object>(edit: E): Given<E> =>
  // Removes only undefined values and the two keys, as the type states.
  Object.fromEntries(
    Object.entries(edit).filter(([key, value]) => key !== 'id' && key !== 'version' && value !== undefined),
  ) as Given<E>

/** The columns that every change of an editable row writes beside its own. */
export const updateStamp = ({ actor }: Caller) => ({
  version: sql<number>`version + 1`,
  updateTime: sql<Date>`now()`,
  updater: actor.userId,
})

export const createStamp = ({ actor }: Caller) => ({ creator: actor.userId, updater: actor.userId })

/**
 * Rejects a stale edit, and discloses the current row; an edit without a version accepts any. For `shows` on rows with
 * personal data, see `checkPersonalVersion`.
 */
export const checkVersion = async (
  version: number | undefined,
  row: { version: number },
  current: () => unknown,
  shows?: DisclosedRow,
): Promise<void> => {
  if (version !== undefined && version !== row.version)
    throw new BusinessError(codes.stale, undefined, { current: await current() }, shows)
}

type Personal<G extends Endpoint> = {
  subject: string
  get: G
  read: (db: Db, id: number, actor: Actor) => Promise<Data<G>>
}

/** `checkVersion` for rows with personal data: disclosing the current row is audited as a read, like `get`. */
export const checkPersonalVersion =
  <const G extends Endpoint>({ subject, get, read }: Personal<G>) =>
  (db: Db, version: number | undefined, { id, ...row }: { id: number; version: number }, actor: Actor): Promise<void> =>
    checkVersion(version, row, async () => z.encode(get.data, await read(db, id, actor)), {
      subject,
      id,
      permission: get.permission,
    })

/** Derived columns: the bigrams of a row for search are longer than the row. */
const isDerived = ([key, value]: [string, unknown]): boolean => key === 'search' && Array.isArray(value)

/** A row as the audit stores it: no password, instants in epoch ms. */
export const toAuditState = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter((entry) => entry[0] !== 'passwordHash' && !isDerived(entry))
      .map(([key, value]) => [key, value instanceof Date ? value.getTime() : value]),
  )

/**
 * Runs one transaction, with retries when the database rolls it back without a fault of the caller, such as a deadlock
 * of two edits. Afterwards this node invalidates the cached permissions of `whose` sessions and wakes the sequencer.
 */
export const runEdit = async <const T>(
  db: Db,
  whose: { userId: number } | 'all',
  work: (trx: Db) => Promise<T>,
): Promise<T> => {
  const result = await retryTransaction(() => db.transaction().execute(work))
  invalidateSessionCache(whose)
  wakeSequencer()
  return result
}

const MAX_STALE_ATTEMPTS = 3
const isStale = (error: unknown): boolean => error instanceof BusinessError && error.of === codes.stale

/**
 * An edit of the compatibility API, which sends no version: fields it does not name stay as they are. If another user
 * changed the row after the read, the edit is repeated on the new row (decision 029).
 */
export const editWithoutVersion = <R, T>(read: () => Promise<R>, write: (row: R) => Promise<T>): Promise<T> =>
  retryTransaction(async () => write(await read()), isStale, MAX_STALE_ATTEMPTS)

const refusalIn = (error: unknown): BusinessError | undefined => {
  if (error instanceof BusinessError) return error
  const conflict = constraintError(error)
  return conflict && new BusinessError(conflict.code, conflict.params)
}

type Named = { id: number; name: string | undefined }
/** Names the rejected item of several: by its name, or by its number when the actor cannot see it. */
export const nameFailedItem = (error: unknown, { id, name = `#${id}` }: Named): unknown => {
  const refusal = refusalIn(error)
  return refusal ? errorForItem(name, refusal) : error
}

type Each = {
  ids: readonly number[]
  work: (trx: Db, id: number) => Promise<unknown>
  /** The name of the row that the actor may see, for the error. */
  named: (id: number) => Promise<{ name: string } | undefined>
}

/**
 * The same for each of several rows, all or none; always in the order of ids, so that two concurrent deletions do not
 * deadlock.
 */
export const runEditForEach = async (db: Db, { ids, work, named }: Each): Promise<true> => {
  const under: { id: number | undefined } = { id: undefined }
  try {
    return await runEdit(db, 'all', async (trx): Promise<true> => {
      for (const id of ids.toSorted((a, b) => a - b)) {
        under.id = id
        await work(trx, id)
      }
      // An error of the commit concerns all of them.
      under.id = undefined
      return true
    })
  } catch (error) {
    const { id } = under
    if (id === undefined || ids.length === 1 || !refusalIn(error)) throw error
    throw nameFailedItem(error, { id, name: (await named(id))?.name })
  }
}

/** Rejects one field by name, for rules that a schema cannot express. A date is shown to the minute. */
export const fieldError = (
  schema: z.ZodObject,
  field: string,
  rule: Rule,
  bound?: number | string | Date,
): ValidationError => {
  const label = labelOf(schema.shape[field] as z.ZodType)
  const error: Omit<FieldError, 'message'> = {
    field,
    rule,
    ...(bound !== undefined && { bound: bound instanceof Date ? localStamp(bound).slice(0, 16) : bound }),
    ...(label && { label }),
  }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}
