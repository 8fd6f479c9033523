import { wrapLine } from '../server/source-text.ts'
import type { CrudColumn } from '../server/crud-module.ts'
import { choices, jsx, precisionOf } from './write-cells.ts'

const placeholder = ({ example }: CrudColumn): string => (example === null ? '' : ` placeholder="${example}"`)

const dictInput = (column: CrudColumn): string => {
  const { form, kind, dictType, nullable } = column
  if (form === 'HIDDEN') return '<HiddenValue />'
  const type = `type="${dictType}"`
  if (form === 'RADIO') return `<DictRadio ${type} />`
  if (form === 'CHECKBOX') return `<DictCheckboxes ${type} />`
  const several = kind === 'LIST' ? ' mode="multiple"' : ''
  return `<DictSelect ${type}${several}${nullable ? ' allowClear' : ''}${placeholder(column)} />`
}

type Place = { first: boolean; entity: string; label: string }

const plainInput = (column: CrudColumn, { first, entity, label }: Place): string => {
  const { form, length, nullable, key, fileKey } = column
  const shown = placeholder(column)
  switch (form) {
    case 'TEXTAREA':
      return `<Input.TextArea maxLength={${length ?? '10_000'}}${shown} showCount autoSize={{ minRows: 2 }} />`
    case 'NUMBER':
      return `<InputNumber${precisionOf(column)}${shown} style={{ width: '100%' }} />`
    case 'SWITCH':
      return '<Switch />'
    case 'CHECKBOX':
      return '<Checkbox />'
    case 'SELECT':
      return `<Select${nullable ? ' allowClear' : ''}${shown} ${choices(column)} />`
    case 'RADIO':
      return `<Radio.Group ${choices(column)} />`
    case 'DATE':
      return '<DayPicker />'
    case 'DATETIME':
      return '<InstantPicker />'
    case 'IMAGE':
      return `<StoredImageField made={${entity}?.${fileKey}} />`
    case 'FILE':
      return `<StoredFileField made={${entity}?.${fileKey}} />`
    case 'EDITOR':
      return `<RichEditor label={labelIn(lang, ${label}.shape.${key})} />`
    case 'SCHOOL':
      return '<SchoolSelect />'
    case 'HIDDEN':
      return '<HiddenValue />'
    case 'PARENT':
      return `<ParentSelect rows={rows} moving={rows.find(({ id }) => id === ${entity}?.id)} />`
    default:
      return `<Input maxLength={${length ?? '10_000'}}${shown}${first ? ' autoFocus' : ''} />`
  }
}

/** Emits one field of a form, labelled and validated by its schema. `row`: the index expression of list rows. */
export const formFieldCode = (
  column: CrudColumn,
  { of, entity, first, indent, row }: { of: string; entity: string; first: boolean; indent: string; row?: string },
): string => {
  const hidden = column.form === 'HIDDEN'
  const checked = column.kind === 'BOOL' && !hidden
  const input = column.dictType === null ? plainInput(column, { first, entity, label: of }) : dictInput(column)
  const attributes = [
    `of={${of}}`,
    `name="${column.key}"`,
    ...(row ? [`row={${row}}`] : []),
    ...(checked ? ['valuePropName="checked"'] : []),
    ...(hidden ? ['hidden'] : []),
  ]
  return [
    wrapLine(`${indent}<Field ${attributes.join(' ')}>`, [
      `${indent}<Field`,
      ...attributes.map((attribute) => `${indent}  ${attribute}`),
      `${indent}>`,
    ]),
    jsx(`${indent}  `, input),
    `${indent}</Field>`,
  ].join('\n')
}
