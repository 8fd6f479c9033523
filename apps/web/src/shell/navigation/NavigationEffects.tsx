import nprogress from 'nprogress'
import { useContext, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BlockerFunction,
  UNSAFE_DataRouterContext as DataRouterContext,
  UNSAFE_DataRouterStateContext as DataRouterStateContext,
  useLocation,
  useMatches,
  useNavigation,
} from 'react-router'
import { useLang } from '#texts/i18n.ts'
import { type PageHandle, localTitle } from '../menu-routes.ts'
import { usePageTitles } from '../page-title.ts'
import { isUnsaved, confirmLeave } from '#ui/form/unsaved-guard.ts'

// SPEC 9. The library's own bar claims a role that does not exist.
const template = '<div class="bar"><div class="peg"></div></div>'
nprogress.configure({ speed: 500, minimum: 0.3, showSpinner: false, template, barSelector: '.bar' })

/** A page that is loaded already is rendered before the bar starts. */
const runThrough = (): (() => void) => {
  let timer: ReturnType<typeof setTimeout>
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(() => nprogress.start().done())
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** SPEC 2: each navigation has its bar, also one without a wait. */
const useProgress = () => {
  const { state } = useNavigation()
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (state !== 'idle') return void nprogress.start()
    const gone = shown.current !== pathname
    shown.current = pathname
    if (nprogress.isStarted()) nprogress.done()
    else if (gone) return runThrough()
  }, [state, pathname])
}

/** Shows the name of the open page in the title of the browser tab. */
const useTitle = () => {
  const { t } = useTranslation()
  const lang = useLang()
  // Only routes of menu entries have this handle.
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const { pathname } = useLocation()
  const own = usePageTitles((names) => names[pathname])
  const name = handle && localTitle(own ?? handle, lang)
  useEffect(() => {
    document.title = name ? `${name} - ${t('shell.product')}` : t('shell.product')
  }, [name, t])
}

const FAREWELL = 'farewell'

/**
 * Asked before each navigation. The library's own hook registers a new key for each router and each return from the
 * lock, and leaves the old one behind; with two the router warns.
 */
const useAsked = (ask: BlockerFunction) => {
  const router = useContext(DataRouterContext)?.router
  useEffect(() => void router?.getBlocker(FAREWELL, ask), [router, ask])
  useEffect(() => () => router?.deleteBlocker(FAREWELL), [router])
  return useContext(DataRouterStateContext)?.blockers.get(FAREWELL)
}

/** A page that is left unmounts with its form, unless its tag keeps it: the user is asked first. */
const useFarewell = (tagged: boolean) => {
  const { pathname } = useLocation()
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const kept = tagged && handle?.keepAlive === true
  const leaving = useAsked(
    ({ currentLocation, nextLocation }) =>
      !kept && currentLocation.pathname !== nextLocation.pathname && isUnsaved([currentLocation.pathname]),
  )
  useEffect(() => {
    if (leaving?.state !== 'blocked') return
    void confirmLeave([pathname]).then((yes) => (yes ? leaving.proceed() : leaving.reset()))
  }, [leaving, pathname])
}

/** Effects of navigation that render nothing: the frame around the pages stays as it is. */
export const NavigationEffects = ({ tagged }: { tagged: boolean }) => {
  useProgress()
  useFarewell(tagged)
  useTitle()
  return null
}
