import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { NotLiveBanner } from './LiveIndicator.tsx'

/**
 * What nobody may scroll away: that the page is not live, and what rings. What sticks below it begins where it ends
 * (`--warnings`, see tags.css).
 */
export const Warnings = ({ children }: { children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const here = box.current
    const frame = here?.parentElement
    if (!here || !frame) return
    const watcher = new ResizeObserver(() => frame.style.setProperty('--warnings', `${here.offsetHeight}px`))
    watcher.observe(here)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={box} className="warnings">
      <NotLiveBanner />
      {children}
    </div>
  )
}
