import { create } from 'zustand'
import { useSession } from '#api/session.ts'
import { parseTags, type Tag } from './tags.ts'

type Tags = {
  tags: readonly Tag[]
  /** How often a page was asked to begin anew, by path. */
  rounds: Readonly<Record<string, number>>
}

/** Per person and browser tab: a reload keeps the tags, a second window has its own. */
const key = () => `tags.${useSession.getState().user?.id ?? 0}`

const kept = (): string | null => {
  try {
    return sessionStorage.getItem(key())
  } catch {
    return null
  }
}

export const useTags = create<Tags>()(() => ({ tags: parseTags(kept()), rounds: {} }))

export const setTags = (change: (tags: readonly Tag[]) => readonly Tag[]): void => {
  const { tags } = useTags.getState()
  const next = change(tags)
  if (next === tags) return
  useTags.setState({ tags: next })
  try {
    sessionStorage.setItem(key(), JSON.stringify(next))
  } catch {
    // Then the tags last as long as the page.
  }
}

/** Throws away what the page holds and reads it again. */
export const renewPage = (path: string): void =>
  useTags.setState(({ rounds }) => ({ rounds: { ...rounds, [path]: (rounds[path] ?? 0) + 1 } }))
