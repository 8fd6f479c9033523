import { addDays, mergeSpans, slotsWithin, type Span, subtractSpans } from '@tocsin/contract/security/hours'
import type { CalendarPost, ShiftRow } from '@tocsin/contract/security/shift'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '#api/server-clock.ts'
import { formatTime } from '#ui/time.ts'

type Props = {
  posts: readonly CalendarPost[]
  rows: readonly ShiftRow[]
  days: readonly Date[]
  /** Plans a shift that fills a hole; absent for those who may not plan. */
  onFill: ((post: CalendarPost, gap: Span) => void) | undefined
}

const covers = ({ state, publishedAt, canReceive }: ShiftRow) =>
  publishedAt !== null && state !== 'ABSENT' && canReceive
const toSpan = ({ fromAt, toAt, state, checkedOutAt }: ShiftRow): Span => ({
  from: fromAt,
  to: state === 'LEFT_EARLY' && checkedOutAt && checkedOutAt > fromAt ? checkedOutAt : toAt,
})

const spanText = ({ from, to }: Span) => `${formatTime(from).slice(0, 5)}–${formatTime(to).slice(0, 5)}`

const Day = ({ posts, rows, day, onFill }: Omit<Props, 'days'> & { day: Date }) => {
  const { t } = useTranslation()
  const [now] = useState(() => new Date(serverNow()))
  const window = { from: day, to: addDays(day, 1) }
  const wanted = mergeSpans(posts.flatMap((post) => slotsWithin(post, window)))
  const gaps = subtractSpans(wanted, rows.filter(covers).map(toSpan))
  const percent = (at: Date) => ((at.getTime() - day.getTime()) / (window.to.getTime() - day.getTime())) * 100
  const segment = ({ from, to }: Span) => ({
    insetInlineStart: `${percent(from)}%`,
    width: `${percent(to) - percent(from)}%`,
  })
  const text = gaps.length === 0 ? t('duty.covered') : t('duty.gapsOf', { list: gaps.map(spanText).join(', ') })
  return (
    <td>
      <div className="duty-coverage" role="group" aria-label={text} title={text}>
        {wanted.map((span) => (
          <span key={span.from.getTime()} className="duty-covered" style={segment(span)} />
        ))}
        {gaps.map((span) => {
          const post = posts.find((post) => slotsWithin(post, span).length > 0)
          const words = t('duty.fillGap', { time: spanText(span) })
          return (
            <button
              key={`gap ${span.from.getTime()}`}
              type="button"
              className="duty-gap"
              style={segment(span)}
              disabled={!onFill || !post || span.to <= now}
              aria-label={words}
              title={words}
              onClick={() => post && onFill?.(post, span)}
            />
          )
        })}
      </div>
    </td>
  )
}

/** Hours in which somebody of a school can receive an alarm; hatched holes are filled by a click. Of one school only. */
export const CoverageRow = ({ posts, days, rows, onFill }: Props) => {
  const { t } = useTranslation()
  const [first] = posts
  const isOneSchool = first?.schoolId != null && posts.every(({ schoolId }) => schoolId === first.schoolId)
  if (!isOneSchool) return null
  return (
    <tfoot>
      <tr>
        <th scope="row">{t('duty.coverage')}</th>
        {days.map((day) => (
          <Day key={day.getTime()} posts={posts} rows={rows} day={day} onFill={onFill} />
        ))}
        <td />
      </tr>
    </tfoot>
  )
}
