import type { Lang } from '@tocsin/contract/field'
import { Menu, type MenuProps } from 'antd'
import { type MouseEvent, type ReactNode, useMemo, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useLang } from '#texts/i18n.ts'
import { type MenuEntry, localTitle } from '../menu-routes.ts'
import { useNavigateStable } from '../navigation/use-navigate-stable.ts'
import { lastAddress } from '../tags/tag-store.ts'
import { firstPage, dropdownChildren, breadcrumbTo } from './menu-layout.ts'
import { EntryIcon } from './EntryIcon.tsx'

type Items = NonNullable<MenuProps['items']>

/** Like its tag, an entry leads to the address at which the open page was left. */
const PageLink = ({ path, children }: { path: string; children: ReactNode }) => {
  const go = useNavigateStable()
  const follow = (event: MouseEvent) => {
    const left = lastAddress(path)
    // With a modifier key the browser opens it elsewhere.
    if (!left || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(left)
  }
  return (
    <Link to={path} onClick={follow}>
      {children}
    </Link>
  )
}

const labelOf = (entry: MenuEntry, lang: Lang, path = entry.children ? undefined : entry.path) => {
  const text = localTitle(entry, lang)
  if (entry.href) {
    return (
      <a href={entry.href} target="_blank" rel="noreferrer noopener">
        {text}
      </a>
    )
  }
  return path ? <PageLink path={path}>{text}</PageLink> : text
}

const itemsOf = (entries: readonly MenuEntry[], lang: Lang, icons: boolean): Items =>
  entries.map((entry) => ({
    key: entry.key,
    label: labelOf(entry, lang),
    // The title is shown beside a collapsed menu.
    ...(icons && {
      title: localTitle(entry, lang),
      icon: <EntryIcon name={entry.icon} title={localTitle(entry, lang)} />,
    }),
    ...(entry.children && { children: itemsOf(entry.children, lang, icons) }),
  }))

const firstLevelOf = (entries: readonly MenuEntry[], lang: Lang): Items =>
  entries.map((entry) => {
    const children = dropdownChildren(entry)
    const label = labelOf(entry, lang, firstPage(entry))
    return { key: entry.key, label, ...(children && { children: itemsOf(children, lang, false) }) }
  })

/** The whole menu, or its first level, in one line above the page. */
export const HeaderMenu = ({ entries, firstLevel }: { entries: readonly MenuEntry[]; firstLevel: boolean }) => {
  const lang = useLang()
  const { pathname } = useLocation()
  const items = useMemo(
    () => (firstLevel ? firstLevelOf(entries, lang) : itemsOf(entries, lang, false)),
    [entries, lang, firstLevel],
  )
  const trail = breadcrumbTo(entries, pathname)
  const selected = firstLevel ? trail[0] : trail.at(-1)
  return (
    <Menu
      mode="horizontal"
      items={items}
      selectedKeys={selected ? [selected.key] : []}
      style={{ flex: 1, minWidth: 0, borderBottom: 0, background: 'transparent' }}
    />
  )
}

// antd would let a long group beside the collapsed menu overflow the window: it is moved up as far as needed.
const overflow = { adjustX: true, shiftY: true }
const within = { rightTop: { points: ['tl', 'tr'], overflow }, leftTop: { points: ['tr', 'tl'], overflow } }

type SideProps = { entries: readonly MenuEntry[]; collapsed?: boolean; onChosen?: () => void }

/** The menu as a tree, in the sidebar or in the drawer; the groups above the open page are expanded. */
export const SideMenu = ({ entries, collapsed = false, onChosen }: SideProps) => {
  const lang = useLang()
  const { pathname } = useLocation()
  const items = useMemo(() => itemsOf(entries, lang, true), [entries, lang])
  const trail = breadcrumbTo(entries, pathname)
  const groups = trail.filter(({ children }) => children).map(({ key }) => key)
  const [shownFor, setShownFor] = useState<string>()
  const [open, setOpen] = useState<readonly string[]>([])
  const page = trail.at(-1)?.key
  if (page !== shownFor) {
    setShownFor(page)
    setOpen([...new Set([...open, ...groups])])
  }
  return (
    <Menu
      mode="inline"
      items={items}
      inlineCollapsed={collapsed}
      builtinPlacements={within}
      selectedKeys={page ? [page] : []}
      style={{ borderInlineEnd: 0, background: 'transparent' }}
      onOpenChange={setOpen}
      {...(!collapsed && { openKeys: [...open] })}
      {...(onChosen && { onClick: onChosen })}
    />
  )
}
