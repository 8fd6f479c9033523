import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { findProductTable } from '../allow.ts'
import { toPlainText } from '../guess.ts'
import type { ChildTable, CrudColumn, CrudModule, ExcludedColumn } from './crud-module.ts'
import { isReference } from './field-schemas.ts'
import { fitsLine, importLine, literal, sourceFile, sqlText } from './source-text.ts'

/** Quoted, because any name may be a keyword of SQL. */
const name = (identifier: string): string => `"${identifier}"`

const typeOf = (column: CrudColumn): string => {
  const { kind, length, dataType } = column
  switch (kind) {
    case 'TEXT':
      if (length !== null) return `varchar(${length})`
      return dataType === 'text' ? 'text' : 'varchar'
    case 'INT':
      return 'integer'
    case 'BIGINT':
      return 'bigint'
    case 'FLOAT':
      return decimalOf(column) ? dataType : 'double precision'
    case 'BOOL':
      return 'boolean'
    case 'DAY':
      return 'date'
    case 'INSTANT':
      return 'timestamptz'
    case 'LIST':
      return 'text[]'
  }
}

/** A column of the database without a field in the contract. */
const leftOutLine = ({ columnName, dataType, nullable, preset }: ExcludedColumn): string =>
  [`  ${name(columnName)} ${dataType}`, !nullable && 'not null', preset !== null && `default ${preset}`]
    .filter(Boolean)
    .join(' ')

type Of = Pick<CrudModule, 'table'>
const constraint = ({ table }: Of, { columnName }: CrudColumn, kind: string): string =>
  `${table.tableName}_${columnName}_${kind}`.slice(0, 63)

/** The name of the unique constraint of a column. */
export const uniqueKey = (of: Of, column: CrudColumn): string => constraint(of, column, 'key')
/** The name of the foreign key of a column. */
export const foreignKey = (of: Of, column: CrudColumn): string => constraint(of, column, 'fkey')

/** A table that only this database has cannot be referred to elsewhere, except for tables of this module. */
export const isForeignKey = ({ table }: Pick<CrudModule, 'table'>, column: CrudColumn): boolean => {
  const { refers, columnName } = column
  if (refers === null || !isReference(column)) return false
  return refers === table.tableName || columnName === table.joinColumn || findProductTable(refers) !== undefined
}

const columnLine = (module: Pick<CrudModule, 'table'>, column: CrudColumn): string => {
  const { columnName, nullable, preset, single, refers, words } = column
  return [
    `  ${name(columnName)} ${typeOf(column)}`,
    !nullable && 'not null',
    preset !== null && `default ${preset}`,
    single && `constraint ${name(uniqueKey(module, column))} unique`,
    refers !== null &&
      isForeignKey(module, column) &&
      `constraint ${name(foreignKey(module, column))} references ${name(refers)} (id)`,
    words.length > 0 && `check (${name(columnName)} in (${words.map(sqlText).join(', ')}))`,
  ]
    .filter(Boolean)
    .join(' ')
}

const standard = [
  'version integer not null default 1',
  'create_time timestamptz not null default now()',
  'creator bigint',
  'update_time timestamptz not null default now()',
  'updater bigint',
]

/** When the table exists without departments, its rows get the oldest one; users move them from there. */
const deptAdded = ({ table }: Pick<CrudModule, 'table'>): string => {
  const of = name(table.tableName)
  return sourceFile(
    `alter table ${of} add column if not exists dept_id bigint`,
    `  constraint ${name(`${table.tableName}_dept_id_fkey`.slice(0, 63))} references dept (id);`,
    `update ${of} set dept_id = (select min(id) from dept) where dept_id is null;`,
    `alter table ${of} alter column dept_id set not null;`,
  ).trimEnd()
}

const comments = ({ table, columns, leftOut }: Pick<CrudModule, 'table' | 'columns' | 'leftOut'>): string[] => {
  const of = name(table.tableName)
  const said = [`comment on table ${of} is ${sqlText(table.comment ?? table.title)};`]
  for (const { columnName, comment, title } of columns)
    said.push(`comment on column ${of}.${name(columnName)} is ${sqlText(comment ?? title)};`)
  for (const { columnName, comment } of leftOut)
    if (comment !== null) said.push(`comment on column ${of}.${name(columnName)} is ${sqlText(comment)};`)
  return said
}

const createTable = (of: Pick<CrudModule, 'table' | 'columns' | 'leftOut'>): string => {
  const table = name(of.table.tableName)
  const lines = [
    '  id bigint generated always as identity primary key',
    ...of.columns.map((column) => columnLine(of, column)),
    ...of.leftOut.map(leftOutLine),
    ...standard.map((column) => `  ${column}`),
  ]
  return sourceFile(
    `create table if not exists ${table} (`,
    lines.join(',\n'),
    ');',
    `alter table ${table}`,
    `${standard.map((column) => `  add column if not exists ${column}`).join(',\n')};`,
  ).trimEnd()
}

const index = ({ table }: Pick<CrudModule, 'table'>, kind: string, columns: string): string =>
  `create index if not exists ${name(`${table.tableName}_of_${kind}`.slice(0, 63))} on ${name(table.tableName)} (${columns});`

const createChild = (child: ChildTable): string[] => [
  createTable({ table: child.table, columns: [child.join, ...child.columns], leftOut: child.leftOut }),
  ...(child.one ? [] : [index(child, 'main', `${name(child.join.columnName)}, id`)]),
  ...comments(child),
]

/** Whether some table is not one of the project's own. */
export const hasRows = ({ product, children }: CrudModule): boolean =>
  !product || children.some((child) => !child.product)

/** Creates the tables where they do not exist, and adds the audit columns to existing ones. */
export const writeMigration = (module: CrudModule): string => {
  const { table, columns, ofDept, product, children } = module
  const parent = columns.find(({ form }) => form === 'PARENT')
  const own = product
    ? []
    : [
        createTable(module),
        ofDept && deptAdded(module),
        ofDept && index(module, 'dept', 'dept_id, id'),
        table.sight === 'SCHOOL' && index(module, 'school', 'school_id, id'),
        parent && index(module, 'parent', 'parent_id'),
        ...comments(module),
      ]
  return sourceFile(
    `-- ${toPlainText(table.title, 40)}. Where a table was made by hand, only what it lacks is added.`,
    ...own,
    ...children.filter((child) => !child.product).flatMap(createChild),
  )
}

const filledOf = ({ columns, leftOut }: Pick<CrudModule, 'columns' | 'leftOut'>): string => {
  const filled = [...columns, ...leftOut].filter(({ preset }) => preset !== null).map(({ key }) => literal(key))
  return `[${['...editedFilled', ...filled].join(', ')}]`
}

const leftOutSchema = ({ key, dataType, nullable }: ExcludedColumn): string => {
  const entry = dataType.startsWith('character') || dataType.startsWith('text') ? 'z.string()' : 'z.number()'
  return `${key}: ${dataType === 'jsonb' ? 'Jsonb' : `z.array(${entry})`}${nullable ? '.nullable()' : ''}`
}

/** The row of the table: the schema of reads without files, with what only the database has. */
const rowOf = ({ type, columns, leftOut }: Pick<CrudModule, 'type' | 'columns' | 'leftOut'>): string => {
  const files = columns.flatMap(({ fileKey }) => (fileKey ? [fileKey] : []))
  const omitted = files.map((key) => `${key}: true`)
  const row = omitted.length > 0 ? `${type}.omit({ ${omitted.join(', ')} })` : type
  if (leftOut.length === 0) return row
  return [`${row}.extend({`, ...leftOut.map((column) => `      ${leftOutSchema(column)},`), '    })'].join('\n')
}

const tableEntry = (key: string, row: string, filled: string, sight: string): string => {
  const head = `  ${key}: table(${row}, ${filled}, `
  const line = `${head}${sight}),`
  const isWhole = !row.includes('\n')
  if (isWhole && fitsLine(line)) return line
  // An object as the last argument stays on the line of the others.
  if (isWhole && sight.startsWith('{') && fitsLine(`${head}{`))
    return [
      `${head}{`,
      ...sight
        .slice(2, -2)
        .split(', ')
        .map((item) => `    ${item},`),
      '  }),',
    ].join('\n')
  return [`  ${key}: table(`, ...[row, filled, sight].map((argument) => `    ${argument},`), '  ),'].join('\n')
}

/** The table types of the server. */
export const writeRow = (module: CrudModule): string => {
  const { entity, key, contractModule, table, files, product, children } = module
  const sights = { OPEN: "'open'", DEPT: "{ dept: 'dept_id', user: 'creator' }", SCHOOL: "{ school: 'school_id' }" }
  const up = files.row.split('/').length > 6 ? '..' : '.'
  const own = children.filter((child) => !child.product)
  const entries = [
    ...(product ? [] : [tableEntry(key, rowOf(module), filledOf(module), sights[table.sight])]),
    ...(own.length > 0 ? ['  // Reached through the row that they belong to, which has the visibility.'] : []),
    ...own.map((child) =>
      tableEntry(child.key, `${rowOf(child)}.extend({ ${child.join.key}: Id })`, filledOf(child), "'open'"),
    ),
  ]
  const code = entries.join('\n')
  const types = [...(product ? [] : [module]), ...own].map(({ type }) => type).toSorted()
  return sourceFile(
    own.length > 0 && "import { Id } from '@tocsin/contract/codecs'",
    importLine(types, `@tocsin/contract/${contractModule}`),
    code.includes('z.') && "import { z } from 'zod'",
    importLine(['editedFilled', ...(code.includes('Jsonb') ? ['Jsonb'] : []), 'table'], `${up}/table.ts`),
    '',
    `export const ${entity}Tables = {`,
    ...entries,
    '}',
  )
}
