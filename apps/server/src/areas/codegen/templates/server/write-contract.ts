import { sourceFile, wrapLine, importLine, literal } from './source-text.ts'
import { isMovable, isTree, type ChildTable, type CrudModule } from './crud-module.ts'
import { draftLines, line, queryLines, rowLines, wordTables } from './write-schema.ts'

type Call = { name: string; method: 'GET' | 'POST' | 'PUT' | 'DELETE'; zh: string; en: string; rest: string[] }

/** The permissions of calls without one of their own name. */
const verbs: Readonly<Record<string, string>> = { page: 'query', list: 'query', get: 'query', move: 'update' }

const endpointOf = (slice: CrudModule, { name, method, zh, en, rest }: Call): string =>
  [
    `  ${name}: endpoint({`,
    `    ...${slice.entity}('${verbs[name] ?? name}'),`,
    `    method: '${method}',`,
    `    path: '${slice.path}/${name}',`,
    `    summary: ${literal(zh)},`,
    `    summaryEn: ${literal(en)},`,
    ...rest.map((item) => `    ${item},`),
    '  }),',
  ].join('\n')

const listing = ({ type, table: { title, titleEn } }: CrudModule, tree: boolean): Call =>
  tree
    ? {
        name: 'list',
        method: 'GET',
        zh: `${title}列表`,
        en: `${titleEn}: all`,
        rest: [`query: ${type}Query`, `data: z.array(${type})`],
      }
    : {
        name: 'page',
        method: 'GET',
        zh: `${title}分页`,
        en: `${titleEn}: by page`,
        rest: [`query: ${type}Query`, `data: page(${type})`],
      }

const endpoints = (slice: CrudModule): string[] => {
  const { type, table, parts } = slice
  const whole = parts.length > 0 ? `${type}Whole` : type
  const { title, titleEn: en } = table
  const done = 'data: z.literal(true)'
  const calls: Call[] = [
    listing(slice, isTree(slice)),
    { name: 'get', method: 'GET', zh: `${title}详情`, en: `${en}: one`, rest: ['query: ById', `data: ${whole}`] },
  ]
  if (slice.readOnly) return calls.map((call) => endpointOf(slice, call))
  calls.push(
    {
      name: 'create',
      method: 'POST',
      zh: `新增${title}`,
      en: `${en}: create`,
      rest: [`body: ${type}Draft`, 'data: Id'],
    },
    { name: 'update', method: 'PUT', zh: `修改${title}`, en: `${en}: change`, rest: [`body: ${type}Edit`, done] },
    { name: 'delete', method: 'DELETE', zh: `删除${title}`, en: `${en}: delete`, rest: ['query: ById', done] },
  )
  if (isMovable(slice))
    calls.push({ name: 'move', method: 'PUT', zh: `移动${title}`, en: `${en}: move`, rest: ['body: Move', done] })
  return calls.map((call) => endpointOf(slice, call))
}

const scopes = { OPEN: 'none', DEPT: 'dept', SCHOOL: 'school' } as const

const exporting = ({ type, permission, path, table }: CrudModule): string[] => [
  '  ...exportEndpoints({',
  `    permission: '${permission}:export',`,
  `    scope: '${scopes[table.sight]}',`,
  `    path: '${path}',`,
  `    title: ${literal(table.title)},`,
  `    titleEn: ${literal(table.titleEn)},`,
  `    query: ${type}Query,`,
  '  }),',
]

/** Emits the row schema. */
const readLines = ({
  type,
  columns,
  edited = true,
}: Pick<ChildTable, 'type' | 'columns'> & { edited?: boolean }): string[] => [
  `export const ${type} = z.strictObject({`,
  '  id,',
  ...rowLines(columns),
  ...(edited ? ['  ...auditFields,'] : []),
  '})',
  `export type ${type} = z.output<typeof ${type}>`,
]

/** Child rows, read and written with their parent. */
const partLines = (part: ChildTable): string[] => [
  `/** ${part.table.titleEn.replaceAll('*/', '* /')}: child rows, written with their parent. */`,
  ...readLines(part),
  `export const ${part.type}Draft = z.strictObject({`,
  '  /** Of an existing row. */',
  "  id: field(Id.optional(), '编号', 'Id'),",
  ...draftLines(part.columns),
  '})',
  `export type ${part.type}Draft = z.output<typeof ${part.type}Draft>`,
  '',
]

/** Maximum child rows of one parent. */
const MOST_PARTS = 100

const partFields = (parts: readonly ChildTable[], schema: (part: ChildTable) => string): string[] =>
  parts.map((part) => line({ key: part.set, title: part.table.title, titleEn: part.table.titleEn }, schema(part)))

/** Emits the draft schemas: one, unless some fields are only for new rows or only for existing ones. */
const forms = (slice: CrudModule): string[] => {
  const { type, formType, columns, parts } = slice
  const lines = [
    ...draftLines(columns),
    ...partFields(parts, (part) => `z.array(${part.type}Draft).max(${part.one ? 1 : MOST_PARTS})`),
  ]
  const omitted = (action: 'inCreate' | 'inUpdate') => {
    const keys = columns.filter((column) => column.form && !column[action]).map(({ key }) => `${key}: true`)
    return keys.length > 0 ? `${formType}.omit({ ${keys.join(', ')} })` : formType
  }
  const edit = omitted('inUpdate')
  const draft = omitted('inCreate')
  return [
    ...(formType === `${type}Draft`
      ? [`export const ${formType} = z.strictObject({`, ...lines, '})']
      : [
          `export const ${formType} = z.strictObject({`,
          ...lines,
          '})',
          `export type ${formType} = z.output<typeof ${formType}>`,
          broken(`export const ${type}Draft = `, draft),
          broken(`export const ${type}Change = `, edit),
        ]),
    `export type ${type}Draft = z.output<typeof ${type}Draft>`,
    `const ${type}Edit = ${edit === formType ? formType : `${type}Change`}.partial().extend({`,
    '  id,',
    "  version: field(z.int(), '版本', 'Version'),",
    '})',
    `export type ${type}Edit = z.output<typeof ${type}Edit>`,
    '',
  ]
}

const broken = (head: string, omit: string): string => {
  const keys = /^(\w+)\.omit\(\{ (.*) \}\)$/.exec(omit)
  const [, name = '', inner = ''] = keys ?? []
  return wrapLine(`${head}${omit}`, [`${head}${name}.omit({`, ...inner.split(', ').map((item) => `  ${item},`), '})'])
}

const queries = (slice: CrudModule): string[] => {
  const { type } = slice
  const filters = queryLines(slice)
  const base = isTree(slice) ? 'z.strictObject(' : 'PageQuery.extend('
  const none = isTree(slice) ? 'z.strictObject({})' : 'PageQuery'
  return [
    ...(filters.length > 0
      ? [`export const ${type}Query = ${base}{`, ...filters, '})']
      : [`export const ${type}Query = ${none}`]),
    `export type ${type}Query = z.output<typeof ${type}Query>`,
    '',
  ]
}

const shapes = (slice: CrudModule): string[] => {
  const { type, parts } = slice
  const wholeLines = partFields(parts, (part) => `z.array(${part.type})`)
  return [
    ...[slice, ...parts].flatMap((item) => (wordTables(item).length > 0 ? [...wordTables(item), ''] : [])),
    "const id = field(Id, '编号', 'Id')",
    '',
    ...parts.flatMap(partLines),
    ...readLines(slice),
    '',
    ...(parts.length > 0
      ? [
          `export const ${type}Whole = ${type}.extend({`,
          ...wholeLines,
          '})',
          `export type ${type}Whole = z.output<typeof ${type}Whole>`,
          '',
        ]
      : []),
    ...(slice.readOnly ? [] : forms(slice)),
    ...queries(slice),
  ]
}

const codecNames = [
  'Day',
  'Id',
  'Millis',
  'queryBool',
  'queryDate',
  'queryInt',
  'queryList',
  'queryNumber',
  'queryTexts',
]

/** Emits entity, draft, query and calls. */
export const writeContract = (slice: CrudModule): string => {
  const { set, entity, permission, table, module } = slice
  const up = module.split('/').length > 2 ? '../..' : '..'
  const body = shapes(slice)
  const said = body.join('\n').replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(said)
  const codecs = codecNames.filter(uses)
  const numbers = [...(isMovable(slice) ? ['Move'] : []), ...(uses('ParentId') ? ['ParentId'] : [])]
  const head = `const ${entity} = (verb: string) =>`
  const spec = `({ kind: 'json', permission: \`${permission}:\${verb}\`, scope: '${scopes[table.sight]}' }) as const`
  return sourceFile(
    "import { z } from 'zod'",
    importLine(codecs, `${up}/codecs.ts`),
    slice.edited && `import { auditFields } from '${up}/audit-fields.ts'`,
    `import { endpoint } from '${up}/endpoint.ts'`,
    `import { exportEndpoints } from '${up}/export.ts'`,
    `import { field } from '${up}/field.ts'`,
    importLine(isTree(slice) ? ['ById'] : ['ById', 'PageQuery', 'page'], `${up}/page.ts`),
    uses('StoredFileInfo') && importLine(['StoredFileInfo'], `${up}/files/file.ts`),
    numbers.length > 0 && importLine(numbers, `${up}/settings/wire-codecs.ts`),
    '',
    ...body,
    wrapLine(`${head} ${spec}`, [head, `  ${spec}`]),
    '',
    `export const ${set} = {`,
    ...endpoints(slice),
    ...exporting(slice),
    '}',
  )
}
