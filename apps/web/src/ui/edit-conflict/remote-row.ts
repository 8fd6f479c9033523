import { codes } from '@tocsin/contract/codes'
import { z } from 'zod'
import { ApiError } from '#api/error.ts'

export type Values = Record<string, unknown>

/** A row as another user saved it, in the terms of the form that edits it. */
export type RemoteRow = { of: z.ZodObject; version: number; values: Values }

/** Reads the row of a stale-version error. */
export type ReadRemoteRow = (current: unknown) => RemoteRow | undefined | Promise<RemoteRow | undefined>

/** @param begin the initial values of the form for a row, where they are not the row itself. */
export const readAs =
  <S extends z.ZodObject>(of: S, begin: (row: z.output<S>) => Values = (row) => row) =>
  (current: unknown): RemoteRow | undefined => {
    const { data } = z.safeDecode(of, current as z.input<S>)
    return data && typeof data['version'] === 'number'
      ? { of, version: data['version'], values: begin(data) }
      : undefined
  }

export const isStale = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === codes.stale.code

/** The current row, where the error carries it. */
export const currentRowOf = (error: unknown): unknown => {
  const data = error instanceof ApiError ? error.data : undefined
  return typeof data === 'object' && data !== null && 'current' in data ? data.current : undefined
}

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Without empty values in nested rows too, and their fields in one order. */
const plain = (value: unknown): unknown => {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null
  // Ids of a multiple selection are in the order of the clicks.
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'number') ? value.toSorted((a, b) => a - b) : value.map(plain)
  if (!isPlain(value)) return value
  const filled = Object.entries(value).map(([name, item]) => [name, plain(item)] as const)
  return Object.fromEntries(filled.filter(([, item]) => item !== null).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether two values mean the same in a form; empty is written in several ways. */
export const isSame = (first: unknown, other: unknown): boolean =>
  JSON.stringify(plain(first)) === JSON.stringify(plain(other))

/** How to merge another user's edit: `followed` was not changed here, `differing` was changed by both. */
export const mergeRemote = (base: Values, mine: Values, theirs: Values) => {
  const moved = Object.keys(mine).filter((name) => name in theirs && !isSame(base[name], theirs[name]))
  const followed = moved.filter((name) => isSame(mine[name], base[name]))
  const differing = moved.filter((name) => !followed.includes(name) && !isSame(mine[name], theirs[name]))
  return { followed, differing }
}
