import { file, fitted, importing } from './layout.ts'
import type { Slice, SliceColumn } from './slice.ts'
import { choices } from './write-page.ts'

const input = (column: SliceColumn, first: boolean): string => {
  const { form, dictType, length, nullable, kind } = column
  const focus = first ? ' autoFocus' : ''
  const clear = nullable ? ' allowClear' : ''
  switch (form) {
    case 'TEXTAREA':
      return `<Input.TextArea maxLength={${length ?? '10_000'}} showCount autoSize={{ minRows: 2 }} />`
    case 'NUMBER':
      return `<InputNumber${kind === 'FLOAT' ? '' : ' precision={0}'} style={{ width: '100%' }} />`
    case 'SWITCH':
      return '<Switch />'
    case 'SELECT':
      return dictType === null ? `<Select${clear} ${choices(column)} />` : `<DictSelect type="${dictType}"${clear} />`
    case 'RADIO':
      return dictType === null ? `<Radio.Group ${choices(column)} />` : `<DictSelect type="${dictType}"${clear} />`
    case 'DATE':
      return '<DayPick />'
    case 'DATETIME':
      return '<InstantPick />'
    case 'SCHOOL':
      return '<SchoolChoice />'
    default:
      return `<Input maxLength={${length ?? '10_000'}}${focus} />`
  }
}

const fieldOf = ({ type }: Slice, column: SliceColumn, first: boolean): string => {
  const checked = column.form === 'SWITCH' ? ' valuePropName="checked"' : ''
  const element = input(column, first)
  const opening = `      <Field of={${type}Draft} name="${column.key}"${checked}>`
  return [
    fitted(opening, [
      '      <Field',
      `        of={${type}Draft}`,
      `        name="${column.key}"`,
      ...(checked ? ['        valuePropName="checked"'] : []),
      '      >',
    ]),
    fitted(`        ${element}`, [
      `        ${element.slice(0, element.indexOf(' options='))}`.replace(
        /<([\w.]+) allowClear$/,
        '<$1\n          allowClear',
      ),
      `          ${element.slice(element.indexOf('options='), -3)}`,
      '        />',
    ]),
    '      </Field>',
  ].join('\n')
}

/** What a new row begins with: a switch that nobody touched says no. */
const initial = (columns: readonly SliceColumn[]): string => {
  const off = columns.filter(({ form }) => form === 'SWITCH').map(({ key, preset }) => `${key}: ${preset === 'true'}`)
  return off.length > 0 ? `{ ${off.join(', ')} }` : '{}'
}

/** The form, for a new row and for one that is there. */
export const writeDrawer = (slice: Slice): string => {
  const { type, entity, set, module, columns } = slice
  const inForm = columns.filter(({ form }) => form)
  const fields = inForm.map((column, at) => fieldOf(slice, column, at === 0))
  const body = fields.join('\n')
  const uses = (name: string) => new RegExp(`<${name}\\b`).test(body)
  const antd = ['Input', 'InputNumber', 'Radio', 'Select', 'Switch'].filter(uses)
  const words = inForm
    .filter(({ wordsName }) => new RegExp(`\\b${wordsName}\\b`).test(body))
    .map((one) => one.wordsName)
  const props = `{ ${entity}, onClose }: { ${entity}: ${type} | undefined; onClose: () => void }`
  const values = initial(inForm)
  return file(
    importing([`type ${type}`, `${type}Draft`, set, ...words], `@tocsin/contract/${module}`),
    antd.length > 0 && importing(antd, 'antd'),
    "import { useTranslation } from 'react-i18next'",
    importing(['useWrite'], '#api/query.ts'),
    importing(['EditDrawer'], '#areas/system/EditDrawer.tsx'),
    uses('DayPick') && importing(['DayPick'], '#ui/dates/DayPick.tsx'),
    uses('InstantPick') && importing(['InstantPick'], '#ui/dates/InstantPick.tsx'),
    uses('DictSelect') && importing(['DictSelect'], '#ui/dict/DictSelect.tsx'),
    importing(['Field'], '#ui/Field.tsx'),
    importing(['draftOf'], '#ui/form.ts'),
    importing(['notify'], '#ui/notify.ts'),
    uses('SchoolChoice') && importing(['SchoolChoice'], '#ui/SchoolChoice.tsx'),
    '',
    '/** Creates a row, or changes the given one as of the version that was read. */',
    fitted(`export const ${type}Drawer = (${props}) => {`, [
      `export const ${type}Drawer = ({`,
      `  ${entity},`,
      '  onClose,',
      '}: {',
      `  ${entity}: ${type} | undefined`,
      '  onClose: () => void',
      '}) => {',
    ]),
    '  const { t } = useTranslation()',
    `  const create = useWrite(${set}.create, { fieldsInline: true })`,
    `  const update = useWrite(${set}.update, { fieldsInline: true })`,
    '  const save = async (values: Record<string, unknown>) => {',
    `    const draft = draftOf(${type}Draft, values)`,
    ...saving(entity),
    '    else await create.mutateAsync({ body: draft })',
    `    notify.success(t(${entity} ? 'list.saved' : 'list.created'))`,
    '  }',
    '  return (',
    '    <EditDrawer',
    `      title={t(${entity} ? '${entity}.edit' : '${entity}.new')}`,
    ...initialLines(entity, values),
    '      save={save}',
    '      onClose={onClose}',
    '    >',
    body,
    '    </EditDrawer>',
    '  )',
    '}',
  )
}

const saving = (entity: string): string[] => {
  const body = `body: { ...draft, id: ${entity}.id, version: ${entity}.version }`
  const then = `await update.mutateAsync({ ${body} })`
  const own = fitted(`      ${then}`, ['      await update.mutateAsync({', `        ${body},`, '      })'])
  return [fitted(`    if (${entity}) ${then}`, [`    if (${entity})`, own])]
}

const initialLines = (entity: string, values: string): string[] => [
  fitted(`      initialValues={${entity} ?? ${values}}`, [
    '      initialValues={',
    `        ${entity} ?? {`,
    ...values
      .slice(2, -2)
      .split(', ')
      .map((one) => `          ${one},`),
    '        }',
    '      }',
  ]),
]
