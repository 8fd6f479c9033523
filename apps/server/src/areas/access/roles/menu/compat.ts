import type { MenuBranch, MenuForm, MenuFormEdit, MenuOption, MenuRoute } from '@tocsin/contract/compat/menu'
import type { MenuEdit, MenuRow } from '@tocsin/contract/access/rights/menu'
import type { MenuNode } from '@tocsin/contract/access/rights/menu-node'

/** The `/api/v1` form of a menu entry: other names, and the query of the screen as a list (wire 11.1). */
export const toMenuForm = (menu: MenuRow): MenuForm => {
  const [component = null, query] = menu.component?.split('?') ?? []
  return {
    id: menu.id,
    parentId: menu.parentId,
    name: menu.name,
    type: menu.type,
    routeName: menu.componentName,
    routePath: menu.path,
    component,
    perm: menu.permission,
    visible: menu.visible,
    sort: menu.sort,
    icon: menu.icon,
    redirect: menu.redirect,
    keepAlive: menu.keepAlive,
    alwaysShow: menu.alwaysShow,
    params: query ? [...new URLSearchParams(query)].map(([key, value]) => ({ key, value })) : [],
  }
}

/** All entries as a tree; one whose parent is missing stands at the top level. */
export const toMenuTree = (menus: readonly MenuRow[]): MenuBranch[] => {
  const known = new Set(menus.map(({ id }) => id))
  const byParent = Map.groupBy(menus, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null))
  const below = (parentId: number | null): MenuBranch[] =>
    (byParent.get(parentId) ?? []).map((menu) => {
      const { keepAlive: _kept, alwaysShow: _always, params: _params, ...branch } = toMenuForm(menu)
      const children = below(menu.id)
      return { ...branch, ...(children.length > 0 && { children }) }
    })
  return below(null)
}

const camel = (path: string) => path.replaceAll(/(?:^|[-/])+(\w)/g, (_all, letter: string) => letter.toUpperCase())

const DICT_SCREEN = 'system/dict/index'
const DICT_DATA_SCREEN = 'system/dict/data'

/** Entries of a dictionary are a screen that these clients open by a route beside the dictionaries (wire 7). */
const dictDataRoute = (node: MenuNode): MenuRoute => ({
  path: node.path.replace(/[^/]*$/, 'dict-data'),
  component: DICT_DATA_SCREEN,
  redirect: null,
  name: 'DictData',
  meta: { title: '字典数据', icon: '', hidden: true, keepAlive: true, alwaysShow: false, params: null },
})

/** The caller's menu in the shape of the `/api/v1` router (wire 4.6). */
export const toMenuRoutes = (nodes: readonly MenuNode[]): MenuRoute[] => {
  const screens = new Set(nodes.map(({ component }) => component))
  return nodes.flatMap((node) => {
    const hasNoDetail = node.component !== DICT_SCREEN || screens.has(DICT_DATA_SCREEN)
    return hasNoDetail ? [toMenuRoute(node)] : [toMenuRoute(node), dictDataRoute(node)]
  })
}

const toMenuRoute = (node: MenuNode): MenuRoute => {
  const [screen = null, query] = node.component?.split('?') ?? []
  return {
    path: node.path,
    component: node.children && !screen ? 'Layout' : screen,
    redirect: node.redirect,
    name: node.componentName || camel(node.path),
    meta: {
      title: node.name,
      icon: node.icon,
      hidden: !node.visible,
      keepAlive: node.keepAlive,
      alwaysShow: node.alwaysShow,
      params: query ? Object.fromEntries(new URLSearchParams(query)) : null,
    },
    ...(node.children && { children: toMenuRoutes(node.children) }),
  }
}

type Fields = Omit<MenuEdit, 'id' | 'version' | 'status' | 'nameEn'>

/** The query of a screen is stored behind its name, so that an edit of one keeps the other. */
const componentOf = ({ component, params }: MenuFormEdit, before: string | null): { component?: string | null } => {
  if (component === undefined && params === undefined) return {}
  const [oldScreen, oldQuery = ''] = before?.split('?') ?? []
  const screen = component === undefined ? oldScreen : component?.split('?')[0]
  const query =
    params === undefined
      ? oldQuery
      : new URLSearchParams((params ?? []).map(({ key, value }) => [key, value])).toString()
  if (!screen) return { component: null }
  return { component: query ? `${screen}?${query}` : screen }
}

/** The layout is not a screen: these clients send its name for every directory at the top level (wire 1.3). */
const withoutLayout = (form: MenuFormEdit): MenuFormEdit =>
  form.component === 'Layout' ? { ...form, component: null } : form

const topPath = (form: MenuFormEdit, parentId: number | null): string | null | undefined => {
  const { type, routePath } = form
  const rootDirectory = type === 'DIR' && parentId === null
  return rootDirectory && routePath && !routePath.startsWith('/') ? `/${routePath}` : routePath
}

/** The canonical fields of what a form names; `before` is the row that it changes. */
export const fromMenuForm = (form: MenuFormEdit, before?: MenuRow): Fields => {
  const parentId = form.parentId === undefined ? (before?.parentId ?? null) : form.parentId
  const path = topPath({ ...form, type: form.type ?? before?.type }, parentId)
  const { name, type, routeName, perm, visible, sort, icon, redirect, keepAlive, alwaysShow } = form
  const plain = { name, type, visible, sort, icon, redirect, keepAlive, alwaysShow, path }
  return {
    ...plain,
    parentId: form.parentId,
    componentName: routeName,
    permission: perm,
    ...componentOf(withoutLayout(form), before?.component ?? null),
  }
}

type Choice = { id: number; name: string; parentId: number | null; type: MenuRow['type'] }

/** Choices as a tree, in the given order; `onlyParent` leaves out entries that cannot have children. */
export const optionTree = (menus: readonly Choice[], onlyParent: boolean): MenuOption[] => {
  const shown = onlyParent ? menus.filter(({ type }) => type === 'DIR' || type === 'MENU') : menus
  const byParent = Map.groupBy(shown, ({ parentId }) => parentId)
  const below = (parentId: number | null): MenuOption[] =>
    (byParent.get(parentId) ?? []).map(({ id, name }) => {
      const children = below(id)
      return { value: id, label: name, ...(children.length > 0 && { children }) }
    })
  return below(null)
}
