import { codes } from '@tocsin/contract/codes'
import type { Data, Endpoint } from '@tocsin/contract/endpoint'
import { issueText, type FieldError, type Rule } from '@tocsin/contract/issue'
import { labelOf } from '@tocsin/contract/field'
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

/** The columns an edit names: absent is unchanged, null clears (DESIGN 5). */
export const changedColumns = <E extends object>(edit: E): Given<E> =>
  // Only what is undefined and the two keys go, which is what the type says.
  Object.fromEntries(
    Object.entries(edit).filter(([key, value]) => key !== 'id' && key !== 'version' && value !== undefined),
  ) as Given<E>

/** What every change of an edited row writes beside its own columns. */
export const updateStamp = ({ actor }: Caller) => ({
  version: sql<number>`version + 1`,
  updateTime: sql<Date>`now()`,
  updater: actor.userId,
})

export const createStamp = ({ actor }: Caller) => ({ creator: actor.userId, updater: actor.userId })

/**
 * Refuses an edit of a row that somebody changed meanwhile, and shows it as it is now; an edit without a version takes
 * what it finds. `shows`: where the row is personal data, see `checkPersonalVersion`.
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

/** `checkVersion` of rows that are personal data: who is shown one, as `get` would, is on record as its reader. */
export const checkPersonalVersion =
  <const G extends Endpoint>({ subject, get, read }: Personal<G>) =>
  (db: Db, version: number | undefined, { id, ...row }: { id: number; version: number }, actor: Actor): Promise<void> =>
    checkVersion(version, row, async () => z.encode(get.data, await read(db, id, actor)), {
      subject,
      id,
      permission: get.permission,
    })

/** What says nothing of its own: the pairs by which a row is searched are longer than the row. */
const isDerived = ([key, value]: [string, unknown]): boolean => key === 'search' && Array.isArray(value)

/** A row as the audit keeps it: no password, instants in epoch ms. */
export const toAuditState = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter((entry) => entry[0] !== 'passwordHash' && !isDerived(entry))
      .map(([key, value]) => [key, value instanceof Date ? value.getTime() : value]),
  )

/**
 * One transaction, tried again when the database rolled it back for no fault of the caller, as of two edits that
 * deadlock. Afterwards this node drops cached rights of `whose` sessions and wakes the sequencer.
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
 * A change by the other family, whose callers send no version: what they do not name stays as it is now. Where what is
 * written is made of the row that was read, it is made again of the row that somebody else changed meanwhile (decision 029).
 */
export const editWithoutVersion = <R, T>(read: () => Promise<R>, write: (row: R) => Promise<T>): Promise<T> =>
  retryTransaction(async () => write(await read()), isStale, MAX_STALE_ATTEMPTS)

const refusalIn = (error: unknown): BusinessError | undefined => {
  if (error instanceof BusinessError) return error
  const conflict = constraintError(error)
  return conflict && new BusinessError(conflict.code, conflict.params)
}

type Named = { id: number; name: string | undefined }
/** Of several, says which one was refused: by its name, by its number where the actor sees none. */
export const nameFailedItem = (error: unknown, { id, name = `#${id}` }: Named): unknown => {
  const refusal = refusalIn(error)
  return refusal ? errorForItem(name, refusal) : error
}

type Each = {
  ids: readonly number[]
  work: (trx: Db, id: number) => Promise<unknown>
  /** What the actor knows the row by, for the refusal. */
  named: (id: number) => Promise<{ name: string } | undefined>
}

/** The same for each of several rows, all or none; in one order, so that two who delete the same wait for each other. */
export const runEditForEach = async (db: Db, { ids, work, named }: Each): Promise<true> => {
  const under: { id: number | undefined } = { id: undefined }
  try {
    return await runEdit(db, 'all', async (trx): Promise<true> => {
      for (const id of ids.toSorted((a, b) => a - b)) {
        under.id = id
        await work(trx, id)
      }
      // What the commit refuses is about all of them.
      under.id = undefined
      return true
    })
  } catch (error) {
    const { id } = under
    if (id === undefined || ids.length === 1 || !refusalIn(error)) throw error
    throw nameFailedItem(error, { id, name: (await named(id))?.name })
  }
}

/** Refuses one field by name, for rules that no schema can say. */
export const fieldError = (schema: z.ZodObject, field: string, rule: Rule, bound?: number): ValidationError => {
  const label = labelOf(schema.shape[field] as z.ZodType)
  const error: Omit<FieldError, 'message'> = {
    field,
    rule,
    ...(bound !== undefined && { bound }),
    ...(label && { label }),
  }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}
