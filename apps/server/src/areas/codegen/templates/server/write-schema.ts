import { type CodegenKind, type Decimal, decimalOf } from '@tocsin/contract/codegen/codegen'
import { call, arrayLiteral, literal } from './source-text.ts'
import { isRequired, type CrudModule, type CrudColumn } from './crud-module.ts'

const core: Readonly<Record<CodegenKind, string>> = {
  TEXT: 'z.string()',
  INT: 'z.int()',
  BIGINT: 'z.int()',
  FLOAT: 'z.number()',
  BOOL: 'z.boolean()',
  DAY: 'Day',
  INSTANT: 'Millis',
  LIST: 'z.array(z.string())',
}

/** A reference by id; some references use a text. */
export const isNaming = ({ refers, kind }: CrudColumn): boolean =>
  refers !== null && (kind === 'BIGINT' || kind === 'INT')

const isWorded = ({ words }: CrudColumn) => words.length > 0

/** The type of a row field. */
const rowSchema = (column: CrudColumn): string => {
  const { kind, nullable, wordsName, form, fileKey } = column
  if (form === 'PARENT') return 'ParentId'
  const isId = isNaming(column) || fileKey !== undefined
  const of = isWorded(column) ? `z.enum(${wordsName})` : isId ? 'Id' : core[kind]
  return nullable ? `${of}.nullable()` : of
}

const LONG_TEXT = '10_000'
/** The stored maximum of a rich text, including its tags. */
const MOST_TEXT = '65_535'
const RICH_TEXT = `z.string().max(${MOST_TEXT})`
const drafted: Readonly<Record<CodegenKind, (required: string, length: number | null) => string>> = {
  TEXT: (required, length) => `z.string().trim()${required}.max(${length ?? LONG_TEXT})`,
  // The limits of the column type.
  INT: () => 'z.int32()',
  BIGINT: () => 'z.int()',
  FLOAT: () => 'z.number()',
  BOOL: () => 'z.boolean()',
  DAY: () => 'Day',
  INSTANT: () => 'Millis',
  LIST: (required) => `z.array(z.string().min(1).max(100))${required}.max(50)`,
}

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '_')
/** The first number with a digit too many before the decimal point, as code. */
export const firstTooLarge = ({ digits, places }: Decimal): string => grouped(`1${'0'.repeat(digits - places)}`)
/** Code of the largest number with this many digits. */
export const maxLiteral = ({ digits, places }: Decimal): string => {
  const whole = grouped('9'.repeat(digits - places)) || '0'
  return places === 0 ? whole : `${whole}.${'9'.repeat(places)}`
}
/** Code of the smallest positive number with this many decimals. */
export const minPositiveLiteral = ({ places }: Decimal): string =>
  places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`

const decimalSchema = (decimal: Decimal): string => {
  const most = maxLiteral(decimal)
  const [of, step] =
    decimal.places === 0 ? ['z.int()', ''] : ['z.number()', `.multipleOf(${minPositiveLiteral(decimal)})`]
  return `${of}.min(-${most}).max(${most})${step}`
}

/** Hidden form fields; for an empty one a new row has the default of the database. */
const carriedSchema = (column: CrudColumn): string => {
  const { kind, length, preset, wordsName } = column
  const decimal = decimalOf(column)
  const plain: Readonly<Partial<Record<CodegenKind, string>>> = {
    // The user could not correct a hidden value that is too long or empty.
    TEXT: `z.string().max(${length ?? MOST_TEXT})`,
    LIST: `z.array(z.string().max(${LONG_TEXT})).max(1000)`,
  }
  const any = decimal ? decimalSchema(decimal) : (plain[kind] ?? drafted[kind]('', length))
  const of = isWorded(column) ? `z.enum(${wordsName})` : any
  return preset === null ? `${of}.nullable()` : `${of}.optional()`
}

/** The type of a draft field. */
const draftSchema = (column: CrudColumn): string => {
  const { kind, length, wordsName, form, fileKey } = column
  if (form === 'PARENT') return 'ParentId'
  if (form === 'HIDDEN') return carriedSchema(column)
  const required = isRequired(column)
  if (form === 'EDITOR') return required ? RICH_TEXT : `${RICH_TEXT}.nullable()`
  const isId = isNaming(column) || fileKey !== undefined
  const decimal = decimalOf(column)
  const plain = decimal ? decimalSchema(decimal) : drafted[kind](required ? '.min(1)' : '', length)
  const of = isWorded(column) ? `z.enum(${wordsName})` : isId ? 'Id' : plain
  return required ? of : `${of}.nullable()`
}

const decimalFilter = (decimal: Decimal): string => {
  const most = maxLiteral(decimal)
  return `${decimal.places === 0 ? 'queryInt' : 'queryNumber'}(-${most}, ${most})`
}

const filterSchema = (column: CrudColumn): string => {
  const { kind, length, wordsName, queryType } = column
  if (isWorded(column)) return queryType === 'IN' ? `queryList(${wordsName})` : `z.enum(${wordsName})`
  const decimal = decimalOf(column)
  if (decimal) return decimalFilter(decimal)
  switch (kind) {
    case 'TEXT':
      // A dictionary value is limited to this length.
      if (queryType === 'IN') return `queryTexts(${Math.min(length ?? 100, 100)})`
      return `z.string().max(${Math.min(length ?? 100, 200)})`
    case 'LIST':
      return 'z.string().max(100)'
    case 'INT':
      return 'queryInt(-2_147_483_648, 2_147_483_647)'
    case 'FLOAT':
      return 'queryNumber()'
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

/** One filter, or the two ends of a range. */
export const filtersOf = (column: CrudColumn): { key: string; title: string; titleEn: string; operator: string }[] => {
  const { key, title, titleEn, queryType } = column
  if (queryType !== 'BETWEEN') return [{ key, title, titleEn, operator: queryType }]
  return [
    { key: `${key}From`, title: `${title}（起）`, titleEn: `${titleEn} from`, operator: 'GE' },
    { key: `${key}To`, title: `${title}（止）`, titleEn: `${titleEn} to`, operator: 'LE' },
  ]
}

type Named = Pick<CrudColumn, 'key' | 'title' | 'titleEn'>
export const line = ({ key, title, titleEn }: Named, schema: string): string =>
  call('  ', `${key}: field`, [schema, literal(title), literal(titleEn)], ',')

/** The columns of rows, then the files themselves. */
export const rowLines = (columns: readonly CrudColumn[]): string[] => [
  ...columns.map((column) => line(column, rowSchema(column))),
  ...columns.flatMap(({ fileKey, title, titleEn }) =>
    fileKey ? [line({ key: fileKey, title, titleEn }, 'StoredFileInfo.nullable()')] : [],
  ),
]

export const draftLines = (columns: readonly CrudColumn[]): string[] =>
  columns.filter(({ form }) => form).map((column) => line(column, draftSchema(column)))

export const queryLines = (slice: CrudModule): string[] =>
  slice.columns
    .filter(({ inQuery }) => inQuery)
    .flatMap((column) => filtersOf(column).map((filter) => line(filter, `${filterSchema(column)}.optional()`)))

export const wordTables = ({ columns }: Pick<CrudModule, 'columns'>): string[] =>
  columns
    .filter(isWorded)
    .map((column) => arrayLiteral('', `export const ${column.wordsName} = `, column.words.map(literal), ' as const'))
