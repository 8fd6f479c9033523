import { decimalOf } from '@tocsin/contract/codegen/codegen'
import { wrapLine } from '../server/source-text.ts'
import type { CrudModule, CrudColumn } from '../server/crud-module.ts'
import { filtersOf } from '../server/write-schema.ts'

/** Chosen among the words of the database. */
export const choices = ({ wordsName }: CrudColumn): string =>
  `options={${wordsName}.map((value) => ({ value, label: value }))}`

/** Digits after the point, which floating point has as many of as it likes. */
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

/** An element, with its attributes each on a line of its own where they do not fit on one. */
export const jsx = (indent: string, element: string): string => {
  const [, name, rest] = /^<([\w.]+) (.*) \/>$/.exec(element) ?? []
  if (!name || !rest) return `${indent}${element}`
  // Attributes of ours hold no blanks of their own but within braces and quotes.
  const attributes = rest.match(/\w+(?:=(?:"[^"]*"|\{(?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\})*\}))?/g) ?? []
  return wrapLine(`${indent}${element}`, [
    `${indent}<${name}`,
    ...attributes.map((one) => `${indent}  ${one}`),
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
  // All of one column in as many digits.
  if (places) return `(value) => ${nullable ? `value?.toFixed(${places}) ?? '—'` : `value.toFixed(${places})`}`
  if (kind === 'TEXT' && nullable) return '(text) => <LongText text={text} />'
  return undefined
}

/** One column of a list, or one fact of a row. */
export const columnLine = (type: string, column: CrudColumn, main = false): string => {
  const show = main ? undefined : shownAs(column)
  const head = `  column(${type}, '${column.fileKey ?? column.key}'`
  if (!show && !main) return `${head}),`
  const more = [main && 'main: true', show && `show: ${show}`].filter(Boolean).join(', ')
  return wrapLine(`${head}, { ${more} }),`, [
    `${head}, {`,
    ...more.split(/, (?=show:)/).map((one) => `    ${one},`),
    '  }),',
  ])
}

/** What a row goes by: the first text of the list that people wrote. */
export const titleColumn = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn | undefined =>
  columns.find(
    ({ inList, kind, words, dictType, form }) =>
      inList && kind === 'TEXT' && words.length === 0 && dictType === null && form !== 'EDITOR',
  )

/** The name of a row, as code. */
export const rowNameCode = (slice: CrudModule, row = slice.entity): string => {
  const main = titleColumn(slice)
  if (!main) return `String(${row}.id)`
  return main.nullable ? `${row}.${main.key} ?? String(${row}.id)` : `${row}.${main.key}`
}

/** Imports of what cells and inputs use, in the order of their paths. */
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

/** The imports of ours that a text of elements needs. */
export const importsOf = (body: string): string[] => {
  const used = uiImports.filter(([name]) => new RegExp(`<${name}\\b`).test(body))
  return [...Map.groupBy(used, ([, path]) => path)].map(
    ([path, of]) => `import { ${of.map(([name]) => name).join(', ')} } from '${path}'`,
  )
}

/** Of antd, by name. */
export const antdImports = (body: string, names: readonly string[]): string[] =>
  names.filter((name) => new RegExp(`<${name}\\b`).test(body))

export const dictLabelsUsed = (body: string, columns: readonly CrudColumn[]): string[] =>
  columns.filter(({ wordsName }) => new RegExp(`\\b${wordsName}\\b`).test(body)).map((one) => one.wordsName)
