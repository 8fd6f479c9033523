import { useCallback, useEffect, useRef } from 'react'
import type { ListedRecord } from '../queue/queue-groups.ts'
import { isNarrowDesk, selectedNow } from '../selected-record.ts'

const rowElement = (id: number) => document.querySelector(`.desk-list [data-id="${id}"]`)

/** After the next render, which may add the row. */
const scrollTo = (id: number) => requestAnimationFrame(() => rowElement(id)?.scrollIntoView({ block: 'nearest' }))

const focusRow = (id: number) =>
  requestAnimationFrame(() => {
    rowElement(id)?.querySelector<HTMLElement>('.desk-row-open')?.focus({ preventScroll: true })
    rowElement(id)?.scrollIntoView({ block: 'nearest' })
  })

const blurRow = () => {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused.closest('.desk-list')) focused.blur()
}

type Select = (id: number | undefined) => void

/**
 * Selection and focus are one thing: keys move the focus with the selection, and focus selects. On a phone, where the
 * record takes the place of the list, focus selects nothing.
 */
export const useRowFocus = (select: Select) => {
  const onFocus = useCallback(
    (id: number) => {
      if (!isNarrowDesk() && selectedNow() !== id) select(id)
    },
    [select],
  )
  return {
    onFocus,
    go: (id: number | undefined): boolean => {
      if (id === undefined) return false
      select(id)
      focusRow(id)
      return true
    },
    /** Beside an opened form, which takes the focus. */
    show: (id: number) => {
      select(id)
      scrollTo(id)
    },
    leave: () => {
      blurRow()
      select(undefined)
    },
  }
}

/** Claims from the list. Stays the same function, so that a list of hundreds of rows is not rendered again with each key. */
export const useClaim = (run: (verb: 'claim', record: ListedRecord) => unknown, select: Select) => {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  return useCallback(
    (record: ListedRecord) => {
      select(record.id)
      // The button goes away with the claim, and the focus with it.
      if (!isNarrowDesk()) focusRow(record.id)
      latest.current('claim', record)
    },
    [select],
  )
}
