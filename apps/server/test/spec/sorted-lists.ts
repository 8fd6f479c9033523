import type { Endpoint } from '@tocsin/contract/endpoint'
import { sortNames } from '@tocsin/contract/page'
import { z } from 'zod'

type Value = string | number | boolean | null
export type SortedList = { endpoint: Endpoint; names: readonly string[]; row: z.ZodObject }

/** The row of a page; undefined for another answer. */
const rowOf = ({ data }: Endpoint): z.ZodObject | undefined => {
  const list = data instanceof z.ZodObject ? data.shape['list'] : undefined
  const row = list instanceof z.ZodArray ? list.element : undefined
  return row instanceof z.ZodObject ? row : undefined
}

/** Every page call that declares an order. */
export const listSorted = (endpoints: readonly Endpoint[]): SortedList[] =>
  endpoints.flatMap((endpoint) => {
    const row = rowOf(endpoint)
    const names = endpoint.query ? sortNames(endpoint.query) : []
    return row && names.length > 0 ? [{ endpoint, names, row }] : []
  })

const wordsOf = (schema: unknown): readonly string[] | undefined => {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return wordsOf(schema.unwrap())
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined
}

const isAscending = (filled: readonly Exclude<Value, null>[]): boolean =>
  filled.every((value, at) => {
    const before = filled[at - 1]
    return before === undefined || before <= value
  })

/** Whether no value is smaller than the one before, empty ones last; words by their letters or as the contract lists them. */
export const isInOrder = (
  { row }: SortedList,
  { name, values }: { name: string; values: readonly Value[] },
): boolean => {
  const isDescending = name.startsWith('-')
  const filled = values.filter((value) => value !== null)
  if (values.slice(0, filled.length).includes(null)) return false
  const rising = isDescending ? filled.toReversed() : filled
  const words = wordsOf(row.shape[isDescending ? name.slice(1) : name])
  return (
    isAscending(rising) || (words !== undefined && isAscending(rising.map((value) => words.indexOf(String(value)))))
  )
}
