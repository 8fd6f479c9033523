import {
  type CodegenColumnEdit,
  type CodegenDetail,
  type CodegenEdit,
  type CodegenTemplate,
  formTypesOf,
  queryTypesOf,
} from '@tocsin/contract/codegen/codegen'
import type { FormInstance } from 'antd'

/** What is chosen for a column. */
export type Editable = Exclude<keyof CodegenColumnEdit, 'id'>
/** Yes or no. */
export const flags = ['inList', 'inCreate', 'inUpdate', 'required', 'inQuery'] as const
export type Flag = (typeof flags)[number]
export const isFlag = (name: Editable): name is Flag => (flags as readonly Editable[]).includes(name)

/** What the form holds: columns in the order they were read in. */
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

/** What nothing can be chosen for where rows are only looked at. */
const written: readonly Editable[] = ['inCreate', 'inUpdate', 'required', 'formType', 'example']
export const isOffered = (name: Editable, looked: boolean): boolean => !looked || !written.includes(name)
const nothing = { inCreate: false, inUpdate: false, required: false }

/** Everything as of the version that was read. */
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

/** `columns.3.title` as the form names it. */
export const toFormPath = (field: string): (string | number)[] =>
  field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

type Changed = { columns?: (Partial<Values['columns'][number]> | undefined)[] }

/** A dictionary that comes or goes changes how a column is filled in and searched by: what no longer fits gives way. */
export const fitInputsToDict = (form: FormInstance<Values>, { columns }: CodegenDetail, changed: Changed): void => {
  for (const [at, change] of (changed.columns ?? []).entries()) {
    const column = columns[at]
    if (!change || !column || !('dictType' in change)) continue
    const shape = { ...column, dictType: change.dictType ?? null }
    const [operator] = queryTypesOf(shape)
    const forms = formTypesOf(shape, form.getFieldValue(['table', 'template']) as CodegenTemplate)
    const fitting = forms.find((one) => (shape.dictType === null ? one === 'INPUT' : one === 'SELECT'))
    if (fitting) form.setFieldValue(['columns', at, 'formType'], fitting)
    if (operator) form.setFieldValue(['columns', at, 'queryType'], operator)
  }
}
