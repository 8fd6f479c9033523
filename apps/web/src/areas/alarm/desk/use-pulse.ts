import { type RefObject, useEffect } from 'react'

/**
 * Toggles `data-pulse` on an element every other second. One style change a second: an endless CSS animation of the
 * same colours keeps a processor busy all shift long (measured: 65 % of one core with 500 alarms).
 */
export const usePulse = (box: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined
    const timer = setInterval(() => box.current?.toggleAttribute('data-pulse'), 1000)
    return () => clearInterval(timer)
  }, [box])
