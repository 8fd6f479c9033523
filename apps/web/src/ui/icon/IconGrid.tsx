import { CheckOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { type KeyboardEvent, useRef, useState } from 'react'
import { EntryIconImage } from './EntryIconImage.tsx'
import { moveInGrid } from './icon-names.ts'
import './icon.css'

type Props = {
  names: readonly string[]
  /** Name of the selected icon. */
  chosen?: string | null | undefined
  /** The icon just copied, marked for a moment. */
  done?: string | undefined
  onPick: (name: string) => void
  label: string
  /** Shows the name below each icon. */
  named?: boolean
}

/** Icons to choose from: a single tab stop, arrow keys move from icon to icon. */
export const IconGrid = ({ names, chosen, done, onPick, label, named = false }: Props) => {
  const grid = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState<string>()
  const first = names.find((name) => name === stop) ?? names.find((name) => name === chosen) ?? names[0]
  const walk = (event: KeyboardEvent) => {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((button) => button === document.activeElement)
    if (at < 0 || !grid.current) return
    const columns = getComputedStyle(grid.current).gridTemplateColumns.split(' ').length
    const to = moveInGrid(event.key, at, { columns, count: buttons.length })
    if (to === at) return
    event.preventDefault()
    buttons[to]?.focus()
  }
  return (
    <div ref={grid} role="group" aria-label={label} className="icon-grid" data-named={named} onKeyDown={walk}>
      {names.map((name) => (
        <Tooltip key={name} title={named ? undefined : name} mouseEnterDelay={0.4}>
          <button
            type="button"
            className="icon-cell"
            aria-label={name}
            {...(chosen !== undefined && { 'aria-pressed': name === chosen })}
            data-done={name === done}
            tabIndex={name === first ? 0 : -1}
            onFocus={() => setStop(name)}
            onClick={() => onPick(name)}
          >
            <span className="icon-drawing" aria-hidden>
              {name === done ? <CheckOutlined /> : <EntryIconImage name={name} letter="" />}
            </span>
            {named && <span className="icon-name">{name}</span>}
          </button>
        </Tooltip>
      ))}
    </div>
  )
}
