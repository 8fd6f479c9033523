import { z } from 'zod'
import { Id, queryRange } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { entityEndpoints } from '../entity.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, ByIds, PageQuery, page } from '../page.ts'
import { SORT_MAX, Status, StatusFilter } from './wire-codecs.ts'
import { nameText } from '../text-fields.ts'

export const colorTypes = ['default', 'primary', 'success', 'info', 'warning', 'danger'] as const

const id = field(Id, '字典编号', 'Dictionary id')
const dataId = field(Id, '字典编码', 'Entry id')
const version = field(z.int().optional(), '版本', 'Version')
const status = field(Status, '状态', 'Status')
const code = z
  .string()
  .max(100)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/)
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
const DictDataNew = DictDataDraft.partial({ labelEn: true, colorType: true, cssClass: true, remark: true })
export type DictDataNew = z.output<typeof DictDataNew>
const DictDataEdit = DictDataDraft.partial().extend({ id: dataId, version })
export type DictDataEdit = z.output<typeof DictDataEdit>

export const DictDataQuery = PageQuery.extend({
  dictType: field(z.string().max(100).optional(), '字典类型', 'Dictionary type'),
  label: field(z.string().max(100).optional(), '数据标签', 'Label'),
  value: field(z.string().max(100).optional(), '数据键值', 'Value'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
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

const dict = (verb: string) => ({ kind: 'json', permission: `system:dict:${verb}`, scope: 'none' }) as const

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

export const dictDatas = {
  simpleList: endpoint({
    ...dict('query'),
    permission: 'token',
    method: 'GET',
    path: '/system/dict-data/simple-list',
    also: [{ path: '/system/dict-data/list-all-simple' }],
    summary: '全部字典数据',
    summaryEn: 'All entries in use, by dictionary and order',
    data: z.array(DictEntry),
  }),
  page: endpoint({
    ...dict('query'),
    method: 'GET',
    path: '/system/dict-data/page',
    summary: '字典数据分页',
    summaryEn: 'Entries, by page',
    query: DictDataQuery,
    data: page(DictDataRow),
  }),
  get: endpoint({
    ...dict('query'),
    method: 'GET',
    path: '/system/dict-data/get',
    summary: '字典数据详情',
    summaryEn: 'One entry',
    query: ById,
    data: DictDataRow,
  }),
  create: endpoint({
    ...dict('create'),
    method: 'POST',
    path: '/system/dict-data/create',
    summary: '新增字典数据',
    summaryEn: 'Create an entry',
    body: DictDataNew,
    data: Id,
  }),
  update: endpoint({
    ...dict('update'),
    method: 'POST',
    path: '/system/dict-data/update',
    // Both are enabled (wire 11.7).
    also: [{ method: 'PUT', path: '/system/dict-data/update' }],
    summary: '修改字典数据',
    summaryEn: 'Change an entry',
    body: DictDataEdit,
    row: DictDataRow,
    data: z.literal(true),
  }),
  deleteList: endpoint({
    ...dict('delete'),
    method: 'DELETE',
    path: '/system/dict-data/delete-list',
    summary: '批量删除字典数据',
    summaryEn: 'Delete entries, all or none',
    query: ByIds,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...dict('delete'),
    method: 'DELETE',
    path: '/system/dict-data/delete',
    summary: '删除字典数据',
    summaryEn: 'Delete an entry',
    query: ById,
    data: z.literal(true),
  }),
  ...exportEndpoints({
    permission: 'system:dict:export',
    scope: 'none',
    path: '/system/dict-data',
    title: '字典数据',
    titleEn: 'Entries',
    query: DictDataQuery,
  }),
}
