import { create } from 'zustand'
import { useSession } from '#api/session.ts'
import { setTabItem, getTabItem } from '#api/storage.ts'
import { usePreferences } from '../theme/preferences.ts'
import { parseTags, type Tag } from './tags.ts'

type Tags = {
  /** Whose tags these are: nobody's until the server named the user. */
  userId: number | undefined
  tags: readonly Tag[]
  /** How often a page was restarted, by path. */
  rounds: Readonly<Record<string, number>>
}

/** Per user and browser tab: a reload keeps the tags, a second window has its own. */
const key = (userId: number) => `tags.${userId}`

const tagsOf = (userId: number | undefined): Tags => ({
  userId,
  tags: userId === undefined ? [] : parseTags(getTabItem(key(userId))),
  rounds: {},
})

export const useTags = create<Tags>()(() => tagsOf(useSession.getState().user?.id))

// The menu asks for tags before the user is known, and another user may follow.
useSession.subscribe(({ user }) => {
  if (user?.id !== useTags.getState().userId) useTags.setState(tagsOf(user?.id))
})

export const setTags = (change: (tags: readonly Tag[]) => readonly Tag[]): void => {
  const { userId, tags } = useTags.getState()
  const next = change(tags)
  if (next === tags) return
  useTags.setState({ tags: next })
  if (userId !== undefined) setTabItem(key(userId), JSON.stringify(next))
}

/** The address at which a page behind its tag was left; undefined for an unknown page and for the open one. */
export const lastAddress = (path: string): string | undefined =>
  usePreferences.getState().tagsView && path !== window.location.pathname
    ? useTags.getState().tags.find((tag) => tag.path === path)?.to
    : undefined

/** Discards the state of the page and reads it again. */
export const reloadPage = (path: string): void =>
  useTags.setState(({ rounds }) => ({ rounds: { ...rounds, [path]: (rounds[path] ?? 0) + 1 } }))
