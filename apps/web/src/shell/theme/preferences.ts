import { languages, layouts, sizes, themes } from '@tocsin/contract/access/preference'
import { create } from 'zustand'
import { setLocalItem, getLocalItem, UNSYNCED } from '#api/storage.ts'
import { media } from '#ui/responsive/media.ts'
import { toOpaqueHex, THEME_COLOR } from './colors.ts'

/** A preference as local storage keeps it: a plain string, which the sign-in page reads too. */
type StoredPreference<T> = { start: T; parse: (text: string) => T | undefined }

const oneOf = <const T extends string>(choices: readonly T[], start: T): StoredPreference<T> => ({
  start,
  parse: (text) => choices.find((choice) => choice === text),
})
const flag = (start: boolean): StoredPreference<boolean> => ({
  start,
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
})
const freeText = (): StoredPreference<string> => ({ start: '', parse: (text) => text })

/** SPEC 3: the names in local storage and the defaults. */
const storedPreferences = {
  device: oneOf(['desktop', 'mobile'], 'desktop'),
  size: oneOf(sizes, 'default'),
  language: oneOf(languages, 'zh-cn'),
  sidebarStatus: oneOf(['opened', 'closed'], 'opened'),
  activeTopMenuPath: freeText(),
  tagsView: flag(false),
  sidebarLogo: flag(true),
  fixedHeader: flag(true),
  layout: oneOf(layouts, 'top'),
  watermarkEnabled: flag(false),
  watermarkContent: freeText(),
  themeColor: { start: THEME_COLOR, parse: toOpaqueHex },
  theme: oneOf(themes, 'auto'),
  showSettings: flag(false),
}
type Name = keyof typeof storedPreferences
export type LayoutName = (typeof layouts)[number]
export type Preferences = { [N in Name]: (typeof storedPreferences)[N] extends StoredPreference<infer T> ? T : never }

const names = Object.keys(storedPreferences) as Name[]

export const defaultPreference = <N extends Name>(name: N): Preferences[N] =>
  (storedPreferences[name] as StoredPreference<Preferences[N]>).start

/** What a stored text says; the default when it says nothing sensible. */
export const parsePreference = <N extends Name>(name: N, text: string | null): Preferences[N] => {
  const one = storedPreferences[name] as StoredPreference<Preferences[N]>
  return (text === null ? undefined : one.parse(text)) ?? one.start
}

const readAll = (): Preferences =>
  // Each name is parsed by its own row of the table above.
  Object.fromEntries(names.map((name) => [name, parsePreference(name, getLocalItem(name))])) as Preferences

export const usePreferences = create<Preferences>()(readAll)

/** Shows and keeps here what was chosen elsewhere. */
export const applyPreferences = (change: Partial<Preferences>): void => {
  const now = usePreferences.getState()
  // What is so already draws nothing anew.
  if (names.some((name) => name in change && change[name] !== now[name])) usePreferences.setState(change)
  for (const [name, value] of Object.entries(change)) setLocalItem(name, String(value))
}

export const unsyncedNames = (): string[] => (getLocalItem(UNSYNCED) ?? '').split(',').filter(Boolean)
export const saveUnsynced = (waiting: readonly string[]): void =>
  setLocalItem(UNSYNCED, [...new Set(waiting)].join() || null)

export const setPreferences = (change: Partial<Preferences>): void => {
  applyPreferences(change)
  saveUnsynced([...unsyncedNames(), ...Object.keys(change)])
}

/** Looks as it did on the first day; who sees it in which language, and on what device, stays. */
export const resetPreferences = (): void => {
  const { language, device } = usePreferences.getState()
  const starts = Object.fromEntries(names.map((name) => [name, storedPreferences[name].start])) as Preferences
  setPreferences({ ...starts, language, device })
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
export const usePrefersReducedMotion = media('(prefers-reduced-motion: reduce)')

/** Whether dark is shown now: chosen, or the system's choice. */
export const useIsDark = (): boolean => {
  const theme = usePreferences((all) => all.theme)
  const systemDark = useSystemDark()
  return theme === 'dark' || (theme === 'auto' && systemDark)
}
