import { z } from 'zod'
import { Id, Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field, pattern } from '../../field.ts'
import { ById } from '../../page.ts'
import { Move, ParentId, SORT_MAX, Status, StatusFilter } from '../../settings/wire-codecs.ts'
import { nameText } from '../../text-fields.ts'

export const menuTypes = ['DIR', 'MENU', 'BUTTON', 'LINK'] as const
export type MenuType = (typeof menuTypes)[number]

/** 1 directory, 2 menu, 3 button; an external link is a 2 whose path is an address (wire 11.1). */
export const MenuKind = z.codec(z.literal([1, 2, 3]), z.enum(menuTypes), {
  decode: (number) => (['DIR', 'MENU', 'BUTTON'] as const)[number - 1] ?? 'MENU',
  encode: (word) => (word === 'DIR' ? 1 : word === 'BUTTON' ? 3 : 2),
})

/** The permission of calls and of the console's buttons: `area:entity:verb`. */
export const MenuPermission = z
  .string()
  .max(100)
  .regex(
    pattern(
      /^[A-Za-z0-9_-]+(?::[A-Za-z0-9_-]+)*$/,
      '冒号分隔的字母、数字、- 或 _，例如 system:user:create',
      'words separated by colons, such as system:user:create',
    ),
  )

const id = field(Id, '菜单编号', 'Menu id')
const text = (max: number) => z.string().trim().max(max).nullable()

const fields = z.strictObject({
  name: field(nameText(50), '菜单名称', 'Menu name'),
  /** Absent: the Chinese name is used. */
  nameEn: field(nameText(50), '英文名称', 'English name'),
  type: field(MenuKind, '菜单类型', 'Type'),
  parentId: field(ParentId, '上级菜单', 'Parent'),
  permission: field(MenuPermission.nullable(), '权限标识', 'Permission'),
  path: field(text(200), '路由地址', 'Path'),
  component: field(text(200), '组件地址', 'Screen'),
  componentName: field(text(100), '组件名字', 'Screen name'),
  redirect: field(text(200), '跳转路由', 'Redirect'),
  icon: field(text(100), '菜单图标', 'Icon'),
  sort: field(z.int().min(0).max(SORT_MAX), '显示排序', 'Order'),
  status: field(Status, '菜单状态', 'Status'),
  visible: field(z.boolean(), '显示状态', 'Visible'),
  keepAlive: field(z.boolean(), '缓存状态', 'Kept alive'),
  alwaysShow: field(z.boolean(), '总是显示', 'Always shown'),
})

export const MenuRow = fields.extend({
  id,
  createTime: field(Millis, '创建时间', 'Created'),
  version: field(z.int(), '版本', 'Version'),
})
export type MenuRow = z.output<typeof MenuRow>

export const MenuDraft = fields.partial().required({ name: true, type: true, parentId: true, sort: true })
export type MenuDraft = z.output<typeof MenuDraft>
export const MenuEdit = fields
  .extend({ version: field(z.int(), '版本', 'Version') })
  .partial()
  .extend({ id })
export type MenuEdit = z.output<typeof MenuEdit>

export const MenuQuery = z.strictObject({
  name: field(z.string().max(50).optional(), '菜单名称', 'Menu name'),
  status: field(StatusFilter.optional(), '状态', 'Status'),
})
export type MenuQuery = z.output<typeof MenuQuery>

const menu = (verb: string) => ({ kind: 'json', permission: `system:menu:${verb}`, scope: 'none' }) as const

export const menus = {
  list: endpoint({
    ...menu('query'),
    method: 'GET',
    path: '/system/menu/list',
    summary: '菜单列表',
    summaryEn: 'Menu entries',
    query: MenuQuery,
    data: z.array(MenuRow),
  }),
  simpleList: endpoint({
    ...menu('query'),
    permission: 'token',
    method: 'GET',
    path: '/system/menu/simple-list',
    also: [{ path: '/system/menu/list-all-simple' }],
    summary: '菜单选项',
    summaryEn: 'Menu entries to choose from: enabled up to the top',
    data: z.array(z.strictObject({ id: Id, name: z.string(), nameEn: z.string(), parentId: ParentId, type: MenuKind })),
  }),
  get: endpoint({
    ...menu('query'),
    method: 'GET',
    path: '/system/menu/get',
    summary: '菜单详情',
    summaryEn: 'One menu entry',
    query: ById,
    data: MenuRow,
  }),
  create: endpoint({
    ...menu('create'),
    method: 'POST',
    path: '/system/menu/create',
    summary: '新增菜单',
    summaryEn: 'Create a menu entry',
    body: MenuDraft,
    data: Id,
  }),
  update: endpoint({
    ...menu('update'),
    method: 'PUT',
    path: '/system/menu/update',
    summary: '修改菜单',
    summaryEn: 'Change a menu entry',
    body: MenuEdit,
    row: MenuRow,
    data: z.literal(true),
  }),
  move: endpoint({
    ...menu('update'),
    method: 'PUT',
    path: '/system/menu/move',
    summary: '移动菜单',
    summaryEn: 'Move a menu entry among the others, or below another one',
    body: Move,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...menu('delete'),
    method: 'DELETE',
    path: '/system/menu/delete',
    summary: '删除菜单',
    summaryEn: 'Delete a menu entry',
    query: ById,
    data: z.literal(true),
  }),
}
