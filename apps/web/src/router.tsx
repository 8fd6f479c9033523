import { schoolRoutes } from './areas/school/school-routes.ts'
import { maintenanceRoutes } from './areas/device/maintenance/maintenance-routes.ts'
import { rolloutRoutes } from './areas/device/rollout/rollout-routes.ts'
import { procedureRoutes } from './areas/device/procedure/procedure-routes.ts'
import { alarmRoutes } from './areas/alarm/alarm-routes.ts'
import { insightRoutes } from './areas/insight/insight-routes.ts'
import { dutyRoutes } from './areas/security/duty-routes.ts'
import { superviseRoutes } from './areas/supervise/supervise-routes.ts'
import { announcementRoutes } from './areas/announcement/announcement-routes.ts'
import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject, redirect } from 'react-router'
import { setTabItem, getTabItem } from '#api/storage.ts'
import { Layout } from '#shell/layout/Layout.tsx'
import { BellUnavailable } from '#shell/bell/BellUnavailable.tsx'
import { type MenuEntry, type PageHandle, type MenuRoutes, type PlannedRoute, routeName } from '#shell/menu-routes.ts'
import { PageQueryContext } from '#shell/page-query.tsx'
import { firstPage, START } from '#shell/first-page.ts'
import {
  EmptyDirectoryPage,
  ForbiddenPage,
  isGone,
  MissingPartPage,
  MissingScreenPage,
  NotFoundPage,
  PageError,
  RedirectPage,
} from '#shell/pages.tsx'
import { isAnythingUnsaved } from '#ui/form/unsaved-guard.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { reloadFailedStyles } from '#ui/lazy/failed-styles.ts'
import { screens } from './screens.ts'
import { situationRoute } from './areas/police/situation-route.ts'

const missing = () => <BellUnavailable />
const missingPage = () => <MissingPartPage />
const brokenPage = (_: object, again: () => void) => <PageError onRetry={again} />
const loadLockedAlarmSound = async () =>
  (await import('./areas/alarm/desk/sound/LockedAlarmSound.tsx')).LockedAlarmSound
const LockedAlarmSound = lazyComponent(loadLockedAlarmSound, { missing })

/** The sound of the desks is above all pages. */
const AlertsAbove = lazyComponent(
  async () => {
    // Loaded in advance: a locked console may be offline by then.
    void loadLockedAlarmSound().catch(() => undefined)
    return (await import('./AlertsAbove.tsx')).AlertsAbove
  },
  { missing },
)
const DESK = 'warn/desk/index'

/** The sound that continues while everything else is covered. */
export const lockedAlarmSound = <LockedAlarmSound />

const DASHBOARD = '/dashboard'
const dashboardTitle = { name: '首页', nameEn: 'Dashboard' }

type Fixed = PlannedRoute & {
  /** The screen whose menu entry this page belongs to, and the prefix of its address. */
  of?: { screen: string; owns: string }
}

const dashboard = {
  kind: 'screen',
  path: DASHBOARD,
  title: dashboardTitle,
  keepAlive: true,
  screen: 'dashboard/index',
  query: {},
} as const

/** SPEC 2: every user has these, whatever the menus say; the server decides what they show. */
const fixed: readonly Fixed[] = [
  dashboard,
  {
    kind: 'screen',
    path: '/profile',
    title: { name: '个人中心', nameEn: 'My account' },
    keepAlive: true,
    screen: 'profile/index',
    query: {},
  },
  {
    kind: 'screen',
    path: '/qr-confirm',
    title: { name: '扫码登录确认', nameEn: 'Sign in another browser' },
    keepAlive: false,
    screen: 'profile/qr-confirm',
    query: {},
  },
  {
    kind: 'screen',
    path: '/myNotice',
    title: { name: '我的通知', nameEn: 'My notices' },
    keepAlive: true,
    screen: 'myNotice/index',
    query: {},
  },
  {
    kind: 'screen',
    path: '/document',
    title: { name: '帮助文档', nameEn: 'Document' },
    keepAlive: true,
    screen: 'document/index',
    query: {},
  },
  {
    kind: 'screen',
    path: '/system/dict-data/:dictType',
    title: { name: '字典数据', nameEn: 'Entries' },
    keepAlive: true,
    screen: 'system/dict/data',
    query: {},
    of: { screen: 'system/dict/index', owns: '/system/dict-data' },
  },
  ...schoolRoutes,
  {
    kind: 'screen',
    path: '/device/detail/:id',
    title: { name: '设备详情', nameEn: 'Device' },
    keepAlive: true,
    screen: 'device/detail',
    query: {},
    of: { screen: 'device/index', owns: '/device/detail' },
  },
  {
    kind: 'screen',
    path: '/device/labels',
    title: { name: '打印标签', nameEn: 'Labels' },
    keepAlive: false,
    screen: 'device/labels',
    query: {},
  },
  {
    kind: 'screen',
    path: '/device/test/:id',
    title: { name: '按钮测试', nameEn: 'Button test' },
    keepAlive: true,
    screen: 'device/test/detail',
    query: {},
    of: { screen: 'device/test', owns: '/device/test' },
  },
  ...dutyRoutes,
  ...superviseRoutes,
  ...announcementRoutes,
  ...maintenanceRoutes,
  ...procedureRoutes,
  ...rolloutRoutes,
  ...insightRoutes,
  ...alarmRoutes,
  {
    kind: 'screen',
    path: '/schoolDevice/detail/:id',
    title: { name: '安装详情', nameEn: 'Installation' },
    keepAlive: true,
    screen: 'schoolDevice/detail',
    query: {},
    of: { screen: 'schoolDevice/index', owns: '/schoolDevice/detail' },
  },
  { kind: 'screen', keepAlive: true, query: {}, ...situationRoute },
  {
    kind: 'screen',
    path: '/m/install',
    title: { name: '现场安装', nameEn: 'On-site installation' },
    keepAlive: false,
    screen: 'device/install',
    query: {},
  },
]

const RELOADED = 'reloadedFor'

/** SPEC 2: an unmatched path causes one reload, in case the menus are new, and then /404. No form is lost for it. */
const unmatched = ({ request }: { request: Request }) => {
  if (isAnythingUnsaved()) return redirect('/404')
  const reloaded = getTabItem(RELOADED) === request.url
  setTabItem(RELOADED, reloaded ? null : request.url)
  // Without storage the page would reload forever.
  if (reloaded || getTabItem(RELOADED) !== request.url) return redirect('/404')
  // A navigation within the page has not changed the address yet.
  if (request.url === location.origin + location.pathname + location.search) location.reload()
  else location.assign(request.url)
  // The page is unloading; nothing may be painted meanwhile.
  return new Promise<never>(() => {})
}

/** Prefetches the chunk of a screen whose link is under the pointer or focused. */
const aheadOf = (routes: readonly PlannedRoute[]) => {
  const requests = new Set<string>()
  return (path: string): void => {
    const planned = routes.find((route) => route.path === path)
    if (planned?.kind !== 'screen' || requests.has(path)) return
    requests.add(path)
    void screens[planned.screen]?.().catch(() => requests.delete(path))
  }
}

type Shown = Extract<PlannedRoute, { kind: 'screen' }>

/** The same component for the same screen and query: new menus leave open pages and their forms alone. */
const made = new Map<string, ComponentType>()
const keyOf = ({ screen, query }: Shown) => JSON.stringify([screen, query])

const lazyScreen = (load: () => Promise<ComponentType>, shown: Shown) => async () => {
  await reloadFailedStyles()
  // The router renders nothing for a route whose chunk fails.
  const Screen: ComponentType = await load().catch((error: unknown) =>
    lazyComponent(load, { missing: isGone(error) ? missingPage : brokenPage }),
  )
  const Page = () => (
    <PageQueryContext value={shown.query}>
      <Screen />
    </PageQueryContext>
  )
  const Component = made.get(keyOf(shown)) ?? Page
  made.set(keyOf(shown), Component)
  return { Component }
}

/** The screen of the dashboard is loaded when the router is created. */
export const prepareDashboard = async (): Promise<void> => {
  const load = screens[dashboard.screen]
  // A failed one is requested again by its route.
  await load?.()
  if (load) await lazyScreen(load, dashboard)()
}

/**
 * By its path, not by its index as the library does: a new router first renders the page of the previous one, and finds
 * it by this name.
 */
const idOf = (path: string) => `page ${path}`

const routeOf = (planned: PlannedRoute): RouteObject => {
  const { path, name = routeName({}, path), title, keepAlive } = planned
  const handle: PageHandle = { ...title, route: name, keepAlive }
  // The library compares with the decoded address.
  const place = { id: idOf(path), path: decodeURIComponent(path) }
  const route = { ...place, handle, ErrorBoundary: PageError }
  if (planned.kind === 'redirect') return { ...place, loader: () => redirect(planned.to) }
  if (planned.kind === 'empty') return { ...route, Component: EmptyDirectoryPage }
  const load = planned.kind === 'screen' ? screens[planned.screen] : undefined
  if (planned.kind !== 'screen' || !load) return { ...route, element: <MissingScreenPage screen={planned.screen} /> }
  // A loaded screen needs no loading state.
  const Component = made.get(keyOf(planned))
  return Component ? { ...route, Component } : { ...route, lazy: lazyScreen(load, planned) }
}

/** The menu, whose entries know the hidden pages that belong to them. */
const owning = (entries: readonly MenuEntry[], routes: readonly PlannedRoute[]): MenuEntry[] =>
  entries.map((entry) => {
    if (entry.children) return { ...entry, children: owning(entry.children, routes) }
    const route = routes.find(({ path }) => path === entry.path)
    const page = fixed.find(({ of }) => of && route?.kind === 'screen' && of.screen === route.screen)
    return page?.of ? { ...entry, owns: page.of.owns } : entry
  })

/** `/School/` would open the page at `/school` too, as a second tag. */
const spelled = (routes: readonly PlannedRoute[], pathname: string): string => {
  const bare = pathname.replace(/\/+$/, '').toLowerCase()
  return routes.find(({ path }) => path.toLowerCase() === bare)?.path ?? pathname
}

const respell = (routes: readonly PlannedRoute[]): void => {
  const { pathname, search, hash } = location
  const own = spelled(routes, pathname)
  if (own !== pathname) history.replaceState(history.state, '', `${own}${search}${hash}`)
}

/** The routes of the application for one user's menus; other menus need another router (libraries, row Router). */
export const routerFor = (menus: MenuRoutes) => {
  const missing = fixed.filter(({ path }) => menus.routes.every((route) => route.path !== path))
  const routes = [...menus.routes, ...missing]
  respell(routes)
  const start = { ...dashboardTitle, key: DASHBOARD, icon: 'dashboard', path: DASHBOARD }
  const entries = missing.some(({ path }) => path === DASHBOARD) ? [start, ...menus.entries] : menus.entries
  const plan = { routes, entries: owning(entries, routes), home: DASHBOARD }
  const deskPath = routes.find((route) => route.kind === 'screen' && route.screen === DESK)?.path
  const router = createBrowserRouter([
    {
      element: <Layout plan={plan} above={<AlertsAbove deskPath={deskPath} />} onNear={aheadOf(routes)} />,
      ErrorBoundary: PageError,
      HydrateFallback: () => null,
      children: [
        { index: true, loader: () => redirect(DASHBOARD) },
        { path: START, loader: () => redirect(firstPage(routes) ?? DASHBOARD) },
        { path: '/401', element: <ForbiddenPage mark="401" /> },
        { path: '/403', element: <ForbiddenPage mark="403" /> },
        { path: '/404', Component: NotFoundPage },
        { path: '/redirect/*', element: <RedirectPage spelled={(path) => spelled(routes, path)} /> },
        ...routes.map(routeOf),
        { id: idOf('*'), path: '*', loader: unmatched, Component: NotFoundPage },
      ],
    },
  ])
  // The screen is loaded: when it is missing another time, the menus may be new again.
  if (router.state.matches.at(-1)?.route.handle) setTabItem(RELOADED, null)
  return router
}
