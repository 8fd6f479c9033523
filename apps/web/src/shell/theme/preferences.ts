import { languages, layouts, sizes, themes } from '@tocsin/contract/access/preference'
import { create } from 'zustand'
import { setLocalItem, getLocalItem, UNSYNCED } from '#api/storage.ts'
import { media } from '#ui/responsive/media.ts'
import { toOpaqueHex, THEME_COLOR } from './colors.ts'

/** A preference in local storage: a plain string, which the sign-in page reads too. */
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
  firstPage: freeText(),
  homeCards: freeText(),
  savedViews: freeText(),
  tableColumns: freeText(),
}
type Name = keyof typeof storedPreferences
export type LayoutName = (typeof layouts)[number]
export type Preferences = { [N in Name]: (typeof storedPreferences)[N] extends StoredPreference<infer T> ? T : never }

const names = Object.keys(storedPreferences) as Name[]

export const defaultPreference = <N extends Name>(name: N): Preferences[N] =>
  (storedPreferences[name] as StoredPreference<Preferences[N]>).start

/** The value of a stored text; the default when it is invalid. */
export const parsePreference = <N extends Name>(name: N, text: string | null): Preferences[N] => {
  const value = storedPreferences[name] as StoredPreference<Preferences[N]>
  return (text === null ? undefined : value.parse(text)) ?? value.start
}

const readAll = (): Preferences =>
  // The parser of a name returns the type of that name.
  Object.fromEntries(names.map((name) => [name, parsePreference(name, getLocalItem(name))])) as Preferences

export const usePreferences = create<Preferences>()(readAll)

/** Shows and stores here what was chosen elsewhere. */
export const applyPreferences = (change: Partial<Preferences>): void => {
  const now = usePreferences.getState()
  // An unchanged value renders nothing.
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

/** Resets to the defaults; language, device, first page, cards of Home, views and columns stay. */
export const resetPreferences = (): void => {
  const { language, device, firstPage, homeCards, savedViews, tableColumns } = usePreferences.getState()
  const starts = Object.fromEntries(names.map((name) => [name, storedPreferences[name].start])) as Preferences
  setPreferences({ ...starts, language, device, firstPage, homeCards, savedViews, tableColumns })
}

/** Another tab changed a preference: this one follows. @returns the function that unsubscribes. */
export const followOtherTabs = (): (() => void) => {
  const handleStorage = ({ key, newValue }: StorageEvent) => {
    const name = names.find((name) => name === key)
    // The width belongs to each window.
    if (name && name !== 'device') usePreferences.setState({ [name]: parsePreference(name, newValue) })
  }
  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}

const useSystemDark = media('(prefers-color-scheme: dark)')

/** No motion for a user whose system asks for less (WCAG 2.2 2.3.3). */
export const usePrefersReducedMotion = media('(prefers-reduced-motion: reduce)')

/** Whether dark is shown now: chosen, or by the system. */
export const useIsDark = (): boolean => {
  const theme = usePreferences((all) => all.theme)
  const systemDark = useSystemDark()
  return theme === 'dark' || (theme === 'auto' && systemDark)
}
