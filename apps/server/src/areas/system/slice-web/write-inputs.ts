import { fitted } from '../slice/layout.ts'
import type { SliceColumn } from '../slice/slice.ts'
import { choices, jsx, precisionOf } from './write-cells.ts'

const placeholder = ({ example }: SliceColumn): string => (example === null ? '' : ` placeholder="${example}"`)

const dictInput = (column: SliceColumn): string => {
  const { form, kind, dictType, nullable } = column
  if (form === 'HIDDEN') return '<Carried />'
  const type = `type="${dictType}"`
  if (form === 'RADIO') return `<DictRadio ${type} />`
  if (form === 'CHECKBOX') return `<DictChecks ${type} />`
  const several = kind === 'LIST' ? ' mode="multiple"' : ''
  return `<DictSelect ${type}${several}${nullable ? ' allowClear' : ''}${placeholder(column)} />`
}

type Place = { first: boolean; entity: string; label: string }

const plainInput = (column: SliceColumn, { first, entity, label }: Place): string => {
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
      return '<DayPick />'
    case 'DATETIME':
      return '<InstantPick />'
    case 'IMAGE':
      return `<KeptImage made={${entity}?.${fileKey}} />`
    case 'FILE':
      return `<KeptFile made={${entity}?.${fileKey}} />`
    case 'EDITOR':
      return `<RichEditor label={labelIn(lang, ${label}.shape.${key})} />`
    case 'SCHOOL':
      return '<SchoolChoice />'
    case 'HIDDEN':
      return '<Carried />'
    case 'PARENT':
      return `<ParentChoice rows={rows} moving={rows.find(({ id }) => id === ${entity}?.id)} />`
    default:
      return `<Input maxLength={${length ?? '10_000'}}${shown}${first ? ' autoFocus' : ''} />`
  }
}

/** One field of a form, labelled and checked by its schema. `row`: how the rows of a list are counted. */
export const fieldOf = (
  column: SliceColumn,
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
    fitted(`${indent}<Field ${attributes.join(' ')}>`, [
      `${indent}<Field`,
      ...attributes.map((one) => `${indent}  ${one}`),
      `${indent}>`,
    ]),
    jsx(`${indent}  `, input),
    `${indent}</Field>`,
  ].join('\n')
}
