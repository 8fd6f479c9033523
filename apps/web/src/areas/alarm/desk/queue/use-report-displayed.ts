import { type RefObject, useEffect } from 'react'
import { live } from '#api/live.ts'

const idOf = (element: Element): number => Number(element.getAttribute('data-id'))

/** Rows that scroll below the pinned group are in the visible part of the list, but nobody sees them. */
const isCovered = (root: HTMLElement, id: number): boolean => {
  const row = root.querySelector(`[data-id="${id}"]`)
  const pinned = root.querySelector('[data-pinned="true"]')
  if (!row || !pinned || pinned.contains(row)) return false
  const [{ top, height }, over] = [row.getBoundingClientRect(), pinned.getBoundingClientRect()]
  return top + height / 2 > over.top && top + height / 2 < over.bottom
}

/**
 * Reports at once, and with every heartbeat, which records are displayed: in the visible part of the list, on a visible
 * page.
 * @param list the element whose descendants carry `data-id`
 * @param key changes when other rows are in it
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
      shown: () => (document.visibilityState === 'visible' ? [...inView].filter((id) => !isCovered(root, id)) : []),
    })
    return () => {
      off()
      observer.disconnect()
    }
  }, [list, key])
}

/** The same for the record whose detail is displayed beside the list, which the list may not contain. */
export const useReportDisplayedDetail = (id: number | undefined): void =>
  useEffect(() => {
    if (id === undefined) return undefined
    const off = live.provide({ shown: () => (document.visibilityState === 'visible' ? [id] : []) })
    live.report()
    return off
  }, [id])
