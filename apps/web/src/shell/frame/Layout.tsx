import { theme } from 'antd'
import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { later } from '#ui/late/later.tsx'
import { useWide } from '#ui/screen/media.ts'
import { prefer, usePreferences } from '../look/preferences.ts'
import type { Entry, Plan } from '../menu.ts'
import { arrange, trailTo } from './arrange.ts'
import { Crumbs } from './Crumbs.tsx'
import { Header } from './Header.tsx'
import { ListsAhead } from './ListsAhead.tsx'
import { NewVersion } from './NewVersion.tsx'
import { OnePage } from './OnePage.tsx'
import { Warnings } from '../live/Warnings.tsx'
import { Passage } from '../passage/Passage.tsx'
import { Side } from './Side.tsx'
import { useTagged } from '../tags/use-tagged.ts'

// What most people never open is loaded when somebody does.
const close = ({ onClose }: { onClose: () => void }) => onClose()
const SettingsDrawer = later(async () => (await import('../settings/SettingsDrawer.tsx')).SettingsDrawer, { close })
const TagsToCome = () => (
  <>
    <div className="tag-bar" />
    <main className="layout-main" />
  </>
)
const TaggedPages = later<{ plan: Plan; onMissing: () => void }>(
  async () => (await import('../tags/TaggedPages.tsx')).TaggedPages,
  { before: <TagsToCome />, close: ({ onMissing }) => onMissing() },
)
const LockDialog = later(async () => (await import('../lock/LockDialog.tsx')).LockDialog, { close })
const SearchDialog = later(async () => (await import('../search/SearchDialog.tsx')).SearchDialog, { close })

/** What the search finds beside pages, by the screen that shows it. */
const FOUND = { records: 'warn/record/index', schools: 'school/index', users: 'system/user/index' }

const useArrangement = (entries: readonly Entry[], wide: boolean) => {
  const { pathname } = useLocation()
  const layout = usePreferences((all) => all.layout)
  const activeTopMenuPath = usePreferences((all) => all.activeTopMenuPath)
  const top = trailTo(entries, pathname)[0]?.path
  useEffect(() => {
    if (layout === 'mix' && top) prefer({ activeTopMenuPath: top })
  }, [layout, top])
  useEffect(() => prefer({ device: wide ? 'desktop' : 'mobile' }), [wide])
  return arrange(entries, { layout, wide, pathname, activeTopMenuPath })
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

/** Ctrl K, or the command key where there is one, from anywhere. */
const isSearchKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey

/** Alt L from anywhere, by the place of the key: some keyboards write another sign with Alt. */
const isLockKey = (event: KeyboardEvent) =>
  event.code === 'KeyL' && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey

/** The focus alone goes there: an address with a mark would be another one in the tags and in the history. */
const toContent = (event: MouseEvent) => {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

const pathUnder = ({ target }: SyntheticEvent) =>
  target instanceof Element ? target.closest('a')?.pathname : undefined

// Made once: another page open says nothing to them.
const ahead = <ListsAhead />
const newVersion = <NewVersion />

type Props = {
  plan: Plan
  /** Hears of the address of each link that somebody comes near to. */
  onNear: (path: string) => void
  /** What lives above all pages and speaks on each of them, such as the ring. */
  above?: ReactNode
}

/** The frame around every page: SPEC 4's layouts left, top and mix. Its shape is in shell.css. */
export const Layout = ({ plan, onNear, above }: Props) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const wide = useWide()
  const layout = usePreferences((all) => all.layout)
  const sidebarStatus = usePreferences((all) => all.sidebarStatus)
  const fixedHeader = usePreferences((all) => all.fixedHeader)
  const { tagged, without } = useTagged()
  const [searching, setSearching] = useState(false)
  const [setting, setSetting] = useState(false)
  const [locking, setLocking] = useState(false)
  const { top, side, drawer } = useArrangement(plan.entries, wide)
  const sided = !drawer && side.length > 0
  const pathOf = (screen: string) => plan.routes.find((one) => one.kind === 'screen' && one.screen === screen)?.path
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
      <Passage tagged={tagged} />
      {sided && <Side entries={side} branded={layout === 'left'} />}
      <Header {...{ plan, wide, top, drawer }} onSearch={search} onSettings={settings} onLock={lock} />
      {ahead}
      <Warnings>
        {newVersion}
        {above}
      </Warnings>
      {wide && layout !== 'left' && <Crumbs plan={plan} />}
      {tagged ? <TaggedPages plan={plan} onMissing={without} /> : <OnePage />}
      {searching && <SearchDialog entries={plan.entries} places={places} onClose={() => setSearching(false)} />}
      {setting && <SettingsDrawer onClose={() => setSetting(false)} />}
      {locking && <LockDialog onClose={() => setLocking(false)} />}
    </div>
  )
}
