import {
  type CodegenKind,
  type CodegenExcludedColumn,
  type CodegenProblem,
  type CodegenVisibility,
  formTypesOf,
  MAX_COLUMNS,
} from '@tocsin/contract/codegen/codegen'
import { auditFields } from '@tocsin/contract/audit-fields'
import { z } from 'zod'
import { tables } from '#db/tables'
import type { VisibilityColumns } from '#db/tables/table'
import type { DbColumn, DbStructure } from './structure.ts'

export type Importability = { problem: CodegenProblem; detail: string } | 'fine' | 'looked' | 'never'

export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Known = { row: { shape: Record<string, unknown> }; sight: VisibilityColumns }
const known: Readonly<Record<string, Known>> = tables

/** The product's own entry for a table of this name, if it has one. */
export const findProductTable = (name: string): Known | undefined =>
  Object.hasOwn(known, toCamelCase(name)) ? known[toCamelCase(name)] : undefined

/** Who a person is, what he may do, what he must not read: never shown by a slice that somebody makes in a minute. */
const guarded = new Set(['users', 'role', 'menu', 'dept', 'config', 'job', 'secret', 'codegen_table', 'migration'])
/** What only the operations of its own area may change, which know more than the database: others look at it. */
const governed = new Set([
  'school',
  'place',
  'device',
  'device_model',
  'school_device',
  'test_plan',
  'warn_rule',
  'warn_record',
  'notice',
])
const secret = /(^|_)(secret|session|credential|token|password|passwd)s?(_|$)/
/**
 * Parts of two or more characters that begin with a letter, so that the name in code and the name in SQL turn into each
 * other; short enough for a line.
 */
const identifier = /^(?=.{2,40}$)[a-z][a-z0-9]*(_[a-z][a-z0-9]+)*$/

/** What has this is taken for a promise. */
const thenable = 'then'

/** Its rows have, or get, what every edited row has beside its own columns. */
export const isEdited = (table: string): boolean => {
  const product = findProductTable(table)
  return !product || Object.keys(auditFields).every((name) => Object.hasOwn(product.row.shape, name))
}

/** `id` and what every edited row has beside its own columns: the house's affair, not to be configured. */
const isStandard = (table: string, column: string): boolean =>
  column === 'id' || (isEdited(table) && Object.hasOwn(auditFields, toCamelCase(column)))

/** What the house keeps in the columns of its own, where a table has them. */
const standardKinds: Readonly<Record<string, CodegenKind>> = {
  version: 'INT',
  create_time: 'INSTANT',
  creator: 'BIGINT',
  update_time: 'INSTANT',
  updater: 'BIGINT',
}

/** What the lists of the product's own tables hold, their rows say. */
const isTexts = (schema: unknown): boolean => {
  const list = schema instanceof z.ZodNullable ? schema.unwrap() : schema
  return list instanceof z.ZodArray && list.element instanceof z.ZodString
}
const isKnown = (table: string, { name, kind }: DbColumn): boolean => {
  const product = findProductTable(table)
  return kind !== undefined && (kind !== 'LIST' || !product || isTexts(product.row.shape[toCamelCase(name)]))
}

/** Documents, and lists that nothing says the entries of: neither forms nor lists know them, and a row does without. */
const apart = /^(jsonb|(text|integer|bigint|double precision|character varying(\(\d+\))?)\[\])$/

const withoutSystemInputs = ({ name: table, columns }: DbStructure): DbColumn[] =>
  columns.filter(
    (column) =>
      !isKnown(table, column) && apart.test(column.dataType) && !column.single && !isStandard(table, column.name),
  )

/** Why a form could not write the rows, if it could not. */
const columnsProblem = (structure: DbStructure): Exclude<Importability, string> | undefined => {
  const without = withoutSystemInputs(structure)
  const odd = structure.columns
    .filter((column) => !without.includes(column))
    .find((column) => !isKnown(structure.name, column) || (standardKinds[column.name] ?? column.kind) !== column.kind)
  if (odd) {
    const digits = odd.kind === undefined && /^numeric(\([^)]*\))?$/.test(odd.dataType)
    return { problem: digits ? 'DIGITS' : 'TYPE', detail: `${odd.name} ${odd.dataType}` }
  }
  const lacking = without.find(({ nullable, preset }) => !nullable && preset === null)
  return lacking && { problem: 'GIVEN', detail: `${lacking.name} ${lacking.dataType}` }
}

/** A row cannot be without it, and no form chooses among what it names; departments are the house's to know. */
const isBeyond = ({ name, kind, nullable, preset, refers, ...column }: DbColumn): boolean => {
  if (refers === null || kind === undefined || nullable || preset !== null || name === 'dept_id') return false
  return (
    formTypesOf({ ...column, columnName: name, kind, nullable, preset, refers, dictType: null }, 'SINGLE').length === 0
  )
}

/** Rows of the product that a generated form must not write, or cannot. */
export const isReadOnly = (structure: DbStructure): boolean => {
  if (!findProductTable(structure.name)) return false
  return governed.has(structure.name) || columnsProblem(structure) !== undefined || structure.columns.some(isBeyond)
}

/** What of rows that are only looked at is not shown. */
const unshown = ({ name: table, columns }: DbStructure): DbColumn[] =>
  columns.filter((column) => !isStandard(table, column.name) && (!isKnown(table, column) || secret.test(column.name)))

const withoutOf = (structure: DbStructure): DbColumn[] =>
  isReadOnly(structure) ? unshown(structure) : withoutSystemInputs(structure)

/** The columns of a table that are configured. */
export const configurableColumns = (structure: DbStructure): DbColumn[] => {
  const without = withoutOf(structure)
  return structure.columns.filter((column) => !isStandard(structure.name, column.name) && !without.includes(column))
}

/** The columns of a table that its slice neither shows nor writes. */
export const listExcludedColumns = (structure: DbStructure): CodegenExcludedColumn[] =>
  withoutOf(structure).map(({ name, dataType, nullable, preset, comment }) => ({
    columnName: name,
    dataType,
    nullable,
    preset,
    comment,
  }))

/** Why a slice cannot show and write the rows of a table, if it cannot. */
const problemOf = (structure: DbStructure): Exclude<Importability, string> | undefined => {
  const { name, columns, rules } = structure
  const product = findProductTable(name)
  const hidden = columns.find((column) => secret.test(column.name))
  if (hidden) return { problem: 'SECRET', detail: hidden.name }
  const named = [name, ...columns.map((column) => column.name)].find(
    (one) => !identifier.test(one) || toCamelCase(one) in {} || one === thenable,
  )
  if (named !== undefined) return { problem: 'NAME', detail: named }
  const wrong = columnsProblem(structure)
  if (wrong) return wrong
  // A row that breaks it would be refused by the database in words that nobody at the screen understands.
  if (!product && rules[0] !== undefined) return { problem: 'RULE', detail: rules[0] }
}

/**
 * What may be imported. A table of the product none that speaks of rights or secrets, and only to look at where forms
 * cannot write it; any other table of the schema `public` with a key `id` and columns that forms and lists know, beside
 * such as they can leave out.
 */
export const checkImportable = (structure: DbStructure): Importability => {
  const { name, keyed } = structure
  const product = findProductTable(name)
  if (guarded.has(name) || secret.test(name)) return 'never'
  if (product && !Object.hasOwn(product.row.shape, 'version')) return 'never'
  if (!keyed) return product ? 'never' : { problem: 'ID', detail: 'id bigint' }
  const looked = isReadOnly(structure)
  const wrong = looked ? undefined : problemOf(structure)
  if (wrong) return wrong
  const own = configurableColumns(structure).length
  if (own === 0) return { problem: 'SIZE', detail: '0' }
  if (own > MAX_COLUMNS) return { problem: 'SIZE', detail: `${own} > ${MAX_COLUMNS}` }
  return looked ? 'looked' : 'fine'
}

type Columns = readonly { columnName: string; nullable: boolean; refers: string | null }[]

/** Through what rows of a table can be seen; those of the product as the product says. */
export const visibilityChoices = (table: string, columns: Columns): readonly CodegenVisibility[] => {
  const product = findProductTable(table)
  if (product) {
    if (product.sight === 'open') return ['OPEN']
    return [product.sight.school ? 'SCHOOL' : 'DEPT']
  }
  const school = columns.find(({ columnName, refers }) => columnName === 'school_id' && refers === 'school')
  return school && !school.nullable ? ['SCHOOL'] : ['DEPT', 'OPEN']
}
