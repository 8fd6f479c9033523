import { useEffect } from 'react'

const badge = (count: number): string => {
  const text = count > 99 ? '99+' : String(count)
  const size = text.length > 2 ? 14 : 20
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#c8102e"/><text x="16" y="17" fill="#fff" font-family="sans-serif" font-weight="700" font-size="${size}" text-anchor="middle" dominant-baseline="middle">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const FLASH_MS = 1000

/**
 * Shows the call in the tab's title, flashing unless motion is reduced. @returns a function that restores the title.
 */
const flashTitle = (text: string): (() => void) => {
  let page = document.title
  let written: string | undefined
  let on = false
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const turn = () => {
    // Another screen may have changed the page's title meanwhile.
    if (document.title !== written) page = document.title
    on = still || !on
    written = on ? `${text} ${page}` : page
    document.title = written
  }
  turn()
  const timer = setInterval(turn, FLASH_MS)
  return () => {
    clearInterval(timer)
    if (document.title === written) document.title = page
  }
}

/** Sets the tab's icon and title while alarms wait, for users who look at another tab. */
export const useAttention = (count: number, text: string): void => {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]')
    if (!link || count === 0) return
    const before = link.href
    link.href = badge(count)
    return () => {
      link.href = before
    }
  }, [count])
  useEffect(() => (count > 0 ? flashTitle(text) : undefined), [count, text])
}
