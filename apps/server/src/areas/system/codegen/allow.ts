import {
  type CodegenKind,
  type CodegenLeftOut,
  type CodegenProblem,
  type CodegenSight,
  MAX_COLUMNS,
} from '@tocsin/contract/system/codegen/codegen'
import { edited } from '@tocsin/contract/edited'
import { tables } from '#db/tables'
import type { SightColumns } from '#db/tables/table'
import type { DbColumn, DbStructure } from './structure.ts'

export type Verdict = { problem: CodegenProblem; detail: string } | 'fine' | 'never'

export const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Known = { row: { shape: Record<string, unknown> }; sight: SightColumns }
const known: Readonly<Record<string, Known>> = tables

/** The product's own entry for a table of this name, if it has one. */
export const productTable = (name: string): Known | undefined =>
  Object.hasOwn(known, camel(name)) ? known[camel(name)] : undefined

/** Who a person is, what he may do, what he must not read: never shown by a slice that somebody makes in a minute. */
const guarded = new Set(['users', 'role', 'menu', 'dept', 'config', 'job', 'secret', 'codegen_table', 'migration'])
/** What only the verbs of its own area may change. */
const governed = new Set(['warn_record', 'school_device', 'school', 'place'])
const secret = /(^|_)(secret|session|credential|token|password|passwd)s?(_|$)/
/**
 * Parts of two or more characters that begin with a letter, so that the name in code and the name in SQL turn into each
 * other; short enough for a line.
 */
const identifier = /^(?=.{2,40}$)[a-z][a-z0-9]*(_[a-z][a-z0-9]+)*$/

/** `id` and what every edited row has beside its own columns: the house's affair, not to be configured. */
export const isStandard = (column: string): boolean => column === 'id' || Object.hasOwn(edited, camel(column))

/** What the house keeps in the columns of its own, where a table has them. */
const standardKinds: Readonly<Record<string, CodegenKind>> = {
  version: 'INT',
  create_time: 'INSTANT',
  creator: 'BIGINT',
  update_time: 'INSTANT',
  updater: 'BIGINT',
}

/** Documents, and lists that nothing says the entries of: neither forms nor lists know them, and a row does without. */
const apart = /^(jsonb|(integer|bigint|double precision|character varying(\(\d+\))?)\[\])$/
const isLeftOut = ({ name, kind, dataType, single }: DbColumn): boolean =>
  kind === undefined && apart.test(dataType) && !single && !isStandard(name)

/** The columns of a table that are configured. */
export const ownColumns = ({ columns }: DbStructure): DbColumn[] =>
  columns.filter((column) => !isStandard(column.name) && !isLeftOut(column))

/** The columns of a table that its slice neither shows nor writes. */
export const leftOutOf = ({ columns }: DbStructure): CodegenLeftOut[] =>
  columns.filter(isLeftOut).map(({ name, dataType, nullable, preset, comment }) => ({
    columnName: name,
    dataType,
    nullable,
    preset,
    comment,
  }))

/** Why columns stand in the way of an import, if they do. */
const columnsProblem = (structure: DbStructure, product: boolean): Exclude<Verdict, string> | undefined => {
  // What the lists of the product's own tables may hold, the database does not say.
  const odd = structure.columns
    .filter((column) => !isLeftOut(column))
    .find(
      ({ name, kind }) => kind === undefined || (product && kind === 'LIST') || (standardKinds[name] ?? kind) !== kind,
    )
  if (odd) {
    const digits = odd.kind === undefined && /^numeric(\([^)]*\))?$/.test(odd.dataType)
    return { problem: digits ? 'DIGITS' : 'TYPE', detail: `${odd.name} ${odd.dataType}` }
  }
  const lacking = leftOutOf(structure).find(({ nullable, preset }) => !nullable && preset === null)
  return lacking && { problem: 'GIVEN', detail: `${lacking.columnName} ${lacking.dataType}` }
}

/**
 * What may be imported. A table of the product only where people edit its rows, and none that speaks of rights or
 * secrets; any other table of the schema `public` with a key `id` and columns that forms and lists know, beside such as
 * they can leave out.
 */
export const verdictOf = (structure: DbStructure): Verdict => {
  const { name, keyed, columns, rules } = structure
  const product = productTable(name)
  if (guarded.has(name) || secret.test(name)) return 'never'
  if (product && !Object.hasOwn(product.row.shape, 'version')) return 'never'
  if (governed.has(name)) return { problem: 'VERBS', detail: '' }
  if (!keyed) return product ? 'never' : { problem: 'ID', detail: 'id bigint' }
  const hidden = columns.find((column) => secret.test(column.name))
  if (hidden) return { problem: 'SECRET', detail: hidden.name }
  const named = [name, ...columns.map((column) => column.name)].find((one) => !identifier.test(one) || camel(one) in {})
  if (named !== undefined) return { problem: 'NAME', detail: named }
  const wrong = columnsProblem(structure, product !== undefined)
  if (wrong) return wrong
  // A row that breaks it would be refused by the database in words that nobody at the screen understands.
  if (!product && rules[0] !== undefined) return { problem: 'RULE', detail: rules[0] }
  const own = ownColumns(structure).length
  if (own === 0) return { problem: 'SIZE', detail: '0' }
  return own > MAX_COLUMNS ? { problem: 'SIZE', detail: `${own} > ${MAX_COLUMNS}` } : 'fine'
}

type Columns = readonly { columnName: string; nullable: boolean; refers: string | null }[]

/** Through what rows of a table can be seen; those of the product as the product says. */
export const sightsOf = (table: string, columns: Columns): readonly CodegenSight[] => {
  const product = productTable(table)
  if (product) {
    if (product.sight === 'open') return ['OPEN']
    return [product.sight.school ? 'SCHOOL' : 'DEPT']
  }
  const school = columns.find(({ columnName, refers }) => columnName === 'school_id' && refers === 'school')
  return school && !school.nullable ? ['SCHOOL'] : ['DEPT', 'OPEN']
}
