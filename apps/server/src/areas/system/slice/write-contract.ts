import type { CodegenKind } from '@tocsin/contract/system/codegen/codegen'
import { call, file, importing, list, literal } from './layout.ts'
import { isRequired, type Slice, type SliceColumn } from './slice.ts'

const core: Readonly<Record<CodegenKind, string>> = {
  TEXT: 'z.string()',
  INT: 'z.int()',
  BIGINT: 'z.int()',
  FLOAT: 'z.number()',
  BOOL: 'z.boolean()',
  DAY: 'Day',
  INSTANT: 'Millis',
}

const isWorded = ({ words }: SliceColumn) => words.length > 0

/** What a row holds. */
const rowSchema = (column: SliceColumn): string => {
  const { kind, nullable, refers, wordsName } = column
  const of = isWorded(column) ? `z.enum(${wordsName})` : refers === null ? core[kind] : 'Id'
  return nullable ? `${of}.nullable()` : of
}

const LONG_TEXT = '10_000'
const drafted: Readonly<Record<CodegenKind, (required: string, length: number | null) => string>> = {
  TEXT: (required, length) => `z.string().trim()${required}.max(${length ?? LONG_TEXT})`,
  // What the column can hold.
  INT: () => 'z.int32()',
  BIGINT: () => 'z.int()',
  FLOAT: () => 'z.number()',
  BOOL: () => 'z.boolean()',
  DAY: () => 'Day',
  INSTANT: () => 'Millis',
}

/** What a form gives. */
const draftSchema = (column: SliceColumn): string => {
  const { kind, length, refers, wordsName } = column
  const required = isRequired(column)
  const plain = refers === null ? drafted[kind](required ? '.min(1)' : '', length) : 'Id'
  const of = isWorded(column) ? `z.enum(${wordsName})` : plain
  return required ? of : `${of}.nullable()`
}

const filterSchema = (column: SliceColumn): string => {
  const { kind, length, wordsName, queryType } = column
  if (isWorded(column)) return queryType === 'IN' ? `queryList(${wordsName})` : `z.enum(${wordsName})`
  switch (kind) {
    case 'TEXT':
      return `z.string().max(${Math.min(length ?? 100, 200)})`
    case 'INT':
      return 'queryInt(-2_147_483_648, 2_147_483_647)'
    case 'BOOL':
      return 'queryBool'
    case 'DAY':
      return 'Day'
    case 'INSTANT':
      return 'queryDate'
    default:
      return 'queryInt(Number.MIN_SAFE_INTEGER)'
  }
}

/** One filter, or the two ends of a span. */
export const filtersOf = (column: SliceColumn): { key: string; title: string; titleEn: string; operator: string }[] => {
  const { key, title, titleEn, queryType } = column
  if (queryType !== 'BETWEEN') return [{ key, title, titleEn, operator: queryType }]
  return [
    { key: `${key}From`, title: `${title}（起）`, titleEn: `${titleEn} from`, operator: 'GE' },
    { key: `${key}To`, title: `${title}（止）`, titleEn: `${titleEn} to`, operator: 'LE' },
  ]
}

type Named = Pick<SliceColumn, 'key' | 'title' | 'titleEn'>
const line = ({ key, title, titleEn }: Named, schema: string): string =>
  call('  ', `${key}: field`, [schema, literal(title), literal(titleEn)], ',')

const queryLines = (slice: Slice): string[] =>
  slice.columns
    .filter(({ inQuery }) => inQuery)
    .flatMap((column) => filtersOf(column).map((filter) => line(filter, `${filterSchema(column)}.optional()`)))

const words = ({ columns }: Slice): string[] =>
  columns
    .filter(isWorded)
    .map((column) => list('', `export const ${column.wordsName} = `, column.words.map(literal), ' as const'))

type Call = { name: string; verb: string; method: string; path: string; zh: string; en: string; rest: string[] }

const endpointOf = (slice: Slice, { name, verb, method, path, zh, en, rest }: Call): string =>
  [
    `  ${name}: endpoint({`,
    `    ...${slice.entity}('${verb}'),`,
    `    method: '${method}',`,
    `    path: '${slice.path}/${path}',`,
    `    summary: ${literal(zh)},`,
    `    summaryEn: ${literal(en)},`,
    ...rest.map((one) => `    ${one},`),
    '  }),',
  ].join('\n')

const endpoints = (slice: Slice): string[] => {
  const { type, table } = slice
  const { title, titleEn } = table
  const done = 'data: z.literal(true)'
  const calls: Call[] = [
    {
      name: 'page',
      verb: 'query',
      method: 'GET',
      path: 'page',
      zh: `${title}分页`,
      en: `${titleEn}: by page`,
      rest: [`query: ${type}Query`, `data: page(${type})`],
    },
    {
      name: 'get',
      verb: 'query',
      method: 'GET',
      path: 'get',
      zh: `${title}详情`,
      en: `${titleEn}: one`,
      rest: ['query: ById', `data: ${type}`],
    },
    {
      name: 'create',
      verb: 'create',
      method: 'POST',
      path: 'create',
      zh: `新增${title}`,
      en: `${titleEn}: create`,
      rest: [`body: ${type}Draft`, 'data: Id'],
    },
    {
      name: 'update',
      verb: 'update',
      method: 'PUT',
      path: 'update',
      zh: `修改${title}`,
      en: `${titleEn}: change`,
      rest: [`body: ${type}Edit`, done],
    },
    {
      name: 'delete',
      verb: 'delete',
      method: 'DELETE',
      path: 'delete',
      zh: `删除${title}`,
      en: `${titleEn}: delete`,
      rest: ['query: ById', done],
    },
  ]
  return calls.map((one) => endpointOf(slice, one))
}

const scopes = { OPEN: 'none', DEPT: 'dept', SCHOOL: 'school' } as const

/** Entity, draft, query and calls. */
export const writeContract = (slice: Slice): string => {
  const { type, set, entity, columns, permission, table, module } = slice
  const up = module.split('/').length > 2 ? '../..' : '..'
  const rows = columns.map((column) => line(column, rowSchema(column)))
  const drafts = columns.filter(({ form }) => form).map((column) => line(column, draftSchema(column)))
  const filters = queryLines(slice)
  const said = [...rows, ...drafts, ...filters].join('\n')
  const codecs = ['Day', 'Millis', 'queryBool', 'queryDate', 'queryInt', 'queryList'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(said.replaceAll(/'[^']*'|"[^"]*"/g, '')),
  )
  const head = `const ${entity} = (verb: string) =>`
  const spec = `({ kind: 'json', permission: \`${permission}:\${verb}\`, scope: '${scopes[table.sight]}' }) as const`
  return file(
    "import { z } from 'zod'",
    importing(
      [...codecs.filter((name) => name === 'Day'), 'Id', ...codecs.filter((name) => name !== 'Day')],
      `${up}/codecs.ts`,
    ),
    `import { edited } from '${up}/edited.ts'`,
    `import { endpoint } from '${up}/endpoint.ts'`,
    `import { field } from '${up}/field.ts'`,
    `import { ById, PageQuery, page } from '${up}/page.ts'`,
    '',
    ...words(slice),
    words(slice).length > 0 && '',
    "const id = field(Id, '编号', 'Id')",
    '',
    `export const ${type} = z.strictObject({`,
    '  id,',
    ...rows,
    '  ...edited,',
    '})',
    `export type ${type} = z.output<typeof ${type}>`,
    '',
    `export const ${type}Draft = z.strictObject({`,
    ...drafts,
    '})',
    `export type ${type}Draft = z.output<typeof ${type}Draft>`,
    `const ${type}Edit = ${type}Draft.partial().extend({`,
    '  id,',
    "  version: field(z.int(), '版本', 'Version'),",
    '})',
    `export type ${type}Edit = z.output<typeof ${type}Edit>`,
    '',
    filters.length > 0
      ? [`export const ${type}Query = PageQuery.extend({`, ...filters, '})'].join('\n')
      : `export const ${type}Query = PageQuery`,
    `export type ${type}Query = z.output<typeof ${type}Query>`,
    '',
    widthFits(head, spec),
    '',
    `export const ${set} = {`,
    ...endpoints(slice),
    '}',
  )
}

const widthFits = (head: string, spec: string): string =>
  `${head} ${spec}`.length <= 120 ? `${head} ${spec}` : `${head}\n  ${spec}`
