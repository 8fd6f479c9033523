import { z } from 'zod'
import { Id, queryRange } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { entityEndpoints } from '../audit/entity.ts'
import { field, pattern } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { SORT_MAX, Status, StatusFilter } from './wire-codecs.ts'
import { nameText } from '../text-fields.ts'

export const colorTypes = ['default', 'primary', 'success', 'info', 'warning', 'danger'] as const

const id = field(Id, '字典编号', 'Dictionary id')
const dataId = field(Id, '字典编码', 'Entry id')
const status = field(Status, '状态', 'Status')
const code = z
  .string()
  .max(100)
  .regex(
    pattern(
      /^[A-Za-z][A-Za-z0-9_]*$/,
      '字母开头的字母、数字或下划线，例如 device_state',
      'a letter followed by letters, digits or underscores, such as device_state',
    ),
  )
const remark = field(z.string().trim().max(500).nullable(), '备注', 'Remark')

export const DictTypeRow = z.strictObject({
  id,
  name: field(z.string(), '字典名称', 'Dictionary name'),
  /** Null: the name in either language. */
  nameEn: field(z.string().nullable(), '英文名称', 'English name'),
  type: field(z.string(), '字典类型', 'Dictionary type'),
  status,
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type DictTypeRow = z.output<typeof DictTypeRow>

export const DictTypeDraft = DictTypeRow.omit(generatedColumns).extend({
  name: field(nameText(100), '字典名称', 'Dictionary name'),
  nameEn: field(nameText(100).nullable(), '英文名称', 'English name'),
  type: field(code, '字典类型', 'Dictionary type'),
  remark,
})
export const DictTypeQuery = PageQuery.extend({
  name: field(z.string().max(100).optional(), '字典名称', 'Dictionary name'),
  type: field(z.string().max(100).optional(), '字典类型', 'Dictionary type'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
  orderBy: sortable(['name', 'type', 'status', 'createTime']),
})
export type DictTypeQuery = z.output<typeof DictTypeQuery>

export const DictDataRow = z.strictObject({
  id: dataId,
  sort: field(z.int(), '显示排序', 'Order'),
  label: field(z.string(), '数据标签', 'Label'),
  /** Null: the label in either language. */
  labelEn: field(z.string().nullable(), '英文标签', 'English label'),
  value: field(z.string(), '数据键值', 'Value'),
  dictType: field(z.string(), '字典类型', 'Dictionary type'),
  status,
  colorType: field(z.enum(colorTypes).nullable(), '颜色类型', 'Colour'),
  cssClass: field(z.string().nullable(), 'CSS Class', 'CSS class'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type DictDataRow = z.output<typeof DictDataRow>

/** A hex colour or class names (wire 6.2). */
const cssClass = z
  .string()
  .trim()
  .max(100)
  .regex(/^(?:#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z_-][\w-]*(?: [A-Za-z_-][\w-]*)*)$/)

export const DictDataDraft = DictDataRow.omit(generatedColumns).extend({
  sort: field(z.int().min(0).max(SORT_MAX), '显示排序', 'Order'),
  label: field(nameText(100), '数据标签', 'Label'),
  labelEn: field(nameText(100).nullable(), '英文标签', 'English label'),
  value: field(z.string().trim().min(1).max(100), '数据键值', 'Value'),
  dictType: field(code, '字典类型', 'Dictionary type'),
  cssClass: field(cssClass.nullable(), 'CSS Class', 'CSS class'),
  remark,
})
export const DictDataQuery = PageQuery.extend({
  dictType: field(z.string().max(100).optional(), '字典类型', 'Dictionary type'),
  label: field(z.string().max(100).optional(), '数据标签', 'Label'),
  value: field(z.string().max(100).optional(), '数据键值', 'Value'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
  orderBy: sortable(['label', 'value', 'sort', 'status', 'createTime']),
})
export type DictDataQuery = z.output<typeof DictDataQuery>

/** The browser caches for 60 s (SPEC 9): enabled entries of enabled types. */
export const DictEntry = DictDataRow.pick({
  dictType: true,
  value: true,
  label: true,
  labelEn: true,
  colorType: true,
  cssClass: true,
})
export type DictEntry = z.output<typeof DictEntry>

const dictTypeCalls = entityEndpoints({
  path: '/system/dict-type',
  permission: 'system:dict',
  scope: 'none',
  title: '字典类型',
  titleEn: 'dictionary',
  titlesEn: 'Dictionaries',
  row: DictTypeRow,
  draft: DictTypeDraft,
  optional: { nameEn: true, remark: true },
  query: DictTypeQuery,
  choice: { id: true, name: true, nameEn: true, type: true },
  verbs: ['deleteList', 'export'],
})
export const dictTypes = {
  ...dictTypeCalls,
  simpleList: endpoint({ ...dictTypeCalls.simpleList, also: [{ path: '/system/dict-type/list-all-simple' }] }),
}

const dictDataCalls = entityEndpoints({
  path: '/system/dict-data',
  permission: 'system:dict',
  scope: 'none',
  title: '字典数据',
  titleEn: 'entry',
  titlesEn: 'Entries',
  row: DictDataRow,
  draft: DictDataDraft,
  optional: { labelEn: true, colorType: true, cssClass: true, remark: true },
  query: DictDataQuery,
  verbs: ['deleteList', 'export'],
})
export const dictDatas = {
  ...dictDataCalls,
  // Both methods are enabled (wire 11.7).
  update: endpoint({
    ...dictDataCalls.update,
    method: 'POST',
    also: [{ method: 'PUT', path: '/system/dict-data/update' }],
  }),
  entries: endpoint({
    kind: 'json',
    permission: 'token',
    scope: 'none',
    method: 'GET',
    path: '/system/dict-data/simple-list',
    also: [{ path: '/system/dict-data/list-all-simple' }],
    summary: '全部字典数据',
    summaryEn: 'All entries in use, by dictionary and order',
    data: z.array(DictEntry),
  }),
}
