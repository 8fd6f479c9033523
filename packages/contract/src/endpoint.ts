import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/**
 * The encoding of the call. `form`: multipart, urlencoded or JSON, fields only. `upload`: multipart with the parts of
 * `files` beside the fields of `body`. `file`: the response is a stream, its errors are JSON envelopes.
 */
export type Kind = 'json' | 'form' | 'upload' | 'file'

/** A part of an upload: 1 to `count` (default 1) files of at most `bytes` each. */
export type FilePart = { title: string; titleEn: string; bytes: number; count?: number }

/**
 * Which visibility limits the rows of a call: none, the caller's own rows, the caller's departments, the caller's
 * schools.
 */
export type VisibilityKind = 'none' | 'self' | 'dept' | 'school'

/** What an entity is called: `派出所`, `station`, `Stations`. */
export type EntityTitles = { title: string; titleEn: string; titlesEn: string }

/** One HTTP call as plain data: the server mounts it, the browser calls it, OpenAPI prints it. */
export type Endpoint = {
  method: Method
  path: `/${string}`
  /** Aliases with the same payload. */
  also?: readonly { method?: Method; path: `/${string}` }[]
  kind: Kind
  /** A permission string; `token`: any signed-in user; `open`: no session needed. */
  permission: string
  scope: VisibilityKind
  summary: string
  summaryEn: string
  /** Of the list of an entity: what its rows are called. */
  titles?: EntityTitles
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The row as a read answers it, where forms send it back whole: what `body` does not have of it is ignored. */
  row?: z.ZodType
  /** The file parts of an `upload` by name; each is required. */
  files?: Readonly<Record<string, FilePart>>
  data: z.ZodType
}

export const endpoint = <const E extends Endpoint>(e: E): E => e

type Part<E, K extends string> = E extends Record<K, z.ZodType> ? { [k in K]: z.output<E[K]> } : unknown

/** The decoded values of the server's function and of a caller. */
export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
export type Data<E extends Endpoint> = z.output<E['data']>

/** SPEC 9: the success code; the client also takes a missing code and 0 as success. */
export const OK = 200

export type Envelope = { code: number | string; msg: string; data: unknown; traceId?: string }
