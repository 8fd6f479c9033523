import { languages, layouts, sizes, themes } from '@tocsin/contract/system/preference'
import { create } from 'zustand'
import { store, stored, UNSENT } from '#api/storage.ts'
import { media } from '#ui/screen/media.ts'
import { solid, THEME_COLOR } from './shades.ts'

/** A preference as local storage keeps it: a plain string, which the sign-in page reads too. */
type Kept<T> = { start: T; parse: (text: string) => T | undefined }

const oneOf = <const T extends string>(choices: readonly T[], start: T): Kept<T> => ({
  start,
  parse: (text) => choices.find((choice) => choice === text),
})
const flag = (start: boolean): Kept<boolean> => ({
  start,
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
})
const words = (): Kept<string> => ({ start: '', parse: (text) => text })

/** SPEC 3: the names in local storage and the defaults. */
const kept = {
  device: oneOf(['desktop', 'mobile'], 'desktop'),
  size: oneOf(sizes, 'default'),
  language: oneOf(languages, 'zh-cn'),
  sidebarStatus: oneOf(['opened', 'closed'], 'opened'),
  activeTopMenuPath: words(),
  tagsView: flag(false),
  sidebarLogo: flag(true),
  fixedHeader: flag(true),
  layout: oneOf(layouts, 'top'),
  watermarkEnabled: flag(false),
  watermarkContent: words(),
  themeColor: { start: THEME_COLOR, parse: solid },
  theme: oneOf(themes, 'auto'),
  showSettings: flag(false),
}
type Name = keyof typeof kept
export type LayoutName = (typeof layouts)[number]
export type Preferences = { [N in Name]: (typeof kept)[N] extends Kept<infer T> ? T : never }

const names = Object.keys(kept) as Name[]

export const startOf = <N extends Name>(name: N): Preferences[N] => (kept[name] as Kept<Preferences[N]>).start

/** What a stored text says; the default when it says nothing sensible. */
export const parsePreference = <N extends Name>(name: N, text: string | null): Preferences[N] => {
  const one = kept[name] as Kept<Preferences[N]>
  return (text === null ? undefined : one.parse(text)) ?? one.start
}

const readAll = (): Preferences =>
  // Each name is parsed by its own row of the table above.
  Object.fromEntries(names.map((name) => [name, parsePreference(name, stored(name))])) as Preferences

export const usePreferences = create<Preferences>()(readAll)

/** Shows and keeps here what was chosen elsewhere. */
export const show = (change: Partial<Preferences>): void => {
  const now = usePreferences.getState()
  // What is so already draws nothing anew.
  if (names.some((name) => name in change && change[name] !== now[name])) usePreferences.setState(change)
  for (const [name, value] of Object.entries(change)) store(name, String(value))
}

export const unsentNames = (): string[] => (stored(UNSENT) ?? '').split(',').filter(Boolean)
export const keepUnsent = (waiting: readonly string[]): void => store(UNSENT, [...new Set(waiting)].join() || null)

export const prefer = (change: Partial<Preferences>): void => {
  show(change)
  keepUnsent([...unsentNames(), ...Object.keys(change)])
}

/** Looks as it did on the first day; who sees it in which language, and on what device, stays. */
export const preferDefaults = (): void => {
  const { language, device } = usePreferences.getState()
  const starts = Object.fromEntries(names.map((name) => [name, kept[name].start])) as Preferences
  prefer({ ...starts, language, device })
}

/** Another tab changed a preference: this one follows. @returns what ends it. */
export const followOtherTabs = (): (() => void) => {
  const heard = ({ key, newValue }: StorageEvent) => {
    const name = names.find((one) => one === key)
    // The width is each window's own.
    if (name && name !== 'device') usePreferences.setState({ [name]: parsePreference(name, newValue) })
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}

const useSystemDark = media('(prefers-color-scheme: dark)')

/** Whoever asked his system for less motion gets none (WCAG 2.2 2.3.3). */
export const useStill = media('(prefers-reduced-motion: reduce)')

/** Whether dark is shown now: chosen, or the system's choice. */
export const useDark = (): boolean => {
  const theme = usePreferences((all) => all.theme)
  const systemDark = useSystemDark()
  return theme === 'dark' || (theme === 'auto' && systemDark)
}
