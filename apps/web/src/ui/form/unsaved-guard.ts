import { useInsertionEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { isLeaving } from '#api/call.ts'
import { i18n } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'

/** A form that is open on the page of this path. */
type Held = {
  path: string
  /** Whether it has unsaved input. */
  ask: () => boolean
  /** It had unsaved input when its page was hidden; its fields lose their touched state then. */
  was: boolean
  /** The user agreed to discard it: its page is leaving. */
  given: boolean
}
const held = new Set<Held>()
const isDirty = ({ ask, was, given }: Held) => !given && (was || ask())

export const isAnythingUnsaved = (): boolean => [...held].some(isDirty)

const warn = (event: BeforeUnloadEvent) => {
  // After the end of a session nothing can be saved, and the screen must be cleared.
  if (!isAnythingUnsaved() || isLeaving()) return
  const active = document.activeElement
  // A tel: or mailto: link leaves nothing, though browsers say it does. Once only: closing the page afterwards asks.
  if (active instanceof HTMLAnchorElement && active.protocol === 'tel:') active.blur()
  else event.preventDefault()
}

/**
 * Asks before the page of this form is left with unsaved input.
 * @returns whether there is unsaved input, for the form's own close button.
 */
export const useUnsavedGuard = (ask: () => boolean): (() => boolean) => {
  const { pathname } = useLocation()
  const entry = useRef<Held>({ path: pathname, ask, was: false, given: false })
  // The only effect that continues while a page is hidden: its form still exists then.
  useInsertionEffect(() => {
    const own = entry.current
    own.ask = ask
    held.add(own)
    window.addEventListener('beforeunload', warn)
    return () => {
      held.delete(own)
      if (held.size === 0) window.removeEventListener('beforeunload', warn)
    }
  }, [ask])
  useLayoutEffect(() => {
    const own = entry.current
    return () => {
      own.was ||= own.ask()
    }
  }, [])
  return () => isDirty(entry.current)
}

export const isUnsaved = (paths: readonly string[]): boolean =>
  [...held].some((item) => paths.includes(item.path) && isDirty(item))

/**
 * Whether the pages of these paths may be left: they have no unsaved input, or the user agreed to discard it. Then they
 * must be left, and no other guard asks.
 */
export const confirmLeave = async (paths: readonly string[]): Promise<boolean> => {
  if (!isUnsaved(paths)) return true
  if (!(await confirm({ title: i18n.t('list.discardAsk') }))) return false
  for (const item of held) item.given ||= paths.includes(item.path)
  return true
}
