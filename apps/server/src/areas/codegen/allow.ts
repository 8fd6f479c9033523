import {
  type CodegenKind,
  type CodegenExcludedColumn,
  type CodegenProblem,
  type CodegenVisibility,
  MAX_COLUMNS,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf } from '@tocsin/contract/codegen/column-options'
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

/** The project's own table of this name, if any. */
export const findProductTable = (name: string): Known | undefined =>
  Object.hasOwn(known, toCamelCase(name)) ? known[toCamelCase(name)] : undefined

/** Identities, permissions and secrets: a generated module never shows them. */
const guarded = new Set(['users', 'role', 'menu', 'dept', 'config', 'job', 'secret', 'codegen_table', 'migration'])
/**
 * Tables that only the operations of their own area may change, by rules outside of the database: generated modules
 * only read them.
 */
const governed = new Set(
  (
    'school place floor_plan employee device device_model school_device test_plan maintenance_order procedure ' +
    'rollout rollout_device program_package procedure_run school_term security_post shift shift_swap handover ' +
    'patrol_plan warn_rule warn_record assignment police_station police_unit wall_link police_situation ' +
    'delivery notify_policy notice'
  ).split(' '),
)
const secret = /(^|_)(secret|session|credential|token|password|passwd)s?(_|$)/
/**
 * Words of two or more characters that begin with a letter, so that camelCase and snake_case convert into each other;
 * short enough for a line.
 */
const identifier = /^(?=.{2,40}$)[a-z][a-z0-9]*(_[a-z][a-z0-9]+)*$/

/** An object with a property of this name would be treated as a promise. */
const thenable = 'then'

/** Its rows have, or get, the audit columns of every editable row. */
export const isEdited = (table: string): boolean => {
  const product = findProductTable(table)
  return !product || Object.keys(auditFields).every((name) => Object.hasOwn(product.row.shape, name))
}

/** `id` and the audit columns: managed by the project, not configurable. */
const isStandard = (table: string, column: string): boolean =>
  column === 'id' || (isEdited(table) && Object.hasOwn(auditFields, toCamelCase(column)))

/** The required types of the project's columns, when a table has them. */
const standardKinds: Readonly<Record<string, CodegenKind>> = {
  version: 'INT',
  create_time: 'INSTANT',
  creator: 'BIGINT',
  update_time: 'INSTANT',
  updater: 'BIGINT',
}

/** Element types of the list columns of the project's own tables, from their row schemas. */
const isTexts = (schema: unknown): boolean => {
  const list = schema instanceof z.ZodNullable ? schema.unwrap() : schema
  return list instanceof z.ZodArray && list.element instanceof z.ZodString
}
const isKnown = (table: string, { name, kind }: DbColumn): boolean => {
  const product = findProductTable(table)
  return kind !== undefined && (kind !== 'LIST' || !product || isTexts(product.row.shape[toCamelCase(name)]))
}

/**
 * Documents and lists of unknown elements: neither forms nor lists support them, so a row must be able to omit them.
 */
const apart = /^(jsonb|(text|integer|bigint|double precision|character varying(\(\d+\))?)\[\])$/

const withoutSystemInputs = ({ name: table, columns }: DbStructure): DbColumn[] =>
  columns.filter(
    (column) =>
      !isKnown(table, column) && apart.test(column.dataType) && !column.single && !isStandard(table, column.name),
  )

/** The reason why a form could not write the rows, if any. */
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

/** A required reference that no form can choose; departments are set by the project. */
const isBeyond = ({ name, kind, nullable, preset, refers, ...column }: DbColumn): boolean => {
  if (refers === null || kind === undefined || nullable || preset !== null || name === 'dept_id') return false
  return (
    formTypesOf({ ...column, columnName: name, kind, nullable, preset, refers, dictType: null }, 'SINGLE').length === 0
  )
}

/** Project tables that a generated form must not write, or cannot. */
export const isReadOnly = (structure: DbStructure): boolean => {
  if (!findProductTable(structure.name)) return false
  return governed.has(structure.name) || columnsProblem(structure) !== undefined || structure.columns.some(isBeyond)
}

/** Columns of read-only tables that are not shown. */
const unshown = ({ name: table, columns }: DbStructure): DbColumn[] =>
  columns.filter((column) => !isStandard(table, column.name) && (!isKnown(table, column) || secret.test(column.name)))

const withoutOf = (structure: DbStructure): DbColumn[] =>
  isReadOnly(structure) ? unshown(structure) : withoutSystemInputs(structure)

/** The configurable columns of a table. */
export const configurableColumns = (structure: DbStructure): DbColumn[] => {
  const without = withoutOf(structure)
  return structure.columns.filter((column) => !isStandard(structure.name, column.name) && !without.includes(column))
}

/** The columns of a table that its module neither shows nor writes. */
export const listExcludedColumns = (structure: DbStructure): CodegenExcludedColumn[] =>
  withoutOf(structure).map(({ name, dataType, nullable, preset, comment }) => ({
    columnName: name,
    dataType,
    nullable,
    preset,
    comment,
  }))

/** The reason why a module cannot show and write the rows of a table, if any. */
const problemOf = (structure: DbStructure): Exclude<Importability, string> | undefined => {
  const { name, columns, rules } = structure
  const product = findProductTable(name)
  const hidden = columns.find((column) => secret.test(column.name))
  if (hidden) return { problem: 'SECRET', detail: hidden.name }
  const named = [name, ...columns.map((column) => column.name)].find(
    (item) => !identifier.test(item) || toCamelCase(item) in {} || item === thenable,
  )
  if (named !== undefined) return { problem: 'NAME', detail: named }
  const wrong = columnsProblem(structure)
  if (wrong) return wrong
  // The database would reject such a row with a message that users do not understand.
  if (!product && rules[0] !== undefined) return { problem: 'RULE', detail: rules[0] }
}

/**
 * Which tables can be imported. Tables of the project without permissions or secrets, read-only when forms cannot write
 * them; other tables of the schema `public` with a key `id`, supported columns, and unsupported ones that may be
 * omitted.
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

/** The possible visibility columns of a table; tables of the project use their own. */
export const visibilityChoices = (table: string, columns: Columns): readonly CodegenVisibility[] => {
  const product = findProductTable(table)
  if (product) {
    if (product.sight === 'open') return ['OPEN']
    return [product.sight.school ? 'SCHOOL' : 'DEPT']
  }
  const school = columns.find(({ columnName, refers }) => columnName === 'school_id' && refers === 'school')
  return school && !school.nullable ? ['SCHOOL'] : ['DEPT', 'OPEN']
}
