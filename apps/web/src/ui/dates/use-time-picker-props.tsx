import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useLang } from '#texts/i18n.ts'

const COLUMN = '.ant-picker-time-panel-column'
const CHOSEN = 'ant-picker-time-panel-cell-selected'
const DISABLED = 'ant-picker-time-panel-cell-disabled'
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrow keys move to the adjacent hour or minute, skipping disabled ones. */
const choose = (event: KeyboardEvent) => {
  const step = steps[event.key]
  const column = event.target instanceof HTMLElement ? event.target.closest(COLUMN) : null
  if (step === undefined || !column) return
  event.preventDefault()
  const cells = [...column.children]
  const chosen = cells.findIndex((cell) => cell.classList.contains(CHOSEN))
  const by = chosen < 0 ? 1 : step
  let at = chosen + by
  while (cells[at]?.classList.contains(DISABLED)) at += by
  const next = cells[at]
  if (next instanceof HTMLElement) next.click()
}

const Times = ({ box, children }: { box: RefObject<HTMLDivElement | null>; children: ReactNode }) => {
  const lang = useLang()
  // Whenever antd has rendered the panel: its columns scroll, have no names, and cannot be reached by keyboard.
  useEffect(() => {
    const names = new Intl.DisplayNames(lang, { type: 'dateTimeField' })
    for (const column of box.current?.querySelectorAll<HTMLElement>(COLUMN) ?? []) {
      column.tabIndex = 0
      const { type } = column.dataset
      if (type) column.setAttribute('aria-label', names.of(type) ?? type)
    }
  })
  return (
    <div ref={box} onKeyDown={choose}>
      {children}
    </div>
  )
}

/** Further props of a calendar with times; the arrow down opens it and then moves from its field to its hours. */
export const useTimePickerProps = () => {
  const box = useRef<HTMLDivElement>(null)
  return {
    panelRender: (panel: ReactNode) => <Times box={box}>{panel}</Times>,
    // antd renders the panel at the end of the page, where Tab does not reach it from here.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      const column = box.current?.querySelector<HTMLElement>(COLUMN)
      if (column?.checkVisibility()) column.focus()
      else if (event.target instanceof HTMLElement) event.target.click()
    },
  }
}
