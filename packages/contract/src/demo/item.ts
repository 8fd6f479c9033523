import { z } from 'zod'
import { Id, Millis, queryBool, queryDate, queryId, queryInt, queryTexts } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints, exportLanguage } from '../export.ts'
import { field } from '../field.ts'
import { ById, ByIds, PageQuery, page, sortable } from '../page.ts'
import { nameText } from '../text-fields.ts'

// A small entity for the demo pages, managed like any other: visibility, versions, audit.

const id = field(Id, '示例编号', 'Item id')
const version = field(z.int(), '版本', 'Version')

/** Dictionary of the kinds; users can edit it. */
export const DEMO_KIND = 'demo_item_kind'
export const DEMO_TAGS = 10
/** Maximum characters of one tag. */
export const DEMO_TAG = 20
/** The maximum price, in fen. */
const MOST_FEN = 999_999_999

export const DemoItemRow = z.strictObject({
  id,
  imageId: field(Id.nullable(), '图片', 'Picture'),
  /** A link valid for its reader for ten minutes. */
  imageUrl: field(z.string().nullable(), '图片', 'Picture'),
  name: field(z.string(), '名称', 'Name'),
  /** An entry of the dictionary `demo_item_kind`. */
  kind: field(z.string(), '类别', 'Kind'),
  tags: field(z.array(z.string()), '标签', 'Tags'),
  url: field(z.string().nullable(), '链接', 'Address'),
  /** In fen, hundredths of a yuan. */
  price: field(z.int(), '价格', 'Price'),
  progress: field(z.int(), '进度', 'Progress'),
  icon: field(z.string().nullable(), '图标', 'Icon'),
  sort: field(z.int(), '排序', 'Order'),
  status: field(z.boolean(), '状态', 'Status'),
  startAt: field(Millis.nullable(), '开始时间', 'Begins'),
  deptId: field(Id, '所属部门', 'Department'),
  deptName: field(z.string(), '所属部门', 'Department'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type DemoItemRow = z.output<typeof DemoItemRow>

export const DemoItemDraft = DemoItemRow.omit({ ...generatedColumns, imageUrl: true, deptName: true }).extend({
  name: field(nameText(50), '名称', 'Name'),
  kind: field(z.string().min(1).max(100), '类别', 'Kind'),
  tags: field(z.array(z.string().trim().min(1).max(DEMO_TAG)).max(DEMO_TAGS), '标签', 'Tags'),
  url: field(
    z
      .url({ protocol: /^https?$/ })
      .max(200)
      .nullable(),
    '链接',
    'Address',
  ),
  price: field(z.int().min(0).max(MOST_FEN), '价格', 'Price'),
  progress: field(z.int().min(0).max(100), '进度', 'Progress'),
  icon: field(z.string().max(100).nullable(), '图标', 'Icon'),
  sort: field(z.int().min(0).max(100_000), '排序', 'Order'),
  remark: field(z.string().trim().max(500).nullable(), '备注', 'Remark'),
})
export type DemoItemDraft = z.output<typeof DemoItemDraft>

const DemoItemNew = DemoItemDraft.partial().required({ name: true, kind: true })
export type DemoItemNew = z.output<typeof DemoItemNew>
export const DemoItemEdit = DemoItemDraft.partial().extend({ id, version: version.optional() })
export type DemoItemEdit = z.output<typeof DemoItemEdit>

export const DemoItemQuery = PageQuery.extend({
  name: field(z.string().max(50).optional(), '名称', 'Name'),
  kind: field(z.string().max(100).optional(), '类别', 'Kind'),
  /** Its tags include all of these. */
  tag: field(queryTexts(20).optional(), '标签', 'Tags'),
  status: field(queryBool.optional(), '状态', 'Status'),
  deptId: field(queryId.optional(), '所属部门', 'Department'),
  least: field(queryInt(0, 100).optional(), '进度不低于', 'Progress from'),
  from: field(queryDate.optional(), '开始时间起', 'Begins from'),
  to: field(queryDate.optional(), '开始时间止', 'Begins until'),
  orderBy: sortable(['name', 'price', 'progress', 'sort', 'startAt', 'createTime']),
})
export type DemoItemQuery = z.output<typeof DemoItemQuery>

/** The columns of the spreadsheet in order; an import reads the same columns by their headings. */
export const demoSheetFields = ['name', 'kind', 'tags', 'url', 'price', 'progress', 'sort', 'status', 'remark'] as const
export const DEMO_IMPORT_ROWS = 1000

export const DemoImported = z.strictObject({
  /** None when a line is invalid: all or nothing. */
  created: field(z.int(), '新增', 'Created'),
  wrong: field(
    z.array(z.strictObject({ line: z.int(), field: z.string().nullable(), message: z.string() })),
    '错误',
    'Wrong lines',
  ),
})
export type DemoImported = z.output<typeof DemoImported>

const item = (verb: string) => ({ kind: 'json', permission: `demo:item:${verb}`, scope: 'dept' }) as const
const done = z.literal(true)

export const demoItems = {
  page: endpoint({
    ...item('query'),
    method: 'GET',
    path: '/demo/item/page',
    summary: '示例分页',
    summaryEn: 'Demo items, by page',
    query: DemoItemQuery,
    data: page(DemoItemRow),
  }),
  get: endpoint({
    ...item('query'),
    method: 'GET',
    path: '/demo/item/get',
    summary: '示例详情',
    summaryEn: 'One demo item',
    query: ById,
    data: DemoItemRow,
  }),
  create: endpoint({
    ...item('create'),
    method: 'POST',
    path: '/demo/item/create',
    summary: '新增示例',
    summaryEn: 'Add a demo item',
    body: DemoItemNew,
    data: Id,
  }),
  update: endpoint({
    ...item('update'),
    method: 'PUT',
    path: '/demo/item/update',
    summary: '修改示例',
    summaryEn: 'Change a demo item',
    body: DemoItemEdit,
    data: done,
  }),
  delete: endpoint({
    ...item('delete'),
    method: 'DELETE',
    path: '/demo/item/delete',
    summary: '删除示例',
    summaryEn: 'Delete a demo item',
    query: ById,
    data: done,
  }),
  deleteList: endpoint({
    ...item('delete'),
    method: 'DELETE',
    path: '/demo/item/delete-list',
    summary: '批量删除示例',
    summaryEn: 'Delete demo items, all or none',
    query: ByIds,
    data: done,
  }),
  import: endpoint({
    ...item('import'),
    kind: 'upload',
    method: 'POST',
    path: '/demo/item/import',
    summary: '导入示例',
    summaryEn: `Add the items of a sheet, at most ${DEMO_IMPORT_ROWS}, all or none`,
    files: { file: { title: '表格', titleEn: 'Sheet', bytes: 1024 * 1024 } },
    data: DemoImported,
  }),
  template: endpoint({
    ...item('import'),
    kind: 'file',
    method: 'GET',
    path: '/demo/item/get-import-template',
    summary: '示例导入模板',
    summaryEn: 'An empty sheet to import from',
    query: z.strictObject(exportLanguage),
    data: z.null(),
  }),
  ...exportEndpoints({
    permission: 'demo:item:export',
    scope: 'dept',
    path: '/demo/item',
    title: '示例',
    titleEn: 'Demo items',
    query: DemoItemQuery,
  }),
}
