import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { create } from 'zustand'
import { useSession } from '#api/session.ts'
import { setTabItem, getTabItem } from '#api/storage.ts'
import type { Title } from './menu-routes.ts'

/**
 * Names that pages gave themselves, by path: one screen may show many things, so that its entry's name says too little.
 */
type Names = Readonly<Record<string, Title>>

/** Per user and browser tab, like the tags. */
const key = (user: { id: number }) => `pageNames.${user.id}`

/** Names out of storage; invalid ones are dropped. */
export const parsePageTitles = (text: string | null): Names => {
  try {
    const names = Object.entries(Object(JSON.parse(text ?? '{}'))).flatMap(([path, given]) => {
      const { name, nameEn } = Object(given)
      return typeof name === 'string' && typeof nameEn === 'string' ? [[path, { name, nameEn }]] : []
    })
    return Object.fromEntries(names)
  } catch {
    return {}
  }
}

export const usePageTitles = create<Names>()(() => ({}))

// The user is known once the server answered.
const remember = ({ user }: ReturnType<typeof useSession.getState>): void =>
  usePageTitles.setState(user ? parsePageTitles(getTabItem(key(user))) : {}, true)
remember(useSession.getState())
useSession.subscribe((now, before) => {
  if (now.user?.id !== before.user?.id) remember(now)
})

/** Names the page that calls this, on its tag and in the browser's tab; undefined while unknown. */
export const usePageTitle = (title: Title | undefined): void => {
  const { pathname } = useLocation()
  const { name, nameEn } = title ?? {}
  useEffect(() => {
    const known = usePageTitles.getState()[pathname]
    if (name === undefined || nameEn === undefined) return
    if (known?.name === name && known.nameEn === nameEn) return
    usePageTitles.setState({ [pathname]: { name, nameEn } })
    const { user } = useSession.getState()
    if (user) setTabItem(key(user), JSON.stringify(usePageTitles.getState()))
  }, [name, nameEn, pathname])
}
