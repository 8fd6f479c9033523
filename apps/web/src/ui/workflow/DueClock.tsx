import { useTranslation } from 'react-i18next'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatDateTime } from '#ui/time.ts'
import '../tone/tones.css'
import './workflow.css'

const pad = (n: number): string => String(n).padStart(2, '0')

/** `02:18`; from one hour on hours and minutes, from one day on days and hours. */
export const useClockText = (ms: number): string => {
  const { t } = useTranslation()
  const seconds = Math.floor(Math.abs(ms) / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${pad(minutes)}:${pad(seconds % 60)}`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return t('workflow.hours', { h: hours, m: pad(minutes % 60) })
  return t('workflow.days', { d: Math.floor(hours / 24), h: hours % 24 })
}

type DueClockProps = {
  /** The limit, a moment of the server's clock. */
  dueAt: Date | number
  /** From when the limit counts; 80 % of the way to it the clock turns amber. Without it only overdue is marked. */
  from?: Date | number
  /** What must happen by then: 「接警」. */
  label: string
}

/** The time left until a limit, or the time since it passed. */
export const DueClock = ({ dueAt, from, label }: DueClockProps) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const left = Number(dueAt) - now
  const text = useClockText(left)
  const isSoon = from !== undefined && left < (Number(dueAt) - Number(from)) * 0.2
  const state = left < 0 ? 'overdue' : isSoon ? 'soon' : 'left'
  return (
    <time
      className="due-clock"
      data-state={state}
      dateTime={new Date(dueAt).toISOString()}
      title={formatDateTime(dueAt)}
    >
      {t(left < 0 ? 'workflow.overdue' : 'workflow.left', { label, text })}
    </time>
  )
}
