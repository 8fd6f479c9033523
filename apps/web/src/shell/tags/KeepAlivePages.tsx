import { theme } from 'antd'
import { Activity, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { UNSAFE_LocationContext as LocationContext, useOutlet } from 'react-router'
import { isUnsaved } from '#ui/form/unsaved-guard.ts'
import { useTags } from './tag-store.ts'
import { keepAliveTags, type Tag } from './tags.ts'

type At = React.ContextType<typeof LocationContext>
type OpenPage = { path: string; outlet: ReactNode; at: At }

/** The window has one scroll position for all pages; each one gets its own back. */
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

const Page = ({ children }: { children: ReactNode }) => {
  const { token } = theme.useToken()
  const main = useRef<HTMLElement>(null)
  useScroll()
  // Not a prop: React renders a hidden page late, so two pages would carry the id for a moment. Effects end at once.
  useLayoutEffect(() => {
    const element = main.current
    element?.setAttribute('id', 'content')
    return () => element?.removeAttribute('id')
  }, [])
  return (
    <main ref={main} tabIndex={-1} className="layout-main" style={{ background: token.colorBgContainer }}>
      {children}
    </main>
  )
}

type Props = { tags: readonly Tag[]; keepAlive: boolean }

/**
 * The open page and, hidden, those opened before. A hidden page keeps its state and its own address (libraries 0.4,
 * trap 4); its effects have ended, so its data is read again when it returns.
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
    { tags, unsaved: (value) => isUnsaved([value]) },
  )
  const next = [...(keepAlive ? [{ path, outlet, at }] : []), ...hidden.filter((page) => staying.includes(page.path))]
  const same = next.length === kept.length && next.every((page, place) => page.path === kept[place]?.path)
  if (!same || (keepAlive && (held?.outlet !== outlet || held.at !== at))) setKept(next)
  const pages = keepAlive ? next : [{ path, outlet, at }, ...next]
  // In a fixed order: a moved element would lose the focus and its frames.
  return pages
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((page) => (
      <Activity key={`${page.path} ${rounds[page.path] ?? 0}`} mode={page.path === path ? 'visible' : 'hidden'}>
        <LocationContext value={page.at}>
          <Page>{page.outlet}</Page>
        </LocationContext>
      </Activity>
    ))
}
