import {
  type CodegenColumnEdit,
  type CodegenDetail,
  type CodegenEdit,
  type CodegenTemplate,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import type { FormInstance } from 'antd'

/** The settings of a column. */
export type Editable = Exclude<keyof CodegenColumnEdit, 'id'>
/** Boolean settings. */
export const flags = ['inList', 'inCreate', 'inUpdate', 'required', 'inQuery'] as const
export type Flag = (typeof flags)[number]
export const isFlag = (name: Editable): name is Flag => (flags as readonly Editable[]).includes(name)

/** The form values: columns in the order in which they were read. */
export type Values = Pick<CodegenEdit, 'table'> & { columns: Omit<CodegenEdit['columns'][number], 'id'>[] }

export const valuesOf = ({ table, columns }: CodegenDetail): Values => {
  const { title, titleEn, area, entity, sight, menuUnder, template, joinColumn, remark } = table
  return {
    table: { title, titleEn, area, entity, sight, menuUnder, template, joinColumn, remark },
    columns: columns.map((column) => ({
      title: column.title,
      titleEn: column.titleEn,
      inList: column.inList,
      inCreate: column.inCreate,
      inUpdate: column.inUpdate,
      inQuery: column.inQuery,
      required: column.required,
      queryType: column.queryType,
      formType: column.formType,
      dictType: column.dictType,
      example: column.example,
      sort: column.sort,
    })),
  }
}

/** Settings that do not apply to read-only tables. */
const written: readonly Editable[] = ['inCreate', 'inUpdate', 'required', 'formType', 'example']
export const isOffered = (name: Editable, looked: boolean): boolean => !looked || !written.includes(name)
const nothing = { inCreate: false, inUpdate: false, required: false }

/** All values of the version that was read. */
export const toEditBody = ({ table, columns }: CodegenDetail, values: Values, looked: boolean): CodegenEdit => ({
  id: table.id,
  version: table.version,
  table: {
    ...values.table,
    joinColumn: values.table.template === 'SUB' ? (values.table.joinColumn ?? null) : null,
    menuUnder: values.table.menuUnder ?? null,
    remark: values.table.remark || null,
  },
  columns: columns.flatMap(({ id }, at) => {
    const given = values.columns[at]
    const chosen = given && { ...given, ...(looked && nothing) }
    return chosen ? [{ ...chosen, id, dictType: chosen.dictType ?? null, example: chosen.example || null }] : []
  }),
})

/** `columns.3.title`, the field name in the form. */
export const toFormPath = (field: string): (string | number)[] =>
  field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

type Changed = { columns?: (Partial<Values['columns'][number]> | undefined)[] }

/**
 * Adding or removing a dictionary changes the possible inputs and operators: settings that no longer fit are replaced.
 */
export const fitInputsToDict = (form: FormInstance<Values>, { columns }: CodegenDetail, changed: Changed): void => {
  for (const [at, change] of (changed.columns ?? []).entries()) {
    const column = columns[at]
    if (!change || !column || !('dictType' in change)) continue
    const shape = { ...column, dictType: change.dictType ?? null }
    const [operator] = queryTypesOf(shape)
    const forms = formTypesOf(shape, form.getFieldValue(['table', 'template']) as CodegenTemplate)
    const fitting = forms.find((form) => (shape.dictType === null ? form === 'INPUT' : form === 'SELECT'))
    if (fitting) form.setFieldValue(['columns', at, 'formType'], fitting)
    if (operator) form.setFieldValue(['columns', at, 'queryType'], operator)
  }
}
