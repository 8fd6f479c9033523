import type { CodegenDetail } from '@tocsin/contract/codegen/codegen'

type Column = CodegenDetail['columns'][number]

/** The request that saves the settings as read, with the changes of a test. */
export const editOf = (
  { table, columns }: CodegenDetail,
  more: object = {},
  each: (column: Column) => object = () => ({}),
) => {
  const { id, version, area, sight, menuUnder, template, joinColumn, title, titleEn, entity, remark } = table
  return {
    id,
    version,
    table: { area, sight, menuUnder, template, joinColumn, title, titleEn, entity, remark, ...more },
    columns: columns.map((column) => {
      const { inList, inCreate, inUpdate, inQuery, required, queryType, formType, dictType, example, sort } = column
      const names = { id: column.id, title: column.title, titleEn: column.titleEn }
      const flags = { inList, inCreate, inUpdate, inQuery, required }
      return { ...names, ...flags, queryType, formType, dictType, example, sort, ...each(column) }
    }),
  }
}
