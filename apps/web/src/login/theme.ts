import { useEffect, useState } from 'react'
import { savePreference, getLocalItem } from './storage.ts'

const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const readTheme = (): Theme => themes.find((theme) => theme === getLocalItem('theme')) ?? 'auto'

/**
 * The next theme of a button that cycles through all three. From `auto` it goes first to the opposite of the visible
 * one, so that the first press always changes something.
 */
export const nextTheme = (theme: Theme, systemDark: boolean): Theme => {
  const opposite = systemDark ? 'light' : 'dark'
  if (theme === 'auto') return opposite
  if (theme === opposite) return systemDark ? 'dark' : 'light'
  return 'auto'
}

/** The same preference and class that the inline script reads and sets before the first paint. */
export const useTheme = () => {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    const paint = () =>
      document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'auto' && system.matches))
    paint()
    system.addEventListener('change', paint)
    return () => system.removeEventListener('change', paint)
  }, [theme])
  const step = () => {
    const next = nextTheme(theme, matchMedia('(prefers-color-scheme: dark)').matches)
    savePreference('theme', next)
    setTheme(next)
  }
  return { theme, step }
}
