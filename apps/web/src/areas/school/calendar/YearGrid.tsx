import { dayLetters } from '@tocsin/contract/school/school-labels'
import type { EffectiveDay } from '@tocsin/contract/school/calendar'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { type DayRange, endsRange, orderDays, type Press } from './day-range.ts'
import './calendar.css'

const DAY_MS = 86_400_000
const WEEK = 7
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -WEEK, ArrowDown: WEEK }

const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
/** 0 is Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % WEEK

type Props = {
  year: number
  days: readonly EffectiveDay[]
  today: string
  isReadOnly: boolean
  /** The first day of a range, after one click. */
  anchor: string | undefined
  onAnchor: (day: string | undefined) => void
  onRange: (range: DayRange) => void
}

/** Selecting a range by drag, by two clicks or by the keyboard. */
const useRange = ({ anchor, onAnchor, onRange }: Pick<Props, 'anchor' | 'onAnchor' | 'onRange'>) => {
  const [over, setOver] = useState<string>()
  const pressed = useRef<Press>(undefined)
  const choose = (day: string) => {
    if (anchor === undefined) return onAnchor(day)
    onAnchor(undefined)
    setOver(undefined)
    onRange(orderDays(anchor, day))
  }
  return {
    range: anchor === undefined ? undefined : orderDays(anchor, over ?? anchor),
    choose,
    down: (day: string) => {
      pressed.current = { day, isFirst: anchor === undefined }
      if (anchor === undefined) {
        onAnchor(day)
        setOver(day)
      }
    },
    enter: (day: string) => {
      if (anchor !== undefined) setOver(day)
    },
    up: (day: string) => {
      if (endsRange(pressed.current, day)) choose(day)
      pressed.current = undefined
    },
  }
}

/** Twelve months; each day has the letter and the color of its kind. */
export const YearGrid = ({ year, days, today, isReadOnly, ...selection }: Props) => {
  const lang = useLang()
  const grid = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(today.startsWith(`${year}`) ? today : `${year}-01-01`)
  const months = useMemo(() => [...Map.groupBy(days, ({ day }) => day.slice(0, 7))], [days])
  const { range, choose, down, enter, up } = useRange(selection)
  const letter = lang === 'en' ? 1 : 0
  const monthName = (month: string) =>
    new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' }).format(Date.parse(`${month}-01T00:00:00Z`))
  const onKey = (event: KeyboardEvent, day: string) => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = shiftDay(day, step)
      setFocused(next)
      enter(next)
      grid.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
    } else if (!isReadOnly && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault()
      choose(day)
    } else if (event.key === 'Escape') selection.onAnchor(undefined)
  }
  return (
    <div className="year-grid" ref={grid} role="listbox" aria-multiselectable aria-label={String(year)}>
      {months.map(([month, list]) => (
        <div key={month} role="group" aria-label={monthName(month)}>
          <div className="year-name" aria-hidden>
            {monthName(month)}
          </div>
          <div className="year-month" role="presentation">
            {list.map(({ day, kind, name }, at) => (
              <button
                key={day}
                type="button"
                role="option"
                aria-selected={range !== undefined && range.from <= day && day <= range.to}
                data-day={day}
                data-kind={kind}
                data-today={day === today}
                aria-disabled={isReadOnly}
                tabIndex={day === focused ? 0 : -1}
                style={at === 0 ? { gridColumnStart: weekdayOf(day) + 1 } : undefined}
                title={[day, enumLabel('dayKind', kind, lang), name].filter(Boolean).join(' ')}
                onKeyDown={(event) => onKey(event, day)}
                onFocus={() => setFocused(day)}
                onPointerDown={isReadOnly ? undefined : () => down(day)}
                onPointerEnter={() => enter(day)}
                onPointerUp={isReadOnly ? undefined : () => up(day)}
              >
                <span>{Number(day.slice(8))}</span>
                <b>{kind === 'CLASS' ? '' : dayLetters[kind][letter]}</b>
              </button>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
