import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useLang } from '#texts/i18n.ts'

const COLUMN = '.ant-picker-time-panel-column'
const CHOSEN = 'ant-picker-time-panel-cell-selected'
const DISABLED = 'ant-picker-time-panel-cell-disabled'
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrows go to the hour or minute beside the chosen one, over those that may not be chosen. */
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
  // Whenever the kit has drawn the panel: its columns scroll, have no names, and give no way in to who has no mouse.
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

/** What a calendar with times takes besides; the arrow down opens it and then leads from its field to its hours. */
export const useTimePickerProps = () => {
  const box = useRef<HTMLDivElement>(null)
  return {
    panelRender: (panel: ReactNode) => <Times box={box}>{panel}</Times>,
    // The kit draws the panel at the end of the page, where no Tab leads from here.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      const column = box.current?.querySelector<HTMLElement>(COLUMN)
      if (column?.checkVisibility()) column.focus()
      else if (event.target instanceof HTMLElement) event.target.click()
    },
  }
}
