import { filtersOf } from './field-schemas.ts'
import {
  isTree,
  nameColumn,
  sortColumn,
  type ChildTable,
  type CrudColumn,
  type CrudModule,
  hasFiles,
  listColumns,
} from './crud-module.ts'
import { foreignKey, isForeignKey, uniqueKey } from './write-table.ts'
import { arrayLiteral, importLine, literal, sourceFile } from './source-text.ts'

type Rule = { rule: string; code: string; params: string }
/** A user who may create tables may give a rule any name. */
const named = (rule: string): string => (/^[a-z_][a-z0-9_]*$/i.test(rule) ? rule : literal(rule))

/** Files of a draft are named before they are checked; other references have no field in the draft. */
const referenceRule = ({ refers, title }: CrudColumn) => ({
  code: refers === 'file' ? 'notFound' : 'referred',
  params: `what: ${literal(title)}`,
})

/** The errors for values that the database rejects: a duplicate, or a row that is still referred to. */
const constraintErrors = (module: CrudModule): string[] => {
  const own = [module, ...module.children].filter((item) => !item.product)
  const known = own.flatMap((item) =>
    item.columns.flatMap((column): Rule[] => [
      ...(column.single
        ? [{ rule: uniqueKey(item, column), code: 'duplicate', params: `field: ${literal(column.title)}` }]
        : []),
      ...(isForeignKey(item, column) ? [{ rule: foreignKey(item, column), ...referenceRule(column) }] : []),
    ]),
  )
  const title = literal(module.table.title)
  // A child table may refer to the table more than once.
  const others = module.unnamed.filter(({ rule }) => !known.some((item) => item.rule === rule))
  const lines = [
    ...known.map(({ rule, code, params }) => `  ${named(rule)}: { code: codes.${code}, params: { ${params} } },`),
    ...others.map(({ rule, means }) => {
      if (means === 'invalid') return `  ${named(rule)}: { code: codes.invalid },`
      return `  ${named(rule)}: { code: codes.${means}, params: { ${means === 'duplicate' ? 'field' : 'what'}: ${title} } },`
    }),
  ]
  return lines.length > 0 ? ['registerConstraintErrors({', ...lines, '})', ''] : []
}

const comparisons: Readonly<Record<string, string>> = { EQ: '=', NE: '!=', GT: '>', GE: '>=', LT: '<', LE: '<=' }
const patterns: Readonly<Record<string, string>> = {
  // Without the wildcard at the end, or at the beginning.
  LIKE_LEFT: 'likePattern(value).slice(0, -1)',
  LIKE_RIGHT: 'likePattern(value).slice(1)',
}

/** Texts are contained, lists have the value and anything else equals it, unless the operator says otherwise. */
const isPlainFilter = (operator: string, { kind, words }: CrudColumn): boolean => {
  if (operator === 'LIKE' || operator === 'IN') return true
  return operator === 'EQ' && kind !== 'LIST' && kind !== 'DAY' && (kind !== 'TEXT' || words.length > 0)
}

const filterLines = ({ columns }: CrudModule): string[] => {
  const lines = filtersOf(columns)
    .filter(({ operator, column }) => !isPlainFilter(operator, column))
    .map(({ key, operator, column }) => {
      const of = literal(column.key)
      if (column.kind === 'LIST') return `    ${key}: (on, value) => on(on.val(value), '=', on.fn.any(${of})),`
      const pattern = patterns[operator]
      const condition = pattern ? `'ilike', ${pattern}` : `'${comparisons[operator]}', value`
      return `    ${key}: (on, value) => on(${of}, ${condition}),`
    })
  return lines.length > 0 ? ['  filters: {', ...lines, '  },'] : []
}

/** The list columns except files, which a cell cannot hold. */
const exportedKeys = (module: CrudModule): string[] => [
  ...listColumns(module)
    .filter(({ fileKey }) => !fileKey)
    .map(({ key }) => key),
  ...(module.edited ? ['createTime'] : []),
]

const childLine = (child: ChildTable): string => {
  const order = sortColumn(child) ? ["order: ['sort']"] : []
  return `    ${child.set}: { ${[`table: '${child.key}'`, `join: '${child.join.key}'`, ...order].join(', ')} },`
}

/** References that a form chooses; the school that decides who sees a row is checked without being named. */
const referenceLine = ({ table, columns }: CrudModule): string[] => {
  const school = columns.find(({ form }) => form === 'SCHOOL')
  return school && table.sight !== 'SCHOOL' ? [`  references: { ${school.key}: 'school' },`] : []
}

const fileField = ({ key, form, fileKey }: CrudColumn): string =>
  form === 'EDITOR'
    ? `      ${key}: { as: 'richText' },`
    : `      ${key}: { as: '${form === 'IMAGE' ? 'picture' : 'file'}', shown: '${fileKey}' },`

const fileLines = (module: CrudModule): string[] => {
  if (!hasFiles(module)) return []
  const { type, key, columns } = module
  return [
    '  ...attachedFields({',
    `    draft: ${type}Draft,`,
    `    subject: '${key}',`,
    '    fields: {',
    ...columns.filter(({ fileKey, form }) => fileKey !== undefined || form === 'EDITOR').map(fileField),
    '    },',
    '  }),',
  ]
}

const writeLines = (module: CrudModule): string[] => {
  const fixed = module.columns.filter(({ inCreate, inUpdate }) => inCreate && !inUpdate).map(({ key }) => literal(key))
  return [
    `  nameColumn: ${literal(nameColumn(module)?.key ?? 'id')},`,
    ...(isTree(module) ? ['  isTree: true,'] : []),
    ...(fixed.length > 0 ? [arrayLiteral('  ', 'fixed: ', fixed, ',')] : []),
    ...referenceLine(module),
    ...(module.children.length > 0 ? ['  children: {', ...module.children.map(childLine), '  },'] : []),
  ]
}

/** What is special about reading and writing the rows. */
export const writeServer = (module: CrudModule): string => {
  const { type, entity, set, key, contractModule, readOnly } = module
  const rules = readOnly ? [] : constraintErrors(module)
  const order = [...(sortColumn(module) ? ["'sort'"] : []), isTree(module) ? "'id'" : "'-id'"]
  const make = readOnly ? 'createReadEntity' : 'createEntity'
  const body = [
    `export const ${entity}Entity = ${make}({`,
    `  of: ${set},`,
    `  table: '${key}',`,
    ...(readOnly ? [] : writeLines(module)),
    ...filterLines(module),
    `  order: [${order.join(', ')}],`,
    arrayLiteral('  ', 'exported: ', exportedKeys(module).map(literal), ','),
    ...(readOnly ? [] : fileLines(module)),
    '})',
  ]
  const isFiled = !readOnly && hasFiles(module)
  return sourceFile(
    rules.length > 0 && "import { codes } from '@tocsin/contract/codes'",
    importLine(isFiled ? [`${type}Draft`, set] : [set], `@tocsin/contract/${contractModule}`),
    importLine([make], '#areas/audit/entity/entity'),
    isFiled && importLine(['attachedFields'], '#areas/notices/attached-fields'),
    rules.length > 0 && importLine(['registerConstraintErrors'], '#db/constraint-error'),
    body.some((line) => line.includes('likePattern(')) && importLine(['likePattern'], '#db/keyword-search'),
    '',
    ...rules,
    ...body,
  )
}
