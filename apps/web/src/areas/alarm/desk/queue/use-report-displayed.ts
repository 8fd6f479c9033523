import { type RefObject, useEffect } from 'react'
import { live } from '#api/live.ts'

const idOf = (element: Element): number => Number(element.getAttribute('data-id'))

/**
 * Tells at once, and at every beat, which records are painted where a person can see them: in the list's view, on a visible page.
 * @param list the element whose descendants carry `data-id`.
 * @param key changes when other rows are in it.
 */
export const useReportDisplayed = (list: RefObject<HTMLElement | null>, key: string): void => {
  useEffect(() => {
    const root = list.current
    if (!root) return
    const inView = new Set<number>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(idOf(target))
          else inView.delete(idOf(target))
        }
        if (entries.some(({ isIntersecting }) => isIntersecting)) live.report()
      },
      { threshold: 0.5 },
    )
    for (const row of root.querySelectorAll('[data-id]')) observer.observe(row)
    const off = live.provide({
      shown: () => (document.visibilityState === 'visible' ? [...inView] : []),
    })
    return () => {
      off()
      observer.disconnect()
    }
  }, [list, key])
}

/** The same of the record whose sheet is painted beside the list, which the list may not hold. */
export const useReportDisplayedDetail = (id: number | undefined): void =>
  useEffect(() => {
    if (id === undefined) return undefined
    const off = live.provide({ shown: () => (document.visibilityState === 'visible' ? [id] : []) })
    live.report()
    return off
  }, [id])
