import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { sourceFile, importLine, arrayLiteral, literal, sqlText } from './source-text.ts'
import { toPlainText } from '../../guess.ts'
import { pascal } from './names.ts'
import { findProductTable } from '../../allow.ts'
import type { ExcludedColumn, ChildTable, CrudModule, CrudColumn } from './crud-module.ts'
import { isNaming } from './write-schema.ts'

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
export const isReference = ({ table }: Pick<CrudModule, 'table'>, column: CrudColumn): boolean => {
  const { refers, columnName } = column
  if (refers === null || !isNaming(column)) return false
  return refers === table.tableName || columnName === table.joinColumn || findProductTable(refers) !== undefined
}

const columnLine = (slice: Pick<CrudModule, 'table'>, column: CrudColumn): string => {
  const { columnName, nullable, preset, single, refers, words } = column
  return [
    `  ${name(columnName)} ${typeOf(column)}`,
    !nullable && 'not null',
    preset !== null && `default ${preset}`,
    single && `constraint ${name(uniqueKey(slice, column))} unique`,
    refers !== null &&
      isReference(slice, column) &&
      `constraint ${name(foreignKey(slice, column))} references ${name(refers)} (id)`,
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

const made = (pick: Pick<CrudModule, 'table' | 'columns' | 'leftOut'>): string => {
  const of = name(pick.table.tableName)
  const lines = [
    '  id bigint generated always as identity primary key',
    ...pick.columns.map((column) => columnLine(pick, column)),
    ...pick.leftOut.map(leftOutLine),
    ...standard.map((column) => `  ${column}`),
  ]
  return sourceFile(
    `create table if not exists ${of} (`,
    lines.join(',\n'),
    ');',
    `alter table ${of}`,
    `${standard.map((column) => `  add column if not exists ${column}`).join(',\n')};`,
  ).trimEnd()
}

const index = ({ table }: Pick<CrudModule, 'table'>, kind: string, columns: string): string =>
  `create index if not exists ${name(`${table.tableName}_of_${kind}`.slice(0, 63))} on ${name(table.tableName)} (${columns});`

const partMade = (part: ChildTable): string[] => [
  made({ table: part.table, columns: [part.join, ...part.columns], leftOut: part.leftOut }),
  ...(part.one ? [] : [index(part, 'main', `${name(part.join.columnName)}, id`)]),
  ...comments(part),
]

/** Whether some table is not one of the project's own. */
export const hasRows = ({ product, parts }: CrudModule): boolean => !product || parts.some((part) => !part.product)

/** Creates the tables where they do not exist, and adds the audit columns to existing ones. */
export const writeMigration = (slice: CrudModule): string => {
  const { table, columns, ofDept, product, parts } = slice
  const parent = columns.find(({ form }) => form === 'PARENT')
  const own = product
    ? []
    : [
        made(slice),
        ofDept && deptAdded(slice),
        ofDept && index(slice, 'dept', 'dept_id, id'),
        table.sight === 'SCHOOL' && index(slice, 'school', 'school_id, id'),
        parent && index(slice, 'parent', 'parent_id'),
        ...comments(slice),
      ]
  return sourceFile(
    `-- ${toPlainText(table.title, 40)}. Where a table was made by hand, only what it lacks is added.`,
    ...own,
    ...parts.filter((part) => !part.product).flatMap(partMade),
  )
}

const presetsOf = ({ columns, leftOut }: Pick<CrudModule, 'columns' | 'leftOut'>): string => {
  const filled = [...columns, ...leftOut].filter(({ preset }) => preset !== null).map((column) => literal(column.key))
  return arrayLiteral('    ', '', ['...editedFilled', ...filled], ',')
    .trim()
    .slice(0, -1)
}

const schemaOf = ({ key, dataType, nullable }: ExcludedColumn): string => {
  const entry = dataType.startsWith('character') ? 'z.string()' : 'z.number()'
  return `${key}: ${dataType === 'jsonb' ? 'Jsonb' : `z.array(${entry})`}${nullable ? '.nullable()' : ''}`
}

type Kept = Pick<CrudModule, 'entity' | 'type' | 'columns' | 'leftOut'>

/** The row type of the table: without the file objects. */
const rowOf = ({ type, columns }: Kept): string => {
  const shown = columns.flatMap(({ fileKey }) => (fileKey ? [`${fileKey}: true`] : []))
  return shown.length > 0 ? `${type}.omit({ ${shown.join(', ')} })` : type
}

/** With database-only columns the table row has a type of its own. */
const rowLines = (kept: Kept): string[] =>
  kept.leftOut.length > 0
    ? [
        '/** With the columns that only the database has. */',
        `const ${kept.entity}Row = ${rowOf(kept)}.extend({`,
        ...kept.leftOut.map((column) => `  ${schemaOf(column)},`),
        '})',
        '',
      ]
    : []
const rowName = (kept: Kept): string => (kept.leftOut.length > 0 ? `${kept.entity}Row` : rowOf(kept))

/** The table types of the server. */
export const writeRow = (slice: CrudModule): string => {
  const { entity, key, module, table, files, product, parts } = slice
  const sights = { OPEN: "'open'", DEPT: "{ dept: 'dept_id', user: 'creator' }", SCHOOL: "{ school: 'school_id' }" }
  const up = files.row.split('/').length > 6 ? '..' : '.'
  const own = parts.filter((part) => !part.product)
  const kept = [...(product ? [] : [slice]), ...own]
  const rows = kept.flatMap(rowLines)
  const uses = (name: string) => rows.some((line) => new RegExp(`: ${name}\\b`).test(line))
  return sourceFile(
    own.length > 0 && "import { Id } from '@tocsin/contract/codecs'",
    importLine(kept.map((item) => item.type).toSorted(), `@tocsin/contract/${module}`),
    uses('z') && "import { z } from 'zod'",
    `import { editedFilled, ${uses('Jsonb') ? 'Jsonb, ' : ''}table } from '${up}/table.ts'`,
    '',
    ...rows,
    `export const ${entity}Tables = {`,
    !product && tableLine(`  ${key}: table`, rowName(slice), presetsOf(slice), sights[table.sight]),
    own.length > 0 && '  // Reached through their parent row, which has the visibility.',
    ...own.map((part) =>
      tableLine(`  ${part.key}: table`, `${rowName(part)}.extend({ ${part.join.key}: Id })`, presetsOf(part), "'open'"),
    ),
    '}',
  )
}

const tableLine = (head: string, type: string, presets: string, sight: string): string => {
  const value = `${head}(${type}, ${presets}, ${sight}),`
  if (value.length <= 120 && !presets.includes('\n')) return value
  // An object as the last argument stays on the line when the other arguments fit before it.
  const hugged = sight.startsWith('{') && `${head}(${type}, ${presets}, {`.length <= 120 && !presets.includes('\n')
  if (hugged) {
    const inner = sight.slice(2, -2).split(', ')
    return [`${head}(${type}, ${presets}, {`, ...inner.map((entry) => `    ${entry},`), '  }),'].join('\n')
  }
  return [`${head}(`, `    ${type},`, `    ${presets},`, `    ${sight},`, '  ),'].join('\n')
}

/** The menu entry, visible to the administrator until it is assigned to roles. */
export const writeMenu = (slice: CrudModule): string => {
  const { table, entity, screen, permission, kebab, type, files } = slice
  const up = files.menu.split('/').length > 7 ? '..' : '.'
  const buttons = [
    ['query', '查询', 'Query'],
    ...(slice.readOnly
      ? []
      : [
          ['create', '新增', 'Create'],
          ['update', '修改', 'Update'],
          ['delete', '删除', 'Delete'],
        ]),
    ['export', '导出', 'Export'],
  ]
  return sourceFile(
    `import { button, type MenuSeed } from '${up}/menu-seed.ts'`,
    '',
    `export const ${entity}Menu: MenuSeed = {`,
    `  name: ${literal(table.title)},`,
    `  nameEn: ${literal(table.titleEn)},`,
    table.menuUnder !== null && `  under: ${literal(table.menuUnder)},`,
    `  path: '${table.menuUnder === null ? '/' : ''}${kebab}',`,
    `  component: '${screen}',`,
    `  componentName: '${pascal(table.area)}${type}',`,
    "  icon: 'model',",
    '  roles: [],',
    '  buttons: [',
    ...buttons.map(([verb, zh, en]) => `    button('${permission}:${verb}', '${zh}', '${en}', []),`),
    '  ],',
    '}',
  )
}
