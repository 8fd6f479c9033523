import { theme, Alert, Button, Flex } from 'antd'
import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useState, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, Outlet } from 'react-router'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { useWide } from '#ui/responsive/media.ts'
import { setPreferences, usePreferences } from '../theme/preferences.ts'
import type { MenuEntry, MenuRoutes } from '../menu-routes.ts'
import { arrangeMenu, breadcrumbTo } from './menu-layout.ts'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { Header } from './Header.tsx'
import { AlertBar } from '../live/AlertBar.tsx'
import { NavigationEffects } from '../navigation/NavigationEffects.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useTagsEnabled } from '../tags/use-tags-enabled.ts'
import { useIsFetching } from '@tanstack/react-query'
import { useNewBuild } from '../new-build.ts'

/** Only the open page; another one starts scrolled to its top. */
const PageOutlet = () => {
  const { token } = theme.useToken()
  const { pathname } = useLocation()
  useLayoutEffect(() => {
    // In braces: newer browsers return a promise, and React calls what an effect returns.
    window.scrollTo(0, 0)
  }, [pathname])
  return (
    <main id="content" tabIndex={-1} className="layout-main" style={{ background: token.colorBgContainer }}>
      <Outlet />
    </main>
  )
}

/** Offers a newer version and never loads it by itself: a form may be open, an alarm in progress. */
const NewVersion = () => {
  const { t } = useTranslation()
  const newer = useNewBuild()
  const [declined, setDeclined] = useState<string>()
  if (newer === undefined || newer === declined) return null
  return (
    <Alert
      banner
      type="info"
      role="status"
      title={t('shell.newVersion')}
      action={
        <Flex gap="small">
          <Button size="small" type="primary" onClick={() => location.reload()}>
            {t('shell.reload')}
          </Button>
          <Button size="small" onClick={() => setDeclined(newer)}>
            {t('shell.later')}
          </Button>
        </Flex>
      }
    />
  )
}

/** The open page has loaded everything it asked for, and nothing else was requested since. */
const QUIET_MS = 2000

/** Most links from here lead to a list: its code is loaded while the connection is idle. */
const ListChunkPrefetch = () => {
  const busy = useIsFetching() > 0
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => void import('#ui/list/ListPage.tsx').catch(() => undefined), QUIET_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return null
}

// Rarely opened parts are loaded on demand.
const close = ({ onClose }: { onClose: () => void }) => onClose()
const SettingsDrawer = lazyComponent(async () => (await import('../settings/SettingsDrawer.tsx')).SettingsDrawer, {
  close,
})
const TagsToCome = () => (
  <>
    <div className="tag-bar" />
    <main className="layout-main" />
  </>
)
const TaggedPages = lazyComponent<{ plan: MenuRoutes; onMissing: () => void }>(
  async () => (await import('../tags/TaggedPages.tsx')).TaggedPages,
  { before: <TagsToCome />, close: ({ onMissing }) => onMissing() },
)
const LockDialog = lazyComponent(async () => (await import('../lock/LockDialog.tsx')).LockDialog, { close })
const SearchDialog = lazyComponent(async () => (await import('../search/SearchDialog.tsx')).SearchDialog, { close })

/** The results of the search beside pages, by the screen that shows them. */
const FOUND = { records: 'warn/record/index', schools: 'school/index', users: 'system/user/index' }

const useArrangement = (entries: readonly MenuEntry[], wide: boolean) => {
  const { pathname } = useLocation()
  const layout = usePreferences((all) => all.layout)
  const activeTopMenuPath = usePreferences((all) => all.activeTopMenuPath)
  const top = breadcrumbTo(entries, pathname)[0]?.path
  useEffect(() => {
    if (layout === 'mix' && top) setPreferences({ activeTopMenuPath: top })
  }, [layout, top])
  useEffect(() => setPreferences({ device: wide ? 'desktop' : 'mobile' }), [wide])
  return arrangeMenu(entries, { layout, wide, pathname, activeTopMenuPath })
}

const useKey = (is: (event: KeyboardEvent) => boolean, open: () => void) =>
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!is(event)) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [is, open])

/** Ctrl K, or the command key, from anywhere. */
const isSearchKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey

/** Alt L from anywhere, by the physical key: some keyboards produce another character with Alt. */
const isLockKey = (event: KeyboardEvent) =>
  event.code === 'KeyL' && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey

/** Only the focus moves: an address with a fragment would be another one in the tags and in the history. */
const toContent = (event: MouseEvent) => {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

const pathUnder = ({ target }: SyntheticEvent) =>
  target instanceof Element ? target.closest('a')?.pathname : undefined

// Created once: another open page does not render them again.
const ahead = <ListChunkPrefetch />
const newVersion = <NewVersion />

type Props = {
  plan: MenuRoutes
  /** Receives the address of each link under the pointer. */
  onNear: (path: string) => void
  /** Parts above all pages that sound on each of them, such as the ring. */
  above?: ReactNode
}

/** The frame around every page: the layouts left, top and mix of SPEC 4. Its shape is in shell.css. */
export const Layout = ({ plan, onNear, above }: Props) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const wide = useWide()
  const layout = usePreferences((all) => all.layout)
  const sidebarStatus = usePreferences((all) => all.sidebarStatus)
  const fixedHeader = usePreferences((all) => all.fixedHeader)
  const { tagged, without } = useTagsEnabled()
  const [searching, setSearching] = useState(false)
  const [setting, setSetting] = useState(false)
  const [locking, setLocking] = useState(false)
  const { top, side, drawer } = useArrangement(plan.entries, wide)
  const sided = !drawer && side.length > 0
  const pathOf = (screen: string) =>
    plan.routes.find((route) => route.kind === 'screen' && route.screen === screen)?.path
  const places = { records: pathOf(FOUND.records), schools: pathOf(FOUND.schools), users: pathOf(FOUND.users) }
  const near = (event: SyntheticEvent) => {
    const path = pathUnder(event)
    if (path) onNear(path)
  }
  const [search] = useState(() => () => setSearching(true))
  const [settings] = useState(() => () => setSetting(true))
  const [lock] = useState(() => () => setLocking(true))
  useKey(isSearchKey, search)
  useKey(isLockKey, lock)
  return (
    <div
      className="layout"
      style={{ background: token.colorBgLayout, color: token.colorText }}
      data-layout={drawer ? 'drawer' : layout}
      data-side={sided ? sidebarStatus : 'none'}
      data-fixed={fixedHeader}
      onPointerOver={near}
      onFocus={near}
    >
      <a className="skip-link" href="#content" onClick={toContent}>
        {t('shell.skip')}
      </a>
      <NavigationEffects tagged={tagged} />
      {sided && <Sidebar entries={side} branded={layout === 'left'} />}
      <Header {...{ plan, wide, top, drawer }} onSearch={search} onSettings={settings} onLock={lock} />
      {ahead}
      <AlertBar>
        {newVersion}
        {above}
      </AlertBar>
      {wide && layout !== 'left' && <Breadcrumbs plan={plan} />}
      {tagged ? <TaggedPages plan={plan} onMissing={without} /> : <PageOutlet />}
      {searching && <SearchDialog entries={plan.entries} places={places} onClose={() => setSearching(false)} />}
      {setting && <SettingsDrawer onClose={() => setSetting(false)} />}
      {locking && <LockDialog onClose={() => setLocking(false)} />}
    </div>
  )
}
