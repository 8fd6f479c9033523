import type { Page } from '@tocsin/contract/page'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'

/** Reads the fields of the schema from an address; invalid ones count as absent. */
export const parseUrlQuery = <S extends z.ZodObject>(schema: S, params: URLSearchParams): z.output<S> => {
  const known = Object.entries(schema.shape).flatMap(([name, item]) => {
    const text = params.get(name)
    // See ui/form.ts fieldIssues for the type of a shape.
    const result = text === null || text === '' ? undefined : z.safeDecode(item as z.ZodType, text as never)
    return result?.success ? [[name, result.data]] : []
  })
  // Every field of a list's query is optional, so any subset of valid ones is valid.
  return Object.fromEntries(known) as z.output<S>
}

/** Writes values into a copy of an address; parameters outside of the schema stay, empty ones are removed. */
export const toUrlQuery = <S extends z.ZodObject>(schema: S, values: z.output<S>, now: URLSearchParams) => {
  const next = new URLSearchParams(now)
  for (const name of Object.keys(schema.shape)) next.delete(name)
  for (const [name, value] of Object.entries(z.encode(schema, values))) {
    if (typeof value === 'string' && value !== '') next.set(name, value)
  }
  return next
}

/** Filters and page are in the address: a reload, a link and the back button keep them. */
export const useUrlQuery = <S extends z.ZodObject>(schema: S) => {
  const [params, setParams] = useSearchParams()
  const query = useMemo(() => parseUrlQuery(schema, params), [schema, params])
  const setQuery = useCallback(
    (values: z.output<S>, options?: { replace: boolean }) =>
      setParams((now) => toUrlQuery(schema, values, now), options),
    [schema, setParams],
  )
  return [query, setQuery] as const
}

type Filtering<S extends z.ZodObject> = {
  query: z.output<S>
  setQuery: (values: z.output<S>) => void
  /** Stay whatever is filtered, such as the order. */
  kept?: Partial<z.output<S>>
}

/**
 * Filters by the values of a form, from the first page on.
 * @returns the values as the address then has them, undefined for invalid ones.
 */
export const useFilterSearch = <S extends z.ZodObject>(schema: S, { query, setQuery, kept }: Filtering<S>) =>
  useCallback(
    (values: Record<string, unknown>): z.output<S> | undefined => {
      // Values come from the form of this very schema; the address encodes and validates them.
      const given = { ...values, ...kept } as z.output<S>
      if (!z.safeEncode(schema, given).success) return undefined
      const next = parseUrlQuery(schema, toUrlQuery(schema, given, new URLSearchParams()))
      // An entry of the history for each change, none for a second press.
      if (JSON.stringify(next) !== JSON.stringify(query)) setQuery(next)
      return next
    },
    [schema, query, setQuery, kept],
  )

type Place = { pageNo: number; pageSize: number }

/** The page to show instead of an empty one, when the list has rows: the last of them. */
export const pageInstead = (
  { list, total }: Pick<Page<unknown>, 'list' | 'total'>,
  { pageNo, pageSize }: Place,
): number | undefined => {
  const last = Math.ceil(total / pageSize)
  return list.length === 0 && last > 0 && last < pageNo ? last : undefined
}
