import { type RefObject, useLayoutEffect } from 'react'

/**
 * Gives the element the rest of the window below its upper edge, so that the queue and the record scroll instead of the
 * page. While it is shown the layout omits its margins.
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
    // Elements that appear or disappear above change the size of the layout's content.
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
