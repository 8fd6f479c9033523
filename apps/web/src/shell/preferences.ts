import type { Lang } from '@tocsin/contract/field'
import { useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { store, stored } from '#api/storage.ts'

export const themes = ['light', 'dark', 'auto'] as const
export type Theme = (typeof themes)[number]
export const langs = ['zh-cn', 'en'] as const satisfies readonly Lang[]

type Preferences = { language: Lang; theme: Theme; themeColor: string }

/** SPEC 3: the names in local storage and the defaults. */
export const usePreferences = create<Preferences>()(() => ({
  language: langs.find((one) => one === stored('language')) ?? 'zh-cn',
  theme: themes.find((one) => one === stored('theme')) ?? 'auto',
  themeColor: /^#[0-9a-f]{6}$/i.exec(stored('themeColor') ?? '')?.[0] ?? '#4080FF',
}))

export const prefer = (change: Partial<Preferences>): void => {
  usePreferences.setState(change)
  for (const [key, value] of Object.entries(change)) store(key, value)
}

const system = () => matchMedia('(prefers-color-scheme: dark)')
const watchSystem = (changed: () => void) => {
  const query = system()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Whether dark is shown now: chosen, or the system's choice. */
export const useDark = (): boolean => {
  const theme = usePreferences((all) => all.theme)
  const systemDark = useSyncExternalStore(watchSystem, () => system().matches)
  return theme === 'dark' || (theme === 'auto' && systemDark)
}
