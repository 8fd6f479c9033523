import type { CodegenColumn, CodegenDetail } from '@tocsin/contract/codegen/codegen'
import { describe, expect, it } from 'vitest'
import { type Values, valuesOf } from '../columns/columns-form.ts'
import { flattenForm, mergeColumns, toFormFields, withDependentFields } from './merge-columns.ts'

const at = new Date(0)
const column = (id: number, sort: number, more: Partial<CodegenColumn> = {}): CodegenColumn => ({
  id,
  columnName: `c${id}`,
  dataType: 'text',
  kind: 'TEXT',
  length: null,
  nullable: true,
  preset: null,
  single: false,
  refers: null,
  words: [],
  comment: null,
  title: `字段${id}`,
  titleEn: `Column ${id}`,
  inList: true,
  inCreate: true,
  inUpdate: true,
  inQuery: false,
  required: false,
  queryType: 'LIKE',
  formType: 'INPUT',
  dictType: null,
  example: null,
  sort,
  ...more,
})
const detail = (columns: CodegenColumn[], title = '登记', version = 1): CodegenDetail => ({
  table: {
    id: 1,
    tableName: 'pass',
    comment: null,
    title,
    titleEn: 'Pass',
    area: 'school',
    entity: 'pass',
    sight: 'OPEN',
    menuUnder: null,
    template: 'SINGLE',
    joinColumn: null,
    remark: null,
    version,
    createTime: at,
    creator: 1,
    updateTime: at,
    updater: 1,
  },
  columns,
})

/** The form values after the merged values were set. */
const written = (values: Values, of: CodegenDetail, flat: Record<string, unknown>): Values => {
  const next = structuredClone(values)
  for (const { name, value } of toFormFields(of, flat)) {
    const [part, item = '', field = ''] = name
    if (part === 'table') Object.assign(next.table, { [item]: value })
    else Object.assign((next.columns[Number(item)] ??= {} as Values['columns'][number]), { [field]: value })
  }
  return next
}

const begun = detail([column(1, 0), column(2, 1), column(3, 2)])
const base = flattenForm(begun, valuesOf(begun))
const typed = (change: (values: Values) => void): Values => {
  const values = valuesOf(begun)
  change(values)
  return values
}

describe('a table that another user configured during the edit', () => {
  it('takes remote values where nothing was changed locally, and keeps local changes', () => {
    const mine = typed((values) => {
      values.table.title = '我的'
      Object.assign(values.columns[0] ?? {}, { inList: false, title: '甲' })
    })
    const his = detail([column(1, 0, { title: '乙', inQuery: true }), column(2, 1), column(3, 2)], '登记', 2)
    const {
      next,
      merged: followed,
      conflicting: differing,
    } = mergeColumns(base, flattenForm(begun, mine), { detail: his })
    expect(followed).toEqual(['columns.1.inQuery'])
    expect(differing).toEqual(['columns.1.title'])
    const { table, columns } = written(mine, his, next)
    expect(table.title).toBe('我的')
    expect(columns[0]).toMatchObject({ inList: false, title: '甲', inQuery: true })
  })

  it('keeps local settings with their columns when the remote order differs', () => {
    const mine = typed((values) => Object.assign(values.columns[2] ?? {}, { title: '丙' }))
    const his = detail([column(3, 0), column(1, 1), column(2, 2)], '登记', 2)
    const {
      next,
      merged: followed,
      conflicting: differing,
    } = mergeColumns(base, flattenForm(begun, mine), { detail: his })
    expect([followed, differing]).toEqual([['order'], []])
    const { columns } = written(mine, his, next)
    expect(columns.map(({ title, sort }) => [title, sort])).toEqual([
      ['丙', 0],
      ['字段1', 1],
      ['字段2', 2],
    ])
  })

  it('reports columns that both users moved, and adds new ones', () => {
    const mine = typed(({ columns }) => [2, 0, 1].forEach((sort, n) => Object.assign(columns[n] ?? {}, { sort })))
    const his = detail([column(2, 0), column(1, 1), column(4, 2)], '登记', 2)
    const { next, theirs, conflicting: differing } = mergeColumns(base, flattenForm(begun, mine), { detail: his })
    expect(differing).toEqual(['order'])
    expect(theirs['order']).toBe('2,1,4')
    const { columns } = written({ ...mine, columns: [] }, his, next)
    expect(columns.map(({ title, sort }) => [title, sort])).toEqual([
      ['字段2', 0],
      ['字段1', 2],
      ['字段4', 5],
    ])
  })

  it('still reports open conflicts at the next merge', () => {
    const mine = typed((values) => (values.table.title = '我的'))
    const first = mergeColumns(base, flattenForm(begun, mine), { detail: detail(begun.columns, '他的', 2) })
    const again = detail(begun.columns, '他的', 3)
    const { conflicting: differing } = mergeColumns(first.theirs, flattenForm(begun, mine), {
      detail: again,
      before: first.conflicting,
    })
    expect(differing).toEqual(['table.title'])
  })

  it('is taken together when one setting depends on another', () => {
    const both = ['columns.7.dictType', 'columns.7.formType', 'columns.7.queryType']
    expect(withDependentFields(['columns.7.queryType', 'table.title', 'columns.7.formType'])).toEqual([
      ...both,
      'table.title',
    ])
    expect(withDependentFields(['columns.7.title', 'order'])).toEqual(['columns.7.title', 'order'])
  })
})
