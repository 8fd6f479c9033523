import { z } from 'zod'
import { queryId, queryIds, queryInt } from './codecs.ts'
import { field } from './field.ts'

export const MAX_PAGE_SIZE = 200
/** Totals are exact up to here; beyond, `{total, capped: true}` and later pages are rejected (DESIGN 5). */
export const TOTAL_CAP = 100_000

export const PageQuery = z.strictObject({
  pageNo: field(queryInt(1, 1_000_000).optional(), '页码', 'Page'),
  /** The alias of pageNo in the compatibility API. */
  pageNum: field(queryInt(1, 1_000_000).optional(), '页码', 'Page'),
  pageSize: field(queryInt(1, MAX_PAGE_SIZE).optional(), '每页条数', 'Page size'),
})
export type PageQuery = z.output<typeof PageQuery>

/** Offset and limit of a page query; default: page 1 of 10. */
export const toLimitOffset = (query: PageQuery): { limit: number; offset: number } => {
  const limit = query.pageSize ?? 10
  return { limit, offset: ((query.pageNo ?? query.pageNum ?? 1) - 1) * limit }
}

/** The field `orderBy` of a list's query: a column, or with a minus the same column with the largest value first. */
export const sortable = <const Name extends string>(names: readonly Name[]) => {
  const choices = names.flatMap((name): (Name | `-${Name}`)[] => [name, `-${name}` as const])
  return field(z.enum(choices).optional(), '排序', 'Sort')
}

/** The columns by which a list's query sorts. */
export const sortNames = ({ shape }: z.ZodObject): readonly string[] => {
  const { orderBy } = shape
  const choices = orderBy instanceof z.ZodOptional ? orderBy.unwrap() : undefined
  return choices instanceof z.ZodEnum ? choices.options.map(String).filter((choice) => !choice.startsWith('-')) : []
}

export const page = <T extends z.ZodType>(row: T) =>
  z.strictObject({ list: z.array(row), total: z.int(), capped: z.boolean().optional() })
export type Page<T> = { list: T[]; total: number; capped?: boolean | undefined }

export const ById = z.strictObject({ id: field(queryId, '编号', 'Id') })
/** For bulk actions, all or none. */
export const ByIds = z.strictObject({ ids: field(queryIds, '编号', 'Ids') })
