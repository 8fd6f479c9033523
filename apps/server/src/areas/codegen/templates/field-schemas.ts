import { type CodegenKind, type Decimal, decimalOf } from '@tocsin/contract/codegen/codegen'
import { isRequired, type CrudColumn } from './crud-module.ts'
import { arrayLiteral, call, literal } from './source-text.ts'

const stored: Readonly<Record<CodegenKind, string>> = {
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
export const isReference = ({ refers, kind }: CrudColumn): boolean =>
  refers !== null && (kind === 'BIGINT' || kind === 'INT')

const isId = (column: CrudColumn): boolean => isReference(column) || column.fileKey !== undefined
export const isWorded = ({ words }: CrudColumn): boolean => words.length > 0

/** A field with a dictionary says so in its schema: control, cell, filter, check and export follow. */
const worded = ({ dictType }: CrudColumn, schema: string): string =>
  dictType === null ? schema : `inDict(${schema}, ${literal(dictType)})`

const rowSchema = (column: CrudColumn): string => {
  const { kind, nullable, wordsName, form } = column
  if (form === 'PARENT') return 'ParentId'
  const schema = isWorded(column) ? `z.enum(${wordsName})` : isId(column) ? 'Id' : worded(column, stored[kind])
  return nullable ? `${schema}.nullable()` : schema
}

const LONG_TEXT = '10_000'
/** The stored maximum of a rich text, including its tags. */
const RICH_TEXT = 'z.string().max(65_535)'

const drafted: Readonly<Record<CodegenKind, (required: string, length: number | null) => string>> = {
  ...stored,
  TEXT: (required, length) => `z.string().trim()${required}.max(${length ?? LONG_TEXT})`,
  // The limits of the column type.
  INT: () => 'z.int32()',
  BIGINT: () => stored.BIGINT,
  FLOAT: () => stored.FLOAT,
  BOOL: () => stored.BOOL,
  DAY: () => stored.DAY,
  INSTANT: () => stored.INSTANT,
  LIST: (required) => `z.array(z.string().min(1).max(100))${required}.max(50)`,
}

/** A user could not correct a hidden text, so it is taken as it is. */
const hidden: Readonly<Partial<Record<CodegenKind, (length: number | null) => string>>> = {
  TEXT: (length) => `z.string().max(${length ?? LONG_TEXT})`,
  LIST: () => `z.array(z.string().max(${LONG_TEXT})).max(1000)`,
}

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '_')
/** Code of the largest number with this many digits. */
export const maxLiteral = ({ digits, places }: Decimal): string => {
  const whole = grouped('9'.repeat(digits - places)) || '0'
  return places === 0 ? whole : `${whole}.${'9'.repeat(places)}`
}
/** Code of the smallest positive number with this many decimals. */
export const stepLiteral = ({ places }: Decimal): string => (places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`)

const decimalSchema = (decimal: Decimal): string => {
  const most = maxLiteral(decimal)
  const [of, step] = decimal.places === 0 ? ['z.int()', ''] : ['z.number()', `.multipleOf(${stepLiteral(decimal)})`]
  return `${of}.min(-${most}).max(${most})${step}`
}

const draftSchema = (column: CrudColumn): string => {
  const { kind, length, wordsName, form, nullable } = column
  if (form === 'PARENT') return 'ParentId'
  const required = form === 'HIDDEN' ? !nullable : isRequired(column)
  const decimal = decimalOf(column)
  const own = (form === 'HIDDEN' && hidden[kind]?.(length)) || drafted[kind](required ? '.min(1)' : '', length)
  const plain = form === 'EDITOR' ? RICH_TEXT : decimal ? decimalSchema(decimal) : worded(column, own)
  const schema = isWorded(column) ? `z.enum(${wordsName})` : isId(column) ? 'Id' : plain
  return required ? schema : `${schema}.nullable()`
}

/** Fields that may be absent when a row is created: the database has a default, or nothing is one. */
export const mayBeAbsent = (column: CrudColumn): boolean =>
  column.form !== 'PARENT' && (column.form === 'HIDDEN' || !column.inCreate || !isRequired(column))

const filterSchema = (column: CrudColumn): string => {
  const { kind, length, wordsName, queryType } = column
  if (isWorded(column)) return queryType === 'IN' ? `queryList(${wordsName})` : `z.enum(${wordsName})`
  const decimal = decimalOf(column)
  if (decimal) {
    const most = maxLiteral(decimal)
    return `${decimal.places === 0 ? 'queryInt' : 'queryNumber'}(-${most}, ${most})`
  }
  const filters: Readonly<Record<CodegenKind, string>> = {
    // A dictionary value is limited to this length.
    TEXT: worded(
      column,
      queryType === 'IN'
        ? `queryTexts(${Math.min(length ?? 100, 100)})`
        : `z.string().max(${Math.min(length ?? 100, 200)})`,
    ),
    LIST: worded(column, 'z.string().max(100)'),
    INT: 'queryInt(-2_147_483_648, 2_147_483_647)',
    BIGINT: 'queryInt(Number.MIN_SAFE_INTEGER)',
    FLOAT: 'queryNumber()',
    BOOL: 'queryBool',
    DAY: 'Day',
    INSTANT: 'queryDate',
  }
  return filters[kind]
}

type Filter = { key: string; title: string; titleEn: string; operator: string; column: CrudColumn }

/** The filters of the list: one for each column, or the two ends of a range. */
export const filtersOf = (columns: readonly CrudColumn[]): Filter[] =>
  columns
    .filter(({ inQuery }) => inQuery)
    .flatMap((column) => {
      const { key, title, titleEn, queryType } = column
      if (queryType !== 'BETWEEN') return [{ key, title, titleEn, operator: queryType, column }]
      return [
        { key: `${key}From`, title: `${title}（起）`, titleEn: `${titleEn} from`, operator: 'GE', column },
        { key: `${key}To`, title: `${title}（止）`, titleEn: `${titleEn} to`, operator: 'LE', column },
      ]
    })

type Titled = { key: string; title: string; titleEn: string }
/** A field with its label in both languages. */
export const fieldLine = ({ key, title, titleEn }: Titled, schema: string): string =>
  call('  ', `${key}: field`, [schema, literal(title), literal(titleEn)], ',')

/** The columns of rows, then the files themselves. */
export const rowLines = (columns: readonly CrudColumn[]): string[] => [
  ...columns.map((column) => fieldLine(column, rowSchema(column))),
  ...columns.flatMap(({ fileKey, title, titleEn }) =>
    fileKey ? [fieldLine({ key: fileKey, title, titleEn }, 'StoredFileInfo.nullable()')] : [],
  ),
]

export const draftLines = (columns: readonly CrudColumn[]): string[] =>
  columns.filter(({ form }) => form).map((column) => fieldLine(column, draftSchema(column)))

/** The same of a child row, which is created and changed with one draft: a form without the field leaves it out. */
export const childDraftLines = (columns: readonly CrudColumn[]): string[] =>
  columns
    .filter(({ form }) => form)
    .map((column) => fieldLine(column, `${draftSchema(column)}${column.form === 'HIDDEN' ? '.optional()' : ''}`))

export const queryLines = (columns: readonly CrudColumn[]): string[] =>
  filtersOf(columns).map((filter) => fieldLine(filter, `${filterSchema(filter.column)}.optional()`))

export const wordTables = (columns: readonly CrudColumn[]): string[] =>
  columns
    .filter(isWorded)
    .map((column) => arrayLiteral('', `export const ${column.wordsName} = `, column.words.map(literal), ' as const'))
