import type { Lang } from '@tocsin/contract/field'
import type { MenuNode } from '@tocsin/contract/access/rights/menu-node'

/**
 * A route as wire 4.4 builds it from a menu item. Its name is that of SPEC 2; a page is identified by its path alone.
 */
export type PlannedRoute = { path: string; name?: string; title: Title; keepAlive: boolean } & (
  | { kind: 'screen'; screen: string; query: Record<string, string | string[]> }
  /** The menu names a screen that this build does not have. */
  | { kind: 'missing'; screen: string }
  | { kind: 'redirect'; to: string }
  /** The entry is a directory without a visible page. */
  | { kind: 'empty' }
)
export type Title = { name: string; nameEn: string }
export const localTitle = ({ name, nameEn }: Title, lang: Lang): string => (lang === 'en' && nameEn) || name
/**
 * A line of the menu. A leaf leads to its `path` or, for another site, `href`; a group only has a path. Pages without
 * an entry whose path begins with `owns` belong to it.
 */
export type MenuEntry = Title & {
  key: string
  icon: string
  path?: string
  href?: string
  owns?: string
  children?: MenuEntry[]
}
/** What a route tells the frame around its page. */
export type PageHandle = Title & { route: string; keepAlive: boolean }

const isUrl = (path: string) => /^https?:\/\//i.test(path)

/**
 * Characters that a browser reads as a slash, or ignores between two: together they would begin the name of another
 * site.
 */
const SLASHES = /[/\\\t\r\n]+/

/** As a browser writes it in an address: `学校` becomes `%E5%AD%A6%E6%A0%A1`. */
const written = (part: string): string => {
  try {
    return encodeURI(decodeURIComponent(part))
  } catch {
    // A percent sign that begins no escape stands for itself.
    return encodeURI(part)
  }
}

/** An absolute path ignores its parent, as in vue-router; a query in a path is dropped (wire 4.3). */
export const joinPaths = (parent: string, path: string): string => {
  const own = path.split('?')[0] ?? ''
  const whole = own.startsWith('/') ? own : `${parent}/${own}`
  return `/${whole.split(SLASHES).filter(Boolean).map(written).join('/')}`
}

/** Path and query of an address on this site. */
const inside = (address: string): string => {
  const [path = '', ...query] = address.split('?')
  return [joinPaths('', path), ...query].join('?')
}

/** Wire 4.3: the name of an item, or its path with a capital letter, without hyphens. */
export const routeName = ({ componentName }: { componentName?: string | null }, path: string): string =>
  componentName || path.replaceAll(/^\/?(\w)|-(\w)/g, (_, first = '', folded = '') => (first + folded).toUpperCase())

/** `a/b?x=1&y[]=2&z=3&z=4` is `a/b` with `{x: '1', y: ['2'], z: ['3', '4']}`; a second `?` is lost (wire 4.3). */
export const parseComponent = (component: string) => {
  const [screen = '', text = ''] = component.split('?')
  const query = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[\d*\]$/, '')
    const before = query.get(name)
    query.set(name, before === undefined && name === key ? value : [before ?? [], value].flat())
  }
  return { screen: screen.replace(/^\/|\.(vue|tsx)$/g, ''), query: Object.fromEntries(query) }
}

const visible = ({ visible: shown }: MenuNode) => shown !== false
const childrenOf = (node: MenuNode): MenuNode[] => node.children ?? []
/** Neither children nor a screen: a directory, whatever its type says. */
const isDirectory = (node: MenuNode) => childrenOf(node).length > 0 || (node.type === 'DIR' && !node.component)

/** The first visible page below, depth first, without other sites. */
const firstLeaf = (nodes: readonly MenuNode[], parent: string): string | undefined => {
  for (const node of nodes) {
    if (!visible(node) || isUrl(node.path)) continue
    const path = joinPaths(parent, node.path)
    if (!isDirectory(node)) return path
    const below = firstLeaf(childrenOf(node), path)
    if (below) return below
  }
  return undefined
}

const planLeaf = (node: MenuNode, path: string, has: (screen: string) => boolean): PlannedRoute => {
  const spoken = decodeURIComponent(path)
  const { screen, query } = parseComponent(node.component || spoken)
  // Wire 4.7, 6: the title comes from the item; a title in the address would let any link name a page.
  const own = typeof query['title'] === 'string' && query['title'].trim()
  const title = own ? { name: own, nameEn: own } : { name: node.name, nameEn: node.nameEn }
  const shared = { path, name: routeName(node, spoken), title, keepAlive: node.keepAlive !== false }
  return has(screen) ? { ...shared, kind: 'screen', screen, query } : { ...shared, kind: 'missing', screen }
}

const planNode = (node: MenuNode, parent: string, has: (screen: string) => boolean): PlannedRoute[] => {
  if (isUrl(node.path)) return []
  const path = joinPaths(parent, node.path)
  if (!isDirectory(node)) return [planLeaf(node, path, has)]
  const children = childrenOf(node)
  const below = children.flatMap((child) => planNode(child, path, has))
  // A child with an empty path is the page of the directory itself.
  if (below.some((item) => item.path === path)) return below
  const title = { name: node.name, nameEn: node.nameEn }
  const to = node.redirect?.startsWith('/') ? inside(node.redirect) : firstLeaf(children, path)
  const shared = { path, name: routeName(node, decodeURIComponent(path)), title, keepAlive: false }
  return [to ? { ...shared, kind: 'redirect', to } : { ...shared, kind: 'empty' }, ...below]
}

/** Wire 4.2: with exactly one child, `alwaysShow` keeps the group; a group of one visible child is that child. */
const collapses = (node: MenuNode, shown: readonly MenuEntry[]) =>
  shown.length === 1 && !(childrenOf(node).length === 1 && node.alwaysShow !== false)

const toMenuEntries = (node: MenuNode, parent: string): MenuEntry[] => {
  if (!visible(node)) return []
  const own = { key: String(node.id), name: node.name, nameEn: node.nameEn, icon: node.icon ?? '' }
  if (isUrl(node.path)) return [{ ...own, href: node.path }]
  const path = joinPaths(parent, node.path)
  if (!isDirectory(node)) return [{ ...own, path }]
  const children = childrenOf(node).flatMap((child) => toMenuEntries(child, path))
  if (children.length === 0) return []
  return collapses(node, children) ? children : [{ ...own, path, children }]
}

/** A redirect that returns to its start leads nowhere: its directory is shown instead. */
const withoutCircles = (routes: ReadonlyMap<string, PlannedRoute>): PlannedRoute[] =>
  [...routes.values()].map((route) => {
    const met = new Set<string>()
    let next: PlannedRoute | undefined = route
    while (next?.kind === 'redirect' && !met.has(next.path)) {
      met.add(next.path)
      next = routes.get(joinPaths('', next.to))
    }
    return route.kind === 'redirect' && next?.kind === 'redirect' ? { ...route, kind: 'empty' } : route
  })

/** Creates routes, menu and first page from the tree of the server. Of two equal paths the first is used. */
export const buildRoutes = (menus: readonly MenuNode[], has: (screen: string) => boolean) => {
  const routes = new Map<string, PlannedRoute>()
  for (const item of menus.flatMap((node) => planNode(node, '', has))) {
    if (!routes.has(item.path)) routes.set(item.path, item)
  }
  return {
    routes: withoutCircles(routes),
    entries: menus.flatMap((node) => toMenuEntries(node, '')),
    home: firstLeaf(menus, ''),
  }
}
export type MenuRoutes = ReturnType<typeof buildRoutes>
