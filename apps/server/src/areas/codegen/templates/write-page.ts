import { exampleForms } from '@tocsin/contract/codegen/codegen'
import { filtersOf } from './field-schemas.ts'
import { isTree, listColumns, nameColumn, type ChildTable, type CrudColumn, type CrudModule } from './crud-module.ts'
import { arrayLiteral, importLine, literal, sourceFile, wrapLine } from './source-text.ts'

const LONG_TEXT = 200

/** Where the chosen input is not the usual one of the schema. */
const controlKind = ({ form, kind, length, dictType, words }: CrudColumn): string | undefined => {
  if (form === 'EDITOR') return 'richText'
  if (form === 'RADIO') return 'radio'
  if (form === 'CHECKBOX') return 'checkbox'
  const isPlain = kind === 'TEXT' && words.length === 0 && dictType === null
  const isLong = length === null || length >= LONG_TEXT
  if (isPlain && form === 'TEXTAREA' && !isLong) return 'multiLine'
  return isPlain && form === 'INPUT' && isLong ? 'oneLine' : undefined
}

const fileControl = ({ form, fileKey }: CrudColumn, entity: string): string | undefined => {
  if (!fileKey) return undefined
  return `<Stored${form === 'IMAGE' ? 'Image' : 'File'}Field made={${entity}?.${fileKey}} />`
}

const fieldEntry = (column: CrudColumn, entity: string): string => {
  const { key, form, example, inCreate, inUpdate } = column
  const kind = controlKind(column)
  const control = form === 'SCHOOL' ? '<SchoolSelect />' : fileControl(column, entity)
  const more = [
    ...(kind ? [`as: '${kind}'`] : []),
    ...(example !== null && form && exampleForms.has(form) ? [`placeholder: ${literal(example)}`] : []),
    ...(control ? [`control: ${control}`] : []),
    ...(inCreate && !inUpdate ? [`disabled: ${entity} !== undefined`] : []),
  ]
  const entry = more.length > 0 ? `{ ${[`name: '${key}'`, ...more].join(', ')} }` : `'${key}'`
  return inUpdate && !inCreate ? `...(${entity} ? ([${entry}] as const) : [])` : entry
}

const isShown = ({ form }: CrudColumn): boolean => form !== undefined && form !== 'HIDDEN'

/** Initial values of a new row: the defaults of the database; an untouched switch is off. */
const initialValues = (columns: readonly CrudColumn[]): string[] =>
  columns
    .filter((column) => isShown(column) && column.inCreate)
    .flatMap(({ key, kind, preset }) => {
      if (kind === 'BOOL') return [`${key}: ${preset === 'true'}`]
      const isNumber = (kind === 'INT' || kind === 'BIGINT' || kind === 'FLOAT') && preset !== null
      return isNumber && /^-?\d+(\.\d+)?$/.test(preset) ? [`${key}: ${Number(preset)}`] : []
    })

const childRows = ({ set, columns }: ChildTable, draft: string): string => {
  const fields = columns.filter(isShown).map((column) => fieldEntry({ ...column, inCreate: true, inUpdate: true }, ''))
  const initial = initialValues(columns)
  const attributes = [
    `key="${set}"`,
    `of={${draft}}`,
    `name="${set}"`,
    `fields={[${fields.join(', ')}]}`,
    ...(initial.length > 0 ? [`initial={{ ${initial.join(', ')} }}`] : []),
  ]
  return wrapLine(`        <ChildRows ${attributes.join(' ')} />`, [
    '        <ChildRows',
    ...attributes.map((attribute) => wrapLine(`          ${attribute}`, broken(attribute))),
    '        />',
  ]).trimStart()
}

const broken = (attribute: string): string[] => {
  const [head = '', inner = ''] = [
    attribute.slice(0, attribute.indexOf('[') + 1),
    attribute.slice(attribute.indexOf('[') + 1, -2),
  ]
  return [`          ${head}`, ...inner.split(/, (?=[{'])/).map((item) => `            ${item},`), '          ]}']
}

/** A read-only table shows its columns in the form, where nobody edits them. */
const formFields = (module: CrudModule): string[] =>
  module.readOnly
    ? module.columns
        .filter(({ form }) => form !== 'PARENT')
        .map((column) =>
          column.form === 'SCHOOL' ? fieldEntry({ ...column, inCreate: true, inUpdate: true }, '') : `'${column.key}'`,
        )
    : [
        ...module.columns.filter(isShown).map((column) => fieldEntry(column, module.entity)),
        ...module.children.map((child) => childRows(child, `${module.type}Draft`)),
      ]

const columnEntry = ({ key, fileKey, form }: CrudColumn): string => {
  if (fileKey) return `{ name: '${fileKey}', show: (file) => <StoredFileLink file={file} /> }`
  return form === 'SCHOOL' ? `{ name: '${key}', show: (id) => <SchoolName id={id} /> }` : `'${key}'`
}

/** The column that names a row is the first: it opens the row, and heads its card on a phone. */
const columnLines = (module: CrudModule): string[] => {
  const main = nameColumn(module)
  const listed = listColumns(module).toSorted((a, b) => Number(b === main) - Number(a === main))
  return [...listed.map(columnEntry), ...(module.edited || listed.length === 0 ? ["'createTime'"] : [])]
}

const imports: readonly (readonly [name: string, path: string])[] = [
  ['ChildRows', '#ui/entity/ChildRows.tsx'],
  ['SchoolName', '#ui/cell/SchoolName.tsx'],
  ['SchoolSelect', '#ui/SchoolSelect.tsx'],
  ['StoredFileField', '#ui/upload/StoredFile.tsx'],
  ['StoredFileLink', '#ui/upload/StoredFile.tsx'],
  ['StoredImageField', '#ui/upload/StoredFile.tsx'],
]

const importLines = (code: string): string[] => {
  const used = imports.filter(([name]) => code.includes(`<${name}`))
  return [...Map.groupBy(used, ([, path]) => path)].map(([path, of]) =>
    importLine(
      of.map(([name]) => name),
      path,
    ),
  )
}

const rowName = (module: CrudModule): string => {
  const main = nameColumn(module)
  if (!main) return '({ id }) => String(id)'
  return `({ ${main.key}${main.nullable ? ', id' : ''} }) => ${main.nullable ? `${main.key} ?? String(id)` : main.key}`
}

/** The screen: columns, filters and fields. */
export const writePage = (module: CrudModule): string => {
  const { type, entity, set, contractModule, table, readOnly } = module
  const columns = columnLines(module)
  const fields = formFields(module)
  const filters = filtersOf(module.columns).map(({ key }) => literal(key))
  const initial = readOnly ? [] : initialValues(module.columns)
  const isOfRow = fields.some((field) => new RegExp(`\\b${entity}\\b(?! ?:)`).test(field.replaceAll(/'[^']*'/g, "''")))
  const list = arrayLiteral('      ', `fields={${isOfRow ? `(${entity}) => ` : ''}`, fields, '}')
  const body = [
    `/** ${table.titleEn.replaceAll('*/', '* /')}. */`,
    `export const ${type}Page = () => (`,
    '  <EntityPage',
    `    of={${set}}`,
    `    draft={${type}${readOnly ? '' : 'Draft'}}`,
    `    nameOf={${rowName(module)}}`,
    '    columns={columns}',
    ...(filters.length > 0 ? [arrayLiteral('    ', 'filters={', filters, '}')] : []),
    list.replaceAll(/^ {2}/gm, ''),
    ...(initial.length > 0
      ? [
          wrapLine(`    initial={{ ${initial.join(', ')} }}`, [
            '    initial={{',
            ...initial.map((item) => `      ${item},`),
            '    }}',
          ]),
        ]
      : []),
    ...(isTree(module) ? [] : ['    opensOnClick']),
    '  />',
    ')',
  ]
  const head = `const columns: readonly EntityColumn<${type}>[] = `
  const code = [arrayLiteral('', head, columns, ''), '', ...body]
  return sourceFile(
    importLine(readOnly ? [type, set] : [`type ${type}`, `${type}Draft`, set], `@tocsin/contract/${contractModule}`),
    ...importLines(code.join('\n')),
    importLine(['EntityPage'], '#ui/entity/EntityPage.tsx'),
    importLine(['EntityColumn'], '#ui/entity/entity-types.ts').replace('import', 'import type'),
    '',
    ...code,
  )
}
