import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

const COLUMN = '.ant-picker-time-panel-column'
const CHOSEN = 'ant-picker-time-panel-cell-selected'
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrows go to the hour or minute beside the chosen one. */
const choose = (event: KeyboardEvent) => {
  const by = steps[event.key]
  const column = event.target instanceof HTMLElement ? event.target.closest(COLUMN) : null
  if (by === undefined || !column) return
  event.preventDefault()
  const cells = [...column.children]
  const at = cells.findIndex((cell) => cell.classList.contains(CHOSEN))
  const next = cells[at < 0 ? 0 : at + by]
  if (next instanceof HTMLElement) next.click()
}

const Times = ({ children }: { children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  // Whenever the kit has drawn the panel: its columns scroll, and give no way in to who has no mouse.
  useEffect(() => {
    for (const column of box.current?.querySelectorAll<HTMLElement>(COLUMN) ?? []) column.tabIndex = 0
  })
  return (
    <div ref={box} onKeyDown={choose}>
      {children}
    </div>
  )
}

/** The `panelRender` of a calendar with times. */
export const withTimes = (panel: ReactNode): ReactNode => <Times>{panel}</Times>
