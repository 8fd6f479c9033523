import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { hasFiles, nameColumn, type CrudColumn, type CrudModule } from './crud-module.ts'
import { filtersOf, stepLiteral } from './field-schemas.ts'
import { arrayLiteral, importLine, literal, sourceFile } from './source-text.ts'

/** Values that the dictionaries of every test have. */
const DICT_VALUES = ['1', '2']

/** A text that differs for each `count`, and fits. */
const textValue = ({ key, length }: CrudColumn): string =>
  length !== null && length < key.length + 5 ? '`${count}`' : `\`${key}_\${count}\``

const decimalValue = (column: CrudColumn): string | undefined => {
  const decimal = decimalOf(column)
  if (!decimal) return undefined
  const most = 10 ** Math.min(decimal.digits, 3)
  const whole = decimal.digits > 3 ? 'count' : `(count % ${most})`
  return decimal.places === 0 ? whole : `${whole} / ${10 ** decimal.places}`
}

/** An encoded value, another one for each `count`. */
const sampleValue = (column: CrudColumn): string => {
  const { kind, words, form, dictType } = column
  if (form === 'SCHOOL') return 'schoolId'
  if (form === 'PARENT') return '0'
  if (form === 'IMAGE') return 'pictureId'
  if (form === 'FILE') return 'fileId'
  if (form === 'EDITOR') return '`<p>text ${count}</p>`'
  if (words.length > 0) return literal(words[0] ?? '')
  if (kind === 'LIST') return "['1']"
  if (dictType !== null) return "'1'"
  const values = {
    TEXT: textValue(column),
    INT: 'count',
    BIGINT: 'count',
    FLOAT: decimalValue(column) ?? 'count + 0.5',
    BOOL: 'count % 2 === 0',
    DAY: "`2026-01-${String((count % 28) + 1).padStart(2, '0')}`",
    INSTANT: '1_767_312_000_000 + count * 60_000',
  }
  return values[kind]
}

const draftLines = (columns: readonly CrudColumn[], indent: string): string[] =>
  columns
    .filter(({ form }) => form)
    .map((column) => {
      const value = sampleValue(column)
      return column.key === value ? `${indent}${column.key},` : `${indent}${column.key}: ${value},`
    })

/** Another valid value of a field that people may change. */
const changeOf = ({ columns }: CrudModule): string => {
  const fields = columns.filter(({ form, inUpdate }) => form && inUpdate)
  const text = fields.find(
    ({ kind, words, dictType, form, single }) =>
      kind === 'TEXT' && !words.length && !dictType && form !== 'EDITOR' && !single,
  )
  if (text) return `{ ${text.key}: ${literal('changed'.slice(0, text.length ?? 7))} }`
  const other = fields.find(({ kind, words }) => kind !== 'TEXT' || words.length > 1) ?? fields[0]
  if (!other) return '{}'
  const { words, key, kind } = other
  const values = { TEXT: literal(words.at(-1) ?? '1'), INT: '7', BIGINT: '7', FLOAT: '0', BOOL: 'true', LIST: '[]' }
  const days = { DAY: "'2026-03-04'", INSTANT: '1_770_076_800_000' }
  return `{ ${key}: ${other.form === 'PARENT' ? '0' : { ...values, ...days }[kind]} }`
}

/** Values that the type of a field alone does not refuse. */
const wrongValues = ({ columns }: CrudModule): string[] =>
  columns
    .filter(({ form }) => form)
    .flatMap((column) => {
      const { key, kind, form, dictType } = column
      const decimal = decimalOf(column)
      if (decimal) return [`${key}: ${stepLiteral({ ...decimal, places: decimal.places + 1 })}`]
      if (dictType !== null) return [`${key}: ${kind === 'LIST' ? "['no-such-word']" : "'-'"}`]
      if (form === 'SCHOOL') return [`${key}: 999_999`]
      return form === 'IMAGE' ? [`${key}: fileId`] : []
    })

/** The filters that find a row by the very value of its draft, texts first. */
const findingFilters = ({ columns }: CrudModule): string[] =>
  filtersOf(columns)
    .filter(({ key, operator, column }) => {
      const isPart = column.form && column.form !== 'EDITOR' && key === column.key
      const isEqual = !['NE', 'GT', 'LT'].includes(operator)
      return isPart && isEqual && column.kind !== 'LIST' && column.kind !== 'INSTANT'
    })
    .toSorted((a, b) => Number(b.column.kind === 'TEXT') - Number(a.column.kind === 'TEXT'))
    .map(({ key }) => key)

/** A field of the list whose value stands in the export as it was written. */
const exportedKey = (module: CrudModule): string | undefined => {
  const { columns } = module
  const isWritten = ({ form, inList, fileKey, dictType }: CrudColumn) => form && inList && !fileKey && dictType === null
  const main = nameColumn(module)
  if (main?.form) return main.key
  return columns.find((column) => isWritten(column) && ['TEXT', 'INT', 'BIGINT', 'DAY'].includes(column.kind))?.key
}

const caseLines = (module: CrudModule): string[] => {
  const { set, table } = module
  const wrong = wrongValues(module)
  const exported = exportedKey(module)
  return [
    '',
    'testEntity(() => admin, {',
    `  of: ${set},`,
    `  subject: '${table.tableName}',`,
    '  draft,',
    `  change: ${changeOf(module)},`,
    ...(wrong.length > 0 ? [`  wrong: { ${wrong.join(', ')} },`] : []),
    arrayLiteral('  ', 'filters: ', findingFilters(module).map(literal), ','),
    ...(exported ? [`  exported: '${exported}',`] : []),
    ...(table.sight === 'OPEN'
      ? []
      : [`  elsewhere: { draft, references: [${table.sight === 'SCHOOL' ? "'schoolId'" : ''}] },`]),
    '})',
  ]
}

const startLines = (module: CrudModule): (string | false)[] => {
  const { entity, columns, children } = module
  const forms = new Set(columns.map(({ form }) => form))
  const isFiled = hasFiles(module)
  const dicts = [columns, ...children.map((child) => child.columns)].flatMap((all) =>
    all.flatMap(({ form, dictType }) => (form && dictType !== null ? [dictType] : [])),
  )
  const needsFile = forms.has('IMAGE') || forms.has('FILE')
  const values = `[${DICT_VALUES.map(literal).join(', ')}]`
  return [
    forms.has('SCHOOL') && 'let schoolId = 0',
    forms.has('IMAGE') && 'let pictureId = 0',
    needsFile && 'let fileId = 0',
    isFiled && 'let files: TestFiles',
    'beforeAll(async () => {',
    isFiled && '  files = openFiles()',
    `  admin = await startAdminServer((db) => ${entity}Entity.routes({ db }))`,
    ...[...new Set(dicts)].map((type) => `  await makeDict(admin.site.db, ${literal(type)}, ${values})`),
    forms.has('SCHOOL') && '  schoolId = (await makeSchool(admin.site.db)).id',
    forms.has('IMAGE') && '  pictureId = await files.made(admin.site.db, admin.here.userId, true)',
    needsFile && '  fileId = await files.made(admin.site.db, admin.here.userId, false)',
    '})',
    ...(isFiled
      ? ['afterAll(async () => {', '  await admin.end()', '  files.close()', '})']
      : ['afterAll(() => admin.end())']),
    '',
    'let count = 0',
    'const draft = () => {',
    '  count += 1',
    '  return {',
    ...draftLines(columns, '    '),
    ...children.flatMap((child) => [
      `    ${child.set}: [`,
      '      {',
      ...draftLines(child.columns, '        '),
      '      },',
      '    ],',
    ]),
    '  }',
    '}',
  ]
}

/** The standard cases of an entity, with a valid draft. */
export const writeTest = (module: CrudModule): string => {
  const { entity, set, contractModule, readOnly, kebab, table } = module
  const cases = readOnly
    ? [
        'beforeAll(async () => {',
        `  admin = await startAdminServer((db) => ${entity}Entity.routes({ db }))`,
        '})',
        'afterAll(() => admin.end())',
        '',
        `testReadEntity(() => admin, { of: ${set}, subject: '${table.tableName}' })`,
      ]
    : [...startLines(module), ...caseLines(module)]
  const code = cases.filter(Boolean).join('\n')
  const fixtures = ['makeDict', 'makeSchool'].filter((name) => code.includes(`${name}(`))
  return sourceFile(
    importLine([set], `@tocsin/contract/${contractModule}`),
    "import { afterAll, beforeAll } from 'vitest'",
    fixtures.length > 0 && importLine(fixtures, '../../../../seed/fixtures.ts'),
    importLine(['type AdminServer', 'startAdminServer'], '../../../../test/admin-server.ts'),
    importLine([readOnly ? 'testReadEntity' : 'testEntity'], '../../../../test/entity.ts'),
    code.includes('openFiles') && importLine(['openFiles', 'type TestFiles'], '../../../../test/files.ts'),
    `import { ${entity}Entity } from './${kebab}.ts'`,
    '',
    'let admin: AdminServer',
    ...cases,
  )
}
