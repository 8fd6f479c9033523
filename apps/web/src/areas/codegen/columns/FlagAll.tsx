import { type CodegenColumn, type CodegenTemplate } from '@tocsin/contract/codegen/codegen'
import { formTypesOf, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import { Checkbox, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Flag, Values } from './columns-form.ts'

type Settings = Values['columns'][number]
type Asked = { column: CodegenColumn; chosen: Settings; template: CodegenTemplate; joined: boolean }

/** Whether the checkbox of a column can be changed. */
const isOpen = (flag: Flag, { column, chosen, template, joined }: Asked): boolean => {
  const shape = { ...column, dictType: chosen.dictType }
  const inForm = !(template === 'SUB' && joined) && formTypesOf(shape, template).length > 0
  switch (flag) {
    case 'inList':
      // A rich text is read in the detail or not at all.
      return !(chosen.formType === 'EDITOR' && (chosen.inCreate || chosen.inUpdate))
    case 'inQuery':
      return queryTypesOf(shape).length > 0
    case 'required':
      return inForm && column.nullable && chosen.formType !== 'HIDDEN'
    default:
      return inForm
  }
}

/** One checkbox for the checkboxes of all columns. */
export const FlagAll = ({ flag, columns, title }: { flag: Flag; columns: readonly CodegenColumn[]; title: string }) => {
  const { t } = useTranslation()
  const form = Form.useFormInstance<Values>()
  const values = Form.useWatch<Values | undefined>([], { form, preserve: true })
  const template = values?.table?.template ?? 'SINGLE'
  const open = columns.flatMap((column, at) => {
    const chosen = values?.columns?.[at]
    const joined = values?.table?.joinColumn === column.columnName
    return chosen && isOpen(flag, { column, chosen, template, joined }) ? [{ at, on: chosen[flag] }] : []
  })
  const on = open.filter((item) => item.on).length
  const turn = (checked: boolean) =>
    form.setFields(open.map(({ at }) => ({ name: ['columns', at, flag], value: checked, touched: true })))
  return (
    <Checkbox
      aria-label={`${t('codegen.every')}: ${title}`}
      disabled={open.length === 0}
      checked={open.length > 0 && on === open.length}
      indeterminate={on > 0 && on < open.length}
      onChange={({ target }) => turn(target.checked)}
    />
  )
}
