import { z } from 'zod'
import { Id, queryBool, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { MenuPermission } from '../access/rights/menu.ts'
import { Flag, ParentId, queryFlag, SORT_MAX } from '../settings/wire-codecs.ts'
import { nameText } from '../text-fields.ts'

export type MenuOption = { value: number; label: string; children?: MenuOption[] | undefined }
export const MenuOption: z.ZodType<MenuOption, MenuOption> = z.strictObject({
  value: Id,
  label: z.string(),
  get children() {
    return z.array(MenuOption).optional()
  },
})

const names = { DIR: 'CATALOG', MENU: 'MENU', LINK: 'EXTLINK', BUTTON: 'BUTTON' } as const
const words = { CATALOG: 'DIR', MENU: 'MENU', EXTLINK: 'LINK', BUTTON: 'BUTTON' } as const
const Type = z.codec(z.enum(['CATALOG', 'MENU', 'EXTLINK', 'BUTTON']), z.enum(['DIR', 'MENU', 'LINK', 'BUTTON']), {
  decode: (name) => words[name],
  encode: (word) => names[word],
})

const id = field(Id, '菜单编号', 'Menu id')
const text = (max: number) => z.string().trim().max(max).nullable()
const param = z.strictObject({ key: z.string().min(1).max(50), value: z.string().max(100) })

const fields = z.strictObject({
  parentId: field(ParentId, '父级菜单', 'Parent'),
  name: field(nameText(50), '菜单名称', 'Menu name'),
  type: field(Type, '菜单类型', 'Type'),
  routeName: field(text(100), '路由名称', 'Route name'),
  routePath: field(text(200), '路由路径', 'Route path'),
  component: field(text(200), '组件路径', 'Screen'),
  perm: field(MenuPermission.nullable(), '权限标识', 'Permission'),
  visible: field(Flag, '显示状态', 'Visible'),
  sort: field(z.int().min(0).max(SORT_MAX), '排序', 'Order'),
  icon: field(text(100), '图标', 'Icon'),
  redirect: field(text(200), '跳转路由', 'Redirect'),
  keepAlive: field(Flag, '缓存页面', 'Kept alive'),
  alwaysShow: field(Flag, '始终显示', 'Always shown'),
  /** Query parameters of the screen. */
  params: field(z.array(param).max(20).nullable(), '路由参数', 'Route parameters'),
})

export const MenuForm = fields.extend({ id })
export type MenuForm = z.output<typeof MenuForm>
/** The form sends its id too; the id of the address is used. */
const MenuFormDraft = MenuForm.partial().required({ parentId: true, name: true, type: true })
export const MenuFormEdit = MenuForm.partial()
export type MenuFormEdit = z.output<typeof MenuFormEdit>

const params = z.strictObject({ id: field(queryId, '菜单编号', 'Menu id') })
const menu = (verb: string) => ({ kind: 'json', permission: `system:menu:${verb}`, scope: 'none' }) as const

export type MenuBranch = Omit<MenuForm, 'keepAlive' | 'alwaysShow' | 'params'> & { children?: MenuBranch[] | undefined }
const branch = fields.omit({ keepAlive: true, alwaysShow: true, params: true }).extend({ id }).shape
type SentBranch = z.input<z.ZodObject<typeof branch, z.core.$strict>> & { children?: SentBranch[] | undefined }
const MenuBranch: z.ZodType<MenuBranch, SentBranch> = z.strictObject({
  ...branch,
  get children() {
    return z.array(MenuBranch).optional()
  },
})

const meta = z.strictObject({
  title: z.string(),
  icon: z.string(),
  hidden: z.boolean(),
  keepAlive: z.boolean(),
  alwaysShow: z.boolean(),
  params: z.record(z.string(), z.string()).nullable(),
})
const place = {
  path: z.string(),
  /** Component name; `Layout` for a directory. */
  component: z.string().nullable(),
  redirect: z.string().nullable(),
  name: z.string(),
  meta,
}
/** A node of the menu tree in the router shape of the compatibility API (wire 4.6). */
export type MenuRoute = z.output<z.ZodObject<typeof place, z.core.$strict>> & { children?: MenuRoute[] | undefined }
const MenuRoute: z.ZodType<MenuRoute, MenuRoute> = z.strictObject({
  ...place,
  get children() {
    return z.array(MenuRoute).optional()
  },
})

export const menusV1 = {
  list: endpoint({
    ...menu('query'),
    method: 'GET',
    path: '/api/v1/menus',
    summary: '菜单树',
    summaryEn: 'Menu entries as a tree, buttons included',
    query: z.strictObject({ keywords: field(z.string().max(50).optional(), '关键字', 'Keyword') }),
    data: z.array(MenuBranch),
  }),
  routes: endpoint({
    ...menu('query'),
    permission: 'token',
    scope: 'self',
    method: 'GET',
    path: '/api/v1/menus/routes',
    summary: '我的路由',
    summaryEn: 'My menu as routes',
    data: z.array(MenuRoute),
  }),
  show: endpoint({
    ...menu('update'),
    method: 'PATCH',
    path: '/api/v1/menus/:id',
    summary: '显示或隐藏菜单',
    summaryEn: 'Show or hide a menu entry',
    params,
    query: z.strictObject({ visible: field(queryFlag, '显示状态', 'Visible') }),
    data: z.null(),
  }),
  options: endpoint({
    ...menu('query'),
    permission: 'token',
    method: 'GET',
    path: '/api/v1/menus/options',
    summary: '菜单选项',
    summaryEn: 'Menu entries to choose from, as a tree',
    query: z.strictObject({ onlyParent: field(queryBool.optional(), '仅父级', 'Without buttons') }),
    data: z.array(MenuOption),
  }),
  form: endpoint({
    ...menu('query'),
    method: 'GET',
    path: '/api/v1/menus/:id/form',
    summary: '菜单表单',
    summaryEn: 'One menu entry as a form',
    params,
    data: MenuForm,
  }),
  create: endpoint({
    ...menu('create'),
    method: 'POST',
    path: '/api/v1/menus',
    summary: '新增菜单',
    summaryEn: 'Create a menu entry',
    body: MenuFormDraft,
    data: Id,
  }),
  update: endpoint({
    ...menu('update'),
    method: 'PUT',
    path: '/api/v1/menus/:id',
    summary: '修改菜单',
    summaryEn: 'Change a menu entry',
    params,
    body: MenuFormEdit,
    data: z.null(),
  }),
  delete: endpoint({
    ...menu('delete'),
    method: 'DELETE',
    path: '/api/v1/menus/:id',
    summary: '删除菜单',
    summaryEn: 'Delete a menu entry',
    params,
    data: z.null(),
  }),
}
