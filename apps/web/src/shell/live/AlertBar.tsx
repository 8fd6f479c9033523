import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { NotLiveBanner, NotStoredBanner } from './LiveIndicator.tsx'

/**
 * Messages that cannot be scrolled away: that the page is not live, and that an alarm rings. It stands at the lower
 * edge of the window and before the page for the keyboard. Content scrolled into view, and content that fills the
 * window, ends where it begins (`--warnings`).
 */
export const AlertBar = ({ children }: { children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const here = box.current
    if (!here) return
    const { style } = document.documentElement
    const watcher = new ResizeObserver(() => style.setProperty('--warnings', `${here.offsetHeight}px`))
    watcher.observe(here)
    return () => {
      watcher.disconnect()
      style.removeProperty('--warnings')
    }
  }, [])
  return (
    <div ref={box} className="warnings">
      <NotLiveBanner />
      <NotStoredBanner />
      {children}
    </div>
  )
}
