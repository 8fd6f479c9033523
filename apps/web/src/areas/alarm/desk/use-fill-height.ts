import { type RefObject, useLayoutEffect } from 'react'

/**
 * Gives the element the rest of the window below its upper edge, whatever frame stands above it, so that the
 * queue and the record scroll and the page does not. While it is shown the frame leaves out its margins.
 */
export const useFillHeight = (box: RefObject<HTMLElement | null>, ready: boolean): void => {
  useLayoutEffect(() => {
    const element = box.current
    if (!ready || !element) return
    const root = document.documentElement
    root.dataset.desk = ''
    const measure = () => {
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY)
      element.style.setProperty('--desk-top', `${top}px`)
    }
    measure()
    // What comes or goes above moves the frame's content, which changes its size.
    const observer = new ResizeObserver(measure)
    for (let at = element.parentElement; at && at !== root; at = at.parentElement) observer.observe(at)
    window.addEventListener('resize', measure)
    return () => {
      delete root.dataset.desk
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box, ready])
}
