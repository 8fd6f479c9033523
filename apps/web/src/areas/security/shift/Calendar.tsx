import { localDay, slotOnDay, type Span } from '@tocsin/contract/security/hours'
import type { CalendarPost, ShiftRow } from '@tocsin/contract/security/shift'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { serverNow } from '#api/server-clock.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { dayTitle } from './calendar-days.ts'
import { CoverageRow } from './CoverageRow.tsx'
import type { ShiftMoves } from './use-shift-moves.ts'

export type CalendarDialog =
  | { what: 'new'; post: CalendarPost; day: Date; span?: Span }
  | { what: 'shift'; shift: ShiftRow }
  | { what: 'fill' }

type Shared = {
  rows: readonly ShiftRow[]
  moves: ShiftMoves
  /** A month: a shift is one line. */
  isCompact: boolean
  onOpen: (open: CalendarDialog) => void
}

const hm = (at: Date) => formatTime(at).slice(0, 5)

const ShiftChip = ({ shift, moves, isCompact, onOpen }: Omit<Shared, 'rows'> & { shift: ShiftRow }) => {
  const { t } = useTranslation()
  const time = `${hm(shift.fromAt)}–${hm(shift.toAt)}`
  return (
    <button
      type="button"
      className="duty-shift"
      data-compact={isCompact}
      title={isCompact ? `${shift.employeeName} ${time}` : undefined}
      draggable={moves.mayMove}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = 'copyMove'
        moves.drag(shift)
      }}
      onDragEnd={() => moves.drag(undefined)}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'c') return
        event.preventDefault()
        moves.copy(shift)
      }}
      onClick={() => onOpen({ what: 'shift', shift })}
    >
      <b>{shift.employeeName}</b>
      {!isCompact && <span>{time}</span>}
      {shift.publishedAt ? (
        <EnumTag kind="shiftState" value={shift.state} />
      ) : (
        <ToneTag tone="wait">{t('duty.unpublished')}</ToneTag>
      )}
      {!shift.canReceive && <ToneTag tone="fault">{t('duty.unreachable')}</ToneTag>}
    </button>
  )
}

const Cell = ({ post, day, rows, ...shared }: Shared & { post: CalendarPost; day: Date }) => {
  const { t } = useTranslation()
  const { moves, onOpen } = shared
  const mayCreate = useHasPermission('security:shift:create')
  const [today] = useState(() => localDay(new Date(serverNow())))
  const own = rows.filter(({ postId, fromAt }) => postId === post.id && localDay(fromAt) === localDay(day))
  const here = own.filter(({ state }) => state !== 'ABSENT').length
  const lacking = slotOnDay(post, day) ? post.headcount - here : 0
  return (
    <td
      className={localDay(day) === today ? 'duty-today' : undefined}
      data-target={moves.isTarget(post)}
      onDragOver={(event) => {
        if (moves.isTarget(post)) event.preventDefault()
      }}
      onDrop={(event) => {
        event.preventDefault()
        moves.drop(post, day, event.altKey)
      }}
    >
      {own.map((shift) => (
        <ShiftChip key={shift.id} shift={shift} {...shared} />
      ))}
      {lacking > 0 && <ToneTag tone="wait">{t('duty.lacking', { n: lacking })}</ToneTag>}
      {mayCreate && (
        <Button
          size="small"
          type="text"
          icon={<PlusOutlined />}
          aria-label={t('duty.addShift', { post: post.name, day: localDay(day) })}
          onKeyDown={(event) => {
            if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'v') return
            event.preventDefault()
            moves.paste(post, day)
          }}
          onClick={() => onOpen({ what: 'new', post, day })}
        />
      )}
    </td>
  )
}

const HOUR_MS = 3_600_000
const hoursOf = (rows: readonly ShiftRow[]): number =>
  Math.round(rows.reduce((sum, { fromAt, toAt }) => sum + (toAt.getTime() - fromAt.getTime()) / HOUR_MS, 0))

/** Guards of schools, police duty of departments, and the seats of desks. */
const groupOf = ({ type, deptId }: CalendarPost) => {
  if (type === 'SEAT') return 'seats'
  return deptId === null ? 'guards' : 'police'
}
const groupTitles = { guards: 'duty.groupGuards', police: 'duty.groupPolice', seats: 'duty.groupSeats' } as const

const PostRow = ({ post, days, ...shared }: Shared & { post: CalendarPost; days: readonly Date[] }) => {
  const { t } = useTranslation()
  const hours = hoursOf(shared.rows.filter(({ postId }) => postId === post.id))
  return (
    <tr>
      <th scope="row">
        <div>{post.name}</div>
        <Typography.Text type="secondary">{post.ownerName}</Typography.Text>
      </th>
      {days.map((day) => (
        <Cell key={day.getTime()} post={post} day={day} {...shared} />
      ))}
      <td>{t('duty.hoursSum', { n: hours })}</td>
    </tr>
  )
}

type Props = Shared & { posts: readonly CalendarPost[]; days: readonly Date[] }

/** Rows are posts, columns days; a shift is moved by dragging it, or copied with Alt or Ctrl+C and Ctrl+V. */
export const Calendar = ({ posts, days, ...shared }: Props) => {
  const { t } = useTranslation()
  const { rows, isCompact, onOpen } = shared
  const mayCreate = useHasPermission('security:shift:create')
  const groups = Map.groupBy(posts, groupOf)
  const fillGap = (post: CalendarPost, span: Span) => onOpen({ what: 'new', post, day: span.from, span })
  return (
    <div className="duty-scroll">
      <table className="duty-calendar" data-compact={isCompact}>
        <thead>
          <tr>
            <th scope="col">{t('duty.post')}</th>
            {days.map((day) => (
              <th key={day.getTime()} scope="col">
                {dayTitle(day, isCompact, t)}
              </th>
            ))}
            <th scope="col">{t('duty.total')}</th>
          </tr>
        </thead>
        {[...groups].map(([group, own]) => (
          <tbody key={group}>
            {groups.size > 1 && (
              <tr className="duty-group">
                <th scope="rowgroup">{t(groupTitles[group])}</th>
                <td colSpan={days.length + 1} />
              </tr>
            )}
            {own.map((post) => (
              <PostRow key={post.id} post={post} days={days} {...shared} />
            ))}
          </tbody>
        ))}
        <CoverageRow posts={posts} rows={rows} days={days} onFill={mayCreate ? fillGap : undefined} />
      </table>
    </div>
  )
}
