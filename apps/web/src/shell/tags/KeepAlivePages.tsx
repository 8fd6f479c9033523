import { theme } from 'antd'
import { Activity, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { UNSAFE_LocationContext as LocationContext, useOutlet } from 'react-router'
import { isUnsaved } from '#ui/form/unsaved-guard.ts'
import { useTags } from './tag-store.ts'
import { keepAliveTags, type Tag } from './tags.ts'

type At = React.ContextType<typeof LocationContext>
type OpenPage = { path: string; outlet: ReactNode; at: At }

/** The window has one scroll for all pages; each one gets back the place it was left at. */
const useScroll = () => {
  const left = useRef(0)
  useLayoutEffect(() => {
    window.scrollTo(0, left.current)
    const scrolled = () => {
      left.current = window.scrollY
    }
    window.addEventListener('scroll', scrolled, { passive: true })
    return () => window.removeEventListener('scroll', scrolled)
  }, [])
}

const Page = ({ shown, children }: { shown: boolean; children: ReactNode }) => {
  const { token } = theme.useToken()
  useScroll()
  return (
    <main
      {...(shown && { id: 'content' })}
      tabIndex={-1}
      className="layout-main"
      style={{ background: token.colorBgContainer }}
    >
      {children}
    </main>
  )
}

type Props = { tags: readonly Tag[]; keepAlive: boolean }

/**
 * The open page and, hidden, those opened before. A hidden page keeps its state and its own address (libraries 0.4,
 * trap 4); its effects have ended, so what it reads is read again when it comes back.
 */
export const KeepAlivePages = ({ tags, keepAlive }: Props) => {
  const outlet = useOutlet()
  const at = useContext(LocationContext)
  const rounds = useTags((all) => all.rounds)
  const [kept, setKept] = useState<readonly OpenPage[]>([])
  const path = at.location.pathname
  const held = kept.find((page) => page.path === path)
  const hidden = kept.filter((page) => page.path !== path)
  const staying = keepAliveTags(
    kept.map((page) => page.path),
    path,
    { tags, unsaved: (one) => isUnsaved([one]) },
  )
  const next = [...(keepAlive ? [{ path, outlet, at }] : []), ...hidden.filter((page) => staying.includes(page.path))]
  const same = next.length === kept.length && next.every((page, place) => page.path === kept[place]?.path)
  if (!same || (keepAlive && (held?.outlet !== outlet || held.at !== at))) setKept(next)
  const pages = keepAlive ? next : [{ path, outlet, at }, ...next]
  // In one order for good: a moved page would lose the focus and the frames within it.
  return pages
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((page) => {
      const shown = page.path === path
      return (
        <Activity key={`${page.path} ${rounds[page.path] ?? 0}`} mode={shown ? 'visible' : 'hidden'}>
          <LocationContext value={page.at}>
            <Page shown={shown}>{page.outlet}</Page>
          </LocationContext>
        </Activity>
      )
    })
}
