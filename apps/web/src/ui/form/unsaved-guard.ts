import { useInsertionEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { isLeaving } from '#api/call.ts'
import { i18n } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'

/** A form that is open on the page of this path. */
type Held = {
  path: string
  /** Whether something was put into it. */
  ask: () => boolean
  /** It was so when its page was hidden; its fields forget it then. */
  was: boolean
  /** The person agreed to lose it: its page is going. */
  given: boolean
}
const held = new Set<Held>()
const isDirty = ({ ask, was, given }: Held) => !given && (was || ask())

export const isAnythingUnsaved = (): boolean => [...held].some(isDirty)

const warn = (event: BeforeUnloadEvent) => {
  // Of a session that is over nothing can be saved, and what is on the screen must go.
  if (!isAnythingUnsaved() || isLeaving()) return
  const active = document.activeElement
  // A call leaves nothing, though browsers say it does. Once only: whoever closes the page after it is asked.
  if (active instanceof HTMLAnchorElement && active.protocol === 'tel:') active.blur()
  else event.preventDefault()
}

/**
 * From now on leaving the page of this form, while something is in it that was not saved, is asked about first.
 * @returns whether something is in it, for the form's own way out.
 */
export const useUnsavedGuard = (ask: () => boolean): (() => boolean) => {
  const { pathname } = useLocation()
  const entry = useRef<Held>({ path: pathname, ask, was: false, given: false })
  // The only effect that does not end while a page is kept hidden: its form is still there then.
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
  [...held].some((one) => paths.includes(one.path) && isDirty(one))

/**
 * Whether the pages of these paths may go: nothing unsaved is on them, or the person agreed to lose it. Then they must
 * go, and nobody asks again on their way.
 */
export const confirmLeave = async (paths: readonly string[]): Promise<boolean> => {
  if (!isUnsaved(paths)) return true
  if (!(await confirm({ title: i18n.t('list.discardAsk') }))) return false
  for (const one of held) one.given ||= paths.includes(one.path)
  return true
}
