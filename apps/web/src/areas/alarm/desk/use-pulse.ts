import { type RefObject, useEffect } from 'react'

/**
 * Marks a box with `data-pulse` every other second. One change of style a second: an endless CSS animation of the same
 * colours keeps a processor busy all shift long (measured: 65 % of one core with 500 alarms).
 */
export const usePulse = (box: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined
    const timer = setInterval(() => box.current?.toggleAttribute('data-pulse'), 1000)
    return () => clearInterval(timer)
  }, [box])
