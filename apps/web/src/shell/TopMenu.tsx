import { Menu, type MenuProps } from 'antd'
import { useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import type { Lang } from '@tocsin/contract/field'
import { useLang } from '#texts/i18n.ts'
import type { Entry } from './menu.ts'

type Items = NonNullable<MenuProps['items']>

const labelOf = (entry: Entry, lang: Lang) => {
  const text = lang === 'en' ? entry.nameEn || entry.name : entry.name
  if (entry.href) {
    return (
      <a href={entry.href} target="_blank" rel="noreferrer noopener">
        {text}
      </a>
    )
  }
  return entry.path ? <Link to={entry.path}>{text}</Link> : text
}

const itemsOf = (entries: readonly Entry[], lang: Lang): Items =>
  entries.map((entry) => ({
    key: entry.key,
    label: labelOf(entry, lang),
    ...(entry.children && { children: itemsOf(entry.children, lang) }),
  }))

/** The key of the entry whose page is open, by the longest path that begins the address. */
export const selectedKey = (entries: readonly Entry[], pathname: string): string | undefined => {
  const leaves = (list: readonly Entry[]): Entry[] => list.flatMap((e) => (e.children ? leaves(e.children) : [e]))
  const fits = leaves(entries).filter(({ path }) => path && (pathname === path || pathname.startsWith(`${path}/`)))
  return fits.sort((one, other) => (other.path?.length ?? 0) - (one.path?.length ?? 0))[0]?.key
}

type Props = { entries: readonly Entry[]; mode: 'horizontal' | 'inline'; onChosen?: () => void }

export const TopMenu = ({ entries, mode, onChosen }: Props) => {
  const lang = useLang()
  const { pathname } = useLocation()
  const items = useMemo(() => itemsOf(entries, lang), [entries, lang])
  const selected = selectedKey(entries, pathname)
  return (
    <Menu
      mode={mode}
      items={items}
      selectedKeys={selected ? [selected] : []}
      style={mode === 'horizontal' ? { flex: 1, minWidth: 0, borderBottom: 0 } : { borderInlineEnd: 0 }}
      {...(onChosen && { onClick: onChosen })}
    />
  )
}
