import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { wrapLine } from '../server/source-text.ts'
import type { CrudModule, CrudColumn } from '../server/crud-module.ts'
import { filtersOf } from '../server/write-schema.ts'

/** Options are the values of the database check. */
export const choices = ({ wordsName }: CrudColumn): string =>
  `options={${wordsName}.map((value) => ({ value, label: value }))}`

/** Decimal digits; a floating-point number would show any number of them. */
export const precisionOf = (column: CrudColumn): string => {
  const decimal = decimalOf(column)
  if (column.kind === 'FLOAT' && !decimal) return ''
  return ` precision={${decimal?.places ?? 0}}`
}

const filterInput = (column: CrudColumn): string => {
  const { kind, words, dictType, queryType } = column
  const several = queryType === 'IN' ? ' mode="multiple"' : ''
  if (words.length > 0) return `<Select allowClear${several} ${choices(column)} />`
  if (dictType !== null) return `<DictSelect type="${dictType}" allowClear${several} />`
  if (kind === 'BOOL') return '<YesNo />'
  if (kind === 'DAY') return '<DayPicker />'
  if (kind === 'INSTANT') return '<InstantPicker />'
  if (kind === 'TEXT' || kind === 'LIST')
    return `<Input allowClear maxLength={${Math.min((kind === 'TEXT' ? column.length : null) ?? 100, 200)}} />`
  return `<InputNumber${precisionOf(column)} style={{ width: '100%' }} />`
}

/** An element with each attribute on a line of its own when they do not fit on one. */
export const jsx = (indent: string, element: string): string => {
  const [, name, rest] = /^<([\w.]+) (.*) \/>$/.exec(element) ?? []
  if (!name || !rest) return `${indent}${element}`
  // Attributes contain spaces only within braces and quotes.
  const attributes = rest.match(/\w+(?:=(?:"[^"]*"|\{(?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\})*\}))?/g) ?? []
  return wrapLine(`${indent}${element}`, [
    `${indent}<${name}`,
    ...attributes.map((attribute) => `${indent}  ${attribute}`),
    `${indent}/>`,
  ])
}

export const filterLines = ({ type, columns }: CrudModule): string[] =>
  columns
    .filter(({ inQuery }) => inQuery)
    .flatMap((column) =>
      filtersOf(column).map(({ key }) =>
        [`    <Filter of={${type}Query} name="${key}">`, jsx('      ', filterInput(column)), '    </Filter>'].join(
          '\n',
        ),
      ),
    )

const shownAs = (column: CrudColumn): string | undefined => {
  const { kind, dictType, form, nullable, fileKey } = column
  if (fileKey) return '(file) => <StoredFileLink file={file} />'
  if (form === 'SCHOOL') return '(id) => <SchoolName id={id} />'
  if (dictType !== null) return `(value) => <DictTag type="${dictType}" value={value} />`
  if (kind === 'BOOL') return '(yes) => <YesNoText yes={yes} />'
  const places = decimalOf(column)?.places
  // All values of one column with the same number of digits.
  if (places) return `(value) => ${nullable ? `value?.toFixed(${places}) ?? '—'` : `value.toFixed(${places})`}`
  if (kind === 'TEXT' && nullable) return '(text) => <LongText text={text} />'
  return undefined
}

/** One column of the list, or one item of the detail. */
export const columnLine = (type: string, column: CrudColumn, main = false): string => {
  const show = main ? undefined : shownAs(column)
  const head = `  column(${type}, '${column.fileKey ?? column.key}'`
  if (!show && !main) return `${head}),`
  const more = [main && 'main: true', show && `show: ${show}`].filter(Boolean).join(', ')
  return wrapLine(`${head}, { ${more} }),`, [
    `${head}, {`,
    ...more.split(/, (?=show:)/).map((item) => `    ${item},`),
    '  }),',
  ])
}

/** The field that names a row: the first text of the list that users wrote. */
export const titleColumn = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn | undefined =>
  columns.find(
    ({ inList, kind, words, dictType, form }) =>
      inList && kind === 'TEXT' && words.length === 0 && dictType === null && form !== 'EDITOR',
  )

/** Code that returns the display name of a row. */
export const rowNameCode = (slice: CrudModule, row = slice.entity): string => {
  const main = titleColumn(slice)
  if (!main) return `String(${row}.id)`
  return main.nullable ? `${row}.${main.key} ?? String(${row}.id)` : `${row}.${main.key}`
}

/** Imports for cells and inputs, in the order of their paths. */
export const uiImports: readonly (readonly [name: string, path: string])[] = [
  ['DayPicker', '#ui/dates/DayPicker.tsx'],
  ['InstantPicker', '#ui/dates/InstantPicker.tsx'],
  ['DictCheckboxes', '#ui/dict/DictCheckboxes.tsx'],
  ['DictRadio', '#ui/dict/DictCheckboxes.tsx'],
  ['DictSelect', '#ui/dict/DictSelect.tsx'],
  ['DictTag', '#ui/dict/DictTag.tsx'],
  ['LongText', '#ui/LongText.tsx'],
  ['RichEditor', '#ui/rich/RichEditor.tsx'],
  ['RichText', '#ui/rich/RichText.tsx'],
  ['SchoolSelect', '#ui/SchoolSelect.tsx'],
  ['SchoolName', '#ui/cell/SchoolName.tsx'],
  ['StoredFileLink', '#ui/upload/StoredFile.tsx'],
  ['StoredFileField', '#ui/upload/StoredFile.tsx'],
  ['StoredImageField', '#ui/upload/StoredFile.tsx'],
  ['YesNoText', '#ui/cell/YesNoText.tsx'],
]

/** The project imports that emitted elements need. */
export const importsOf = (body: string): string[] => {
  const used = uiImports.filter(([name]) => new RegExp(`<${name}\\b`).test(body))
  return [...Map.groupBy(used, ([, path]) => path)].map(
    ([path, of]) => `import { ${of.map(([name]) => name).join(', ')} } from '${path}'`,
  )
}

/** Imports of antd, by name. */
export const antdImports = (body: string, names: readonly string[]): string[] =>
  names.filter((name) => new RegExp(`<${name}\\b`).test(body))

export const dictLabelsUsed = (body: string, columns: readonly CrudColumn[]): string[] =>
  columns.filter(({ wordsName }) => new RegExp(`\\b${wordsName}\\b`).test(body)).map((column) => column.wordsName)
