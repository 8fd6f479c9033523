import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { sourceFile, importLine, arrayLiteral, literal, sqlText } from './source-text.ts'
import { toPlainText } from '../../guess.ts'
import { pascal } from './names.ts'
import { findProductTable } from '../../allow.ts'
import type { ExcludedColumn, ChildTable, CrudModule, CrudColumn } from './crud-module.ts'
import { isNaming } from './write-schema.ts'

/** Quoted, because any of them may be a word of SQL. */
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

/** A column that only the database has. */
const leftOutLine = ({ columnName, dataType, nullable, preset }: ExcludedColumn): string =>
  [`  ${name(columnName)} ${dataType}`, !nullable && 'not null', preset !== null && `default ${preset}`]
    .filter(Boolean)
    .join(' ')

type Of = Pick<CrudModule, 'table'>
const constraint = ({ table }: Of, { columnName }: CrudColumn, kind: string): string =>
  `${table.tableName}_${columnName}_${kind}`.slice(0, 63)

/** The name of the constraint that keeps a column unique. */
export const uniqueKey = (of: Of, column: CrudColumn): string => constraint(of, column, 'key')
/** The name of the constraint that keeps what a column names from going. */
export const foreignKey = (of: Of, column: CrudColumn): string => constraint(of, column, 'fkey')

/** A table that only the database at hand has cannot be referred to elsewhere, but for those of this very slice. */
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

/** Where the table stands already without departments, its rows go to the oldest one; people move them from there. */
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

const made = (one: Pick<CrudModule, 'table' | 'columns' | 'leftOut'>): string => {
  const of = name(one.table.tableName)
  const lines = [
    '  id bigint generated always as identity primary key',
    ...one.columns.map((column) => columnLine(one, column)),
    ...one.leftOut.map(leftOutLine),
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

/** Some table of it is not one of the product's own. */
export const hasRows = ({ product, parts }: CrudModule): boolean => !product || parts.some((part) => !part.product)

/** Makes the tables where they do not exist, and gives those that do the columns of the house. */
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

/** A row as the table has it: without the files themselves. */
const rowOf = ({ type, columns }: Kept): string => {
  const shown = columns.flatMap(({ fileKey }) => (fileKey ? [`${fileKey}: true`] : []))
  return shown.length > 0 ? `${type}.omit({ ${shown.join(', ')} })` : type
}

/** With what the table alone has, its row has a name of its own. */
const rowLines = (one: Kept): string[] =>
  one.leftOut.length > 0
    ? [
        '/** With the columns that the database alone keeps. */',
        `const ${one.entity}Row = ${rowOf(one)}.extend({`,
        ...one.leftOut.map((column) => `  ${schemaOf(column)},`),
        '})',
        '',
      ]
    : []
const rowName = (one: Kept): string => (one.leftOut.length > 0 ? `${one.entity}Row` : rowOf(one))

/** The tables as the server knows them. */
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
    importLine(kept.map((one) => one.type).toSorted(), `@tocsin/contract/${module}`),
    uses('z') && "import { z } from 'zod'",
    `import { editedFilled, ${uses('Jsonb') ? 'Jsonb, ' : ''}table } from '${up}/table.ts'`,
    '',
    ...rows,
    `export const ${entity}Tables = {`,
    !product && tableLine(`  ${key}: table`, rowName(slice), presetsOf(slice), sights[table.sight]),
    own.length > 0 && '  // Reached through the row they belong to, which is in sight.',
    ...own.map((part) =>
      tableLine(`  ${part.key}: table`, `${rowName(part)}.extend({ ${part.join.key}: Id })`, presetsOf(part), "'open'"),
    ),
    '}',
  )
}

const tableLine = (head: string, type: string, presets: string, sight: string): string => {
  const one = `${head}(${type}, ${presets}, ${sight}),`
  if (one.length <= 120 && !presets.includes('\n')) return one
  // An object as the last argument stays on the line while the others fit before it.
  const hugged = sight.startsWith('{') && `${head}(${type}, ${presets}, {`.length <= 120 && !presets.includes('\n')
  if (hugged) {
    const inner = sight.slice(2, -2).split(', ')
    return [`${head}(${type}, ${presets}, {`, ...inner.map((entry) => `    ${entry},`), '  }),'].join('\n')
  }
  return [`${head}(`, `    ${type},`, `    ${presets},`, `    ${sight},`, '  ),'].join('\n')
}

/** The entry of the menu, seen by the administrator until he gives it to others. */
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
