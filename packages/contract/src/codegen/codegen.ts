import { z } from 'zod'
import { Id, queryRange } from '../codecs.ts'
import { auditFields } from '../audit-fields.ts'
import { field } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { nameText } from '../text-fields.ts'

/** The areas that may import what generated code needs: those after the administration, in their order. */
export const codegenAreas = [
  'school',
  'device',
  'security',
  'notify',
  'alarm',
  'police',
  'supervise',
  'announcement',
  'insight',
] as const
/** Visibility of rows: all callers, users of the department, users of the school. */
export const codegenVisibilities = ['OPEN', 'DEPT', 'SCHOOL'] as const
export type CodegenVisibility = (typeof codegenVisibilities)[number]
/** A paged list; a tree of rows with a `parent_id`; a child table, edited in the form of its parent. */
export const codegenTemplates = ['SINGLE', 'TREE', 'SUB'] as const
export type CodegenTemplate = (typeof codegenTemplates)[number]

/** The kind of a column. */
export const codegenKinds = ['TEXT', 'INT', 'BIGINT', 'FLOAT', 'BOOL', 'DAY', 'INSTANT', 'LIST'] as const
export type CodegenKind = (typeof codegenKinds)[number]
export const comparisons = ['EQ', 'NE', 'GT', 'GE', 'LT', 'LE'] as const
export const queryTypes = [...comparisons, 'LIKE', 'LIKE_LEFT', 'LIKE_RIGHT', 'IN', 'BETWEEN'] as const
export type QueryType = (typeof queryTypes)[number]
export const formTypes = [
  'INPUT',
  'TEXTAREA',
  'NUMBER',
  'SWITCH',
  'SELECT',
  'RADIO',
  'CHECKBOX',
  'DATE',
  'DATETIME',
  'IMAGE',
  'FILE',
  'EDITOR',
  'SCHOOL',
  'PARENT',
  'HIDDEN',
] as const
export type FormType = (typeof formTypes)[number]
/** Inputs that show an example while they are empty. */
export const exampleForms: ReadonlySet<FormType> = new Set(['INPUT', 'TEXTAREA', 'NUMBER', 'SELECT'])

/** Maximum configurable columns of a table, and how many of them a list, a form and a filter may show. */
export const MAX_COLUMNS = 64
export const MAX_LIST = 40
export const MAX_FORM = 20
export const MAX_QUERY = 10

/** A `numeric` number: its digits, and its decimal digits. */
export type Decimal = { digits: number; places: number }
/** The digits that a JSON number represents exactly. */
const MOST: Decimal = { digits: 15, places: 6 }

/** Digits of a `numeric` column; undefined for other types, and for columns that a JSON number would round. */
export const decimalOf = ({ dataType }: { dataType: string }): Decimal | undefined => {
  const [digits = 0, places = 0] = /^numeric\((\d+),(\d+)\)$/.exec(dataType)?.slice(1).map(Number) ?? []
  const fits = digits >= 1 && digits <= MOST.digits && places <= Math.min(MOST.places, digits)
  return fits ? { digits, places } : undefined
}

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
/** Part of permissions, which contain no digits. */
const identifier = /^[a-z][A-Za-z]*$/
/** Used as a JSX attribute unchanged. */
const example = /^[^"&<>{}\\\p{C}\p{Zl}\p{Zp}]+$/u

const naming = {
  title: field(nameText(20), '中文名称', 'Chinese name'),
  titleEn: field(nameText(40), '英文名称', 'English name'),
}

export const CodegenTable = z.strictObject({
  id,
  tableName: field(z.string(), '表名称', 'Table'),
  comment: field(z.string().nullable(), '表描述', 'Comment'),
  title: field(z.string(), '中文名称', 'Chinese name'),
  titleEn: field(z.string(), '英文名称', 'English name'),
  area: field(z.enum(codegenAreas), '业务模块', 'Area'),
  entity: field(z.string(), '实体名', 'Entity'),
  sight: field(z.enum(codegenVisibilities), '数据可见范围', 'Sight'),
  /** The screen name of the directory of its menu entry; null at the top. */
  menuUnder: field(z.string().nullable(), '上级菜单', 'Menu under'),
  template: field(z.enum(codegenTemplates), '生成模板', 'Template'),
  /** Of a SUB: the column that refers to the row of the main table. */
  joinColumn: field(z.string().nullable(), '关联字段', 'Joined by'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type CodegenTable = z.output<typeof CodegenTable>

export const CodegenColumn = z.strictObject({
  id,
  columnName: field(z.string(), '字段列名', 'Column'),
  dataType: field(z.string(), '物理类型', 'Type'),
  kind: field(z.enum(codegenKinds), '数据种类', 'Kind'),
  length: field(z.int().nullable(), '最大长度', 'Length'),
  nullable: field(z.boolean(), '允许空', 'Nullable'),
  /** The default of the database as SQL: a constant or the current time. */
  preset: field(z.string().nullable(), '默认值', 'Default'),
  single: field(z.boolean(), '唯一', 'Unique'),
  /** The table it refers to. */
  refers: field(z.string().nullable(), '引用', 'Refers to'),
  /** The only allowed values. */
  words: field(z.array(z.string()), '取值', 'Words'),
  comment: field(z.string().nullable(), '字段描述', 'Comment'),
  title: field(z.string(), '中文名称', 'Chinese name'),
  titleEn: field(z.string(), '英文名称', 'English name'),
  inList: field(z.boolean(), '列表', 'In the list'),
  inCreate: field(z.boolean(), '新增', 'Created with'),
  inUpdate: field(z.boolean(), '修改', 'Edited'),
  inQuery: field(z.boolean(), '查询', 'In the query'),
  required: field(z.boolean(), '必填', 'Required'),
  queryType: field(z.enum(queryTypes), '查询方式', 'Operator'),
  formType: field(z.enum(formTypes), '显示类型', 'Form type'),
  dictType: field(z.string().nullable(), '字典类型', 'Dictionary'),
  /** The placeholder of an empty input. */
  example: field(z.string().nullable(), '示例', 'Example'),
  sort: field(z.int(), '排序', 'Order'),
})
export type CodegenColumn = z.output<typeof CodegenColumn>

export const CodegenTableDraft = CodegenTable.pick({
  area: true,
  sight: true,
  template: true,
}).extend({
  ...naming,
  menuUnder: field(z.string().min(1).max(100).nullable(), '上级菜单', 'Menu under'),
  joinColumn: field(z.string().max(63).nullable(), '关联字段', 'Joined by'),
  entity: field(z.string().min(2).max(24).regex(identifier), '实体名', 'Entity'),
  remark: field(z.string().trim().max(500).nullable(), '备注', 'Remark'),
})
export type CodegenTableDraft = z.output<typeof CodegenTableDraft>

export const CodegenColumnEdit = CodegenColumn.pick({
  id: true,
  inList: true,
  inCreate: true,
  inUpdate: true,
  inQuery: true,
  required: true,
  queryType: true,
  formType: true,
}).extend({
  ...naming,
  dictType: field(z.string().min(1).max(60).nullable(), '字典类型', 'Dictionary'),
  example: field(z.string().trim().max(50).regex(example).nullable(), '示例', 'Example'),
  sort: field(z.int().min(0).max(1000), '排序', 'Order'),
})
export type CodegenColumnEdit = z.output<typeof CodegenColumnEdit>

export const CodegenEdit = z.strictObject({
  id,
  version,
  table: field(CodegenTableDraft, '基本信息', 'Table'),
  columns: field(z.array(CodegenColumnEdit).min(1).max(MAX_COLUMNS), '字段信息', 'Columns'),
})
export type CodegenEdit = z.output<typeof CodegenEdit>

export const CodegenDetail = z.strictObject({
  table: field(CodegenTable, '基本信息', 'Table'),
  columns: field(z.array(CodegenColumn), '字段信息', 'Columns'),
})
export type CodegenDetail = z.output<typeof CodegenDetail>

/** A column of an unsupported type (document, list of numbers): generated code neither shows nor writes it. */
export const CodegenExcludedColumn = CodegenColumn.pick({
  columnName: true,
  dataType: true,
  nullable: true,
  preset: true,
  comment: true,
})
export type CodegenExcludedColumn = z.output<typeof CodegenExcludedColumn>
/** With the excluded columns as the database has them now. */
export const CodegenFullDetail = CodegenDetail.extend({
  /** Read-only module: lists, reads and exports rows; only calls of another area change them. */
  looked: field(z.boolean(), '只查询', 'Read only'),
  leftOut: field(z.array(CodegenExcludedColumn), '未纳入的字段', 'Columns left out'),
})
export type CodegenFullDetail = z.output<typeof CodegenFullDetail>

export const CodegenQuery = PageQuery.extend({
  tableName: field(z.string().max(63).optional(), '表名称', 'Table'),
  title: field(z.string().max(50).optional(), '名称', 'Name'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
  orderBy: sortable(['tableName', 'title', 'createTime', 'updateTime']),
})
export type CodegenQuery = z.output<typeof CodegenQuery>

export const codegenProblems = ['ID', 'TYPE', 'DIGITS', 'GIVEN', 'NAME', 'SECRET', 'RULE', 'SIZE'] as const
export type CodegenProblem = (typeof codegenProblems)[number]
/** A table of the database that can be imported, or the reason why not. */
export const DbTable = z.strictObject({
  name: field(z.string(), '表名称', 'Table'),
  comment: field(z.string().nullable(), '表描述', 'Comment'),
  /** The project has a module of its own for it. */
  product: field(z.boolean(), '系统自带', 'Of the product'),
  /** Its rows can only be listed and read. */
  looked: field(z.boolean(), '只查询', 'Read only'),
  /** The reason why it cannot be imported, with its details. */
  problem: field(z.enum(codegenProblems).nullable(), '问题', 'Problem'),
  detail: field(z.string().nullable(), '说明', 'Detail'),
})
export type DbTable = z.output<typeof DbTable>

/** A directory of the menu for the new entry. */
export const CodegenMenu = z.strictObject({
  id,
  parentId: field(Id.nullable(), '上级菜单', 'Parent'),
  name: field(z.string(), '菜单名称', 'Menu name'),
  nameEn: field(z.string(), '英文名称', 'English name'),
  componentName: field(z.string(), '组件名字', 'Screen name'),
})
export type CodegenMenu = z.output<typeof CodegenMenu>

export const codegenChanges = ['ADDED', 'REMOVED', 'CHANGED'] as const
/** A difference between a column of the database and its import. */
export const CodegenChange = z.strictObject({
  columnName: field(z.string(), '字段列名', 'Column'),
  change: field(z.enum(codegenChanges), '变化', 'Change'),
  before: field(z.string().nullable(), '原来', 'Before'),
  after: field(z.string().nullable(), '现在', 'Now'),
})
export type CodegenChange = z.output<typeof CodegenChange>

export const CodegenFile = z.strictObject({
  filePath: field(z.string(), '文件路径', 'Path'),
  code: field(z.string(), '代码', 'Code'),
  /** A registry of the project with new lines; otherwise a new file. */
  list: field(z.boolean(), '清单文件', 'A list'),
})
export type CodegenFile = z.output<typeof CodegenFile>
