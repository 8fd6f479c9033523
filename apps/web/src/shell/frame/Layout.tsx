import { theme } from 'antd'
import nprogress from 'nprogress'
import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker, useLocation, useMatches, useNavigation } from 'react-router'
import { useLang } from '#texts/i18n.ts'
import { later } from '#ui/late/later.tsx'
import { prefer, usePreferences, useWide } from '../look/preferences.ts'
import { type Entry, type PageHandle, type Plan, titleIn } from '../menu.ts'
import { usePageNames } from '../page-name.ts'
import { isUnsaved, mayLeave } from '../unsaved.ts'
import { arrange, trailTo } from './arrange.ts'
import { Crumbs } from './Crumbs.tsx'
import { Header } from './Header.tsx'
import { ListsAhead } from './ListsAhead.tsx'
import { NotLiveBanner } from './LiveIndicator.tsx'
import { NewVersion } from './NewVersion.tsx'
import { OnePage } from './OnePage.tsx'
import { Side } from './Side.tsx'
import { useTagged } from '../tags/use-tagged.ts'

// What most people never open is loaded when somebody does.
const close = ({ onClose }: { onClose: () => void }) => onClose()
const SettingsDrawer = later(async () => (await import('../settings/SettingsDrawer.tsx')).SettingsDrawer, { close })
const TaggedPages = later<{ plan: Plan; onMissing: () => void }>(
  async () => (await import('../tags/TaggedPages.tsx')).TaggedPages,
  { before: <main className="layout-main" />, close: ({ onMissing }) => onMissing() },
)
const SearchDialog = later(async () => (await import('../search/SearchDialog.tsx')).SearchDialog, { close })

/** What the search finds beside pages, by the screen that shows it. */
const FOUND = { records: 'warn/record/index', schools: 'school/index', users: 'system/user/index' }

// SPEC 9. Its own bar claims a role that does not exist.
const template = '<div class="bar"><div class="peg"></div></div>'
nprogress.configure({ speed: 500, minimum: 0.3, showSpinner: false, template, barSelector: '.bar' })

const useProgress = () => {
  const { state } = useNavigation()
  useEffect(() => {
    if (state !== 'idle') nprogress.start()
    else nprogress.done()
  }, [state])
}

/** The open page's name in the browser's tab. */
const useTitle = () => {
  const { t } = useTranslation()
  const lang = useLang()
  // Routes made from menus carry this handle, others none.
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const { pathname } = useLocation()
  const own = usePageNames((names) => names[pathname])
  const name = handle && (own ?? titleIn(handle, lang))
  useEffect(() => {
    document.title = name ? `${name} - ${t('shell.product')}` : t('shell.product')
  }, [name, t])
}

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

/** A page that is left goes, and with it a form of it, unless it is kept behind its tag: that is asked about first. */
const useFarewell = (tagged: boolean) => {
  const { pathname } = useLocation()
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const kept = tagged && handle?.keepAlive === true
  const leaving = useBlocker(
    ({ currentLocation, nextLocation }) =>
      !kept && currentLocation.pathname !== nextLocation.pathname && isUnsaved([currentLocation.pathname]),
  )
  useEffect(() => {
    if (leaving.state !== 'blocked') return
    void mayLeave([pathname]).then((yes) => (yes ? leaving.proceed() : leaving.reset()))
  }, [leaving, pathname])
}

/** Ctrl K, or the command key where there is one, from anywhere. */
const useSearchKey = (open: () => void) =>
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [open])

/** The focus alone goes there: an address with a mark would be another one in the tags and in the history. */
const toContent = (event: MouseEvent) => {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

const pathUnder = ({ target }: SyntheticEvent) =>
  target instanceof Element ? target.closest('a')?.pathname : undefined

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
  const { layout, sidebarStatus, fixedHeader } = usePreferences()
  const { tagged, without } = useTagged()
  const [searching, setSearching] = useState(false)
  const [setting, setSetting] = useState(false)
  const arrangement = useArrangement(plan.entries, wide)
  const sided = !arrangement.drawer && arrangement.side.length > 0
  const pathOf = (screen: string) => plan.routes.find((one) => one.kind === 'screen' && one.screen === screen)?.path
  const places = { records: pathOf(FOUND.records), schools: pathOf(FOUND.schools), users: pathOf(FOUND.users) }
  useProgress()
  useFarewell(tagged)
  useTitle()
  const near = (event: SyntheticEvent) => {
    const path = pathUnder(event)
    if (path) onNear(path)
  }
  const [search] = useState(() => () => setSearching(true))
  useSearchKey(search)
  return (
    <div
      className="layout"
      style={{ background: token.colorBgLayout, color: token.colorText }}
      data-layout={arrangement.drawer ? 'drawer' : layout}
      data-side={sided ? sidebarStatus : 'none'}
      data-fixed={fixedHeader}
      onPointerOver={near}
      onFocus={near}
    >
      <a className="skip-link" href="#content" onClick={toContent}>
        {t('shell.skip')}
      </a>
      {sided && <Side entries={arrangement.side} branded={layout === 'left'} />}
      <Header plan={plan} wide={wide} arrangement={arrangement} onSearch={search} onSettings={() => setSetting(true)} />
      <ListsAhead />
      <NotLiveBanner />
      <NewVersion />
      {above}
      {wide && layout === 'mix' && !tagged && <Crumbs entries={plan.entries} />}
      {tagged ? <TaggedPages plan={plan} onMissing={without} /> : <OnePage />}
      {searching && <SearchDialog entries={plan.entries} places={places} onClose={() => setSearching(false)} />}
      {setting && <SettingsDrawer onClose={() => setSetting(false)} />}
    </div>
  )
}
