import {
  childDraftLines,
  fieldLine,
  draftLines,
  mayBeAbsent,
  queryLines,
  rowLines,
  wordTables,
} from './field-schemas.ts'
import { isTree, type ChildTable, type CrudModule, listColumns } from './crud-module.ts'
import { plural } from './names.ts'
import { arrayLiteral, importLine, literal, objectLiteral, sourceFile } from './source-text.ts'

const scopes = { OPEN: 'none', DEPT: 'dept', SCHOOL: 'school' } as const

/** Maximum child rows of one row. */
const MOST_CHILDREN = 100

const comment = (text: string): string => text.replaceAll('*/', '* /')

const childLines = ({ table, type, columns }: ChildTable): string[] => [
  `/** ${comment(table.titleEn)}: rows that belong to another and are written with it. */`,
  `export const ${type} = z.strictObject({`,
  '  id,',
  ...rowLines(columns),
  '  ...auditFields,',
  '})',
  `const ${type}Draft = z.strictObject({`,
  '  /** Of an existing row. */',
  "  id: field(Id.optional(), '编号', 'Id'),",
  ...childDraftLines(columns),
  '})',
  '',
]

const childFields = (children: readonly ChildTable[], toSchema: (child: ChildTable) => string): string[] =>
  children.map((child) =>
    fieldLine({ key: child.set, title: child.table.title, titleEn: child.table.titleEn }, toSchema(child)),
  )

const rowShape = ({ type, columns, children, edited }: CrudModule): string[] => [
  `export const ${type} = z.strictObject({`,
  '  id,',
  ...rowLines(columns),
  ...(edited ? ['  ...auditFields,'] : []),
  '})',
  `export type ${type} = z.output<typeof ${type}>`,
  ...(children.length > 0
    ? [`const ${type}Detail = ${type}.extend({`, ...childFields(children, (child) => `z.array(${child.type})`), '})']
    : []),
  '',
]

const draftShape = ({ type, columns, children }: CrudModule): string[] => [
  `export const ${type}Draft = z.strictObject({`,
  ...draftLines(columns),
  ...childFields(children, (child) => `z.array(${child.type}Draft).max(${child.one ? 1 : MOST_CHILDREN})`),
  '})',
  '',
]

/** The columns that a list sorts by: those with an order that people know. */
export const sortKeys = (module: CrudModule): string[] => [
  ...listColumns(module)
    .filter(({ kind, words, dictType, fileKey, refers }) => {
      const isPlain = words.length === 0 && dictType === null && fileKey === undefined && refers === null
      return isPlain && kind !== 'BOOL' && kind !== 'LIST'
    })
    .map(({ key }) => key),
  ...(module.edited ? ['createTime'] : []),
]

const queryShape = (module: CrudModule): string[] => {
  const { type, columns } = module
  const sorts = sortKeys(module)
  return [
    `${isTree(module) ? '' : 'export '}const ${type}Query = PageQuery.extend({`,
    ...queryLines(columns),
    ...(sorts.length > 0 ? [arrayLiteral('  ', 'orderBy: sortable(', sorts.map(literal), '),')] : []),
    '})',
    '',
  ]
}

/** As it stands inside a sentence. */
const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? `${title.slice(0, 1).toLowerCase()}${title.slice(1)}` : title

const calls = ({ type, path, permission, table, readOnly, columns, children, edited }: CrudModule): string[] => {
  const { title, titleEn, sight } = table
  const absent = columns.filter((column) => column.form && mayBeAbsent(column)).map(({ key }) => `${key}: true`)
  return [
    `  path: '${path}',`,
    `  permission: '${permission}',`,
    `  scope: '${scopes[sight]}',`,
    `  title: ${literal(title)},`,
    `  titleEn: ${literal(inSentence(titleEn))},`,
    `  titlesEn: ${literal(/[a-z]$/i.test(titleEn) ? plural(titleEn) : titleEn)},`,
    `  row: ${type},`,
    ...(children.length > 0 ? [`  detail: ${type}Detail,`] : []),
    ...(readOnly ? [] : [`  draft: ${type}Draft,`]),
    ...(readOnly || absent.length === 0 ? [] : [`${objectLiteral('  optional: ', absent)},`]),
    `  query: ${type}Query,`,
    ...(readOnly || !edited ? [] : ["  verbs: ['deleteList', 'export'],"]),
  ]
}

const treeCalls = ({ type, path, permission, set, table, readOnly, entity, edited }: CrudModule): string[] => {
  const paging = ['pageNo: true', 'pageNum: true', 'pageSize: true', ...(edited ? ['orderBy: true'] : [])]
  const end = (verb: string, method: string, zh: string, en: string) => [
    "    kind: 'json',",
    `    permission: '${permission}:${verb}',`,
    `    scope: '${scopes[table.sight]}',`,
    `    method: '${method}',`,
    `    path: '${path}/${method === 'GET' ? 'list' : 'move'}',`,
    `    summary: ${literal(zh)},`,
    `    summaryEn: ${literal(en)},`,
  ]
  return [
    `export const ${set} = {`,
    `  ...${entity}Calls,`,
    '  list: endpoint({',
    ...end('query', 'GET', `${table.title}列表`, `${table.titleEn}: the whole tree`),
    `    query: ${type}Query.omit({ ${paging.join(', ')} }),`,
    `    data: z.array(${type}),`,
    '  }),',
    ...(readOnly
      ? []
      : [
          '  move: endpoint({',
          ...end('update', 'PUT', `移动${table.title}`, `${table.titleEn}: move a row`),
          '    body: Move,',
          '    data: z.literal(true),',
          '  }),',
        ]),
    '}',
  ]
}

const codecNames = 'Day Id Millis queryBool queryDate queryInt queryList queryNumber queryTexts'.split(' ')

/** Row, draft and query schemas, and the calls. */
export const writeContract = (module: CrudModule): string => {
  const { set, entity, readOnly, children, columns, contractModule } = module
  const up = contractModule.split('/').length > 2 ? '../..' : '..'
  const make = readOnly ? 'readEndpoints' : 'entityEndpoints'
  const tree = isTree(module)
  const body = [
    ...[columns, ...children.map((child) => child.columns)].flatMap((all) => {
      const tables = wordTables(all)
      return tables.length > 0 ? [...tables, ''] : []
    }),
    "const id = field(Id, '编号', 'Id')",
    '',
    ...children.flatMap(childLines),
    ...rowShape(module),
    ...(readOnly ? [] : draftShape(module)),
    ...queryShape(module),
    tree ? `const ${entity}Calls = ${make}({` : `export const ${set} = ${make}({`,
    ...calls(module),
    '})',
    ...(tree ? treeCalls(module) : []),
  ]
  const code = body.join('\n').replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code))
  const imports = (names: readonly string[], file: string) => {
    const found = used(names)
    return found.length > 0 && importLine(found, `${up}/${file}`)
  }
  return sourceFile(
    "import { z } from 'zod'",
    imports(codecNames, 'codecs.ts'),
    imports(['auditFields'], 'audit-fields.ts'),
    imports([make], 'audit/entity.ts'),
    imports(['endpoint'], 'endpoint.ts'),
    imports(['field', 'inDict'], 'field.ts'),
    imports(['StoredFileInfo'], 'files/file.ts'),
    imports(['PageQuery', 'sortable'], 'page.ts'),
    imports(['Move', 'ParentId'], 'settings/wire-codecs.ts'),
    '',
    ...body,
  )
}
