import { call, sourceFile, wrapLine, importLine, joinLines, literal } from './source-text.ts'
import { isTree, type CrudModule, type CrudColumn } from './crud-module.ts'
import { orderByCode } from './write-server.ts'

/** Exports the list columns, except files and rich texts, which a cell cannot hold. */
const columnsOf = ({ columns }: CrudModule): CrudColumn[] =>
  columns.filter(({ inList, fileKey, form }) => inList && !fileKey && form !== 'EDITOR')

const named = ({ table }: CrudModule, { form }: CrudColumn) => form === 'SCHOOL' && table.sight === 'SCHOOL'

const cellOf = (slice: CrudModule, column: CrudColumn): string | undefined => {
  const { dictType, nullable, kind, key } = column
  if (named(slice, column)) return nullable ? '(id) => id && names.get(id)' : '(id) => names.get(id)'
  if (dictType !== null && kind === 'LIST')
    return nullable
      ? `(values) => values?.map((value) => ${key}Words.get(value) ?? value).join(' ')`
      : `(values) => values.map((value) => ${key}Words.get(value) ?? value).join(' ')`
  if (dictType !== null)
    return nullable
      ? `(value) => value && (${key}Words.get(value) ?? value)`
      : `(value) => ${key}Words.get(value) ?? value`
  if (kind === 'LIST') return nullable ? "(values) => values?.join(' ')" : "(values) => values.join(' ')"
  return undefined
}

const line = (slice: CrudModule, column: CrudColumn): string => {
  const cell = cellOf(slice, column)
  const more = cell ? `, { cell: ${cell} }` : ''
  return wrapLine(`      sheetColumn(${slice.type}, '${column.key}'${more}),`, [
    `      sheetColumn(${slice.type}, '${column.key}', {`,
    `        cell: ${cell},`,
    '      }),',
  ])
}

const schoolNames = [
  'const schoolNames = async (db: Db): Promise<ReadonlyMap<number, string>> => {',
  "  const all = unscoped(db, 'a row in sight is of a school in sight')",
  "  const rows = await all.selectFrom('school').select(['id', 'name']).execute()",
  '  return new Map(rows.map(({ id, name }) => [id, name]))',
  '}',
  '',
]

/** The name of the file and its worksheet, without characters that either forbids. */
const sheetName = (title: string): string =>
  title
    .replaceAll(/[*/\\:?[\]'"<>|]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim() || 'list'

/** Emits the export of the list. */
export const writeExport = (slice: CrudModule): string => {
  const { type, set, entity, module, table, kebab } = slice
  const columns = columnsOf(slice)
  const dicts = columns.filter(({ dictType }) => dictType !== null)
  const schools = columns.some((column) => named(slice, column))
  const made = slice.edited ? [`      sheetColumn(${type}, 'createTime'),`] : []
  const lines = [...columns.map((column) => line(slice, column)), ...made]
  const rows = `rows: (db, actor, query) =>`
  const query = `filtered(db, actor, query).selectAll()${orderByCode(slice)} as unknown as RowsQuery<${type}>`
  return sourceFile(
    importLine([type, `type ${type}Query`, set], `@tocsin/contract/${module}`),
    dicts.length > 0 && "import { loadDictLabels } from '#areas/audit/entity/dict-values'",
    "import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'",
    schools && "import type { Db } from '#db/db'",
    schools && "import { unscoped } from '#db/scope'",
    "import { sheetColumn } from '#spreadsheet/column'",
    `import { filtered } from './${kebab}.ts'`,
    '',
    ...(schools ? schoolNames : []),
    isTree(slice) ? '/** The rows of the tree, children after their parent. */' : '/** The list as a spreadsheet. */',
    `export const ${entity}Export: Exporter<${type}Query & ExportOptions, ${type}> = {`,
    `  endpoints: ${set},`,
    `  subject: '${table.tableName}',`,
    `  name: ${literal(sheetName(table.title))},`,
    `  nameEn: ${literal(sheetName(table.titleEn))},`,
    `  columns: async (${dicts.length > 0 ? 'db, lang' : schools ? 'db' : ''}) => {`,
    ...dicts.map(({ key, dictType }) =>
      call('    ', `const ${key}Words = await loadDictLabels`, ['db', literal(dictType ?? ''), 'lang'], ''),
    ),
    schools && '    const names = await schoolNames(db)',
    joinLines('    ', 'return ', lines),
    '  },',
    '  // The export has no files and links.',
    wrapLine(`  ${rows} ${query},`, [`  ${rows}`, `    ${query},`]),
    '}',
  )
}
