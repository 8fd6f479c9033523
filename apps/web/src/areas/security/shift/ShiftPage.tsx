import { postTypes } from '@tocsin/contract/security/post'
import { type CalendarPost, shifts } from '@tocsin/contract/security/shift'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Empty, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import '../duty.css'
import { Calendar, type CalendarDialog } from './Calendar.tsx'
import { CalendarBar } from './CalendarBar.tsx'
import { type CalendarView, firstDay, listDays } from './calendar-days.ts'
import { FillDialog } from './FillDialog.tsx'
import { listOwners } from './list-owners.ts'
import { ShiftDetailDialog } from './ShiftDetailDialog.tsx'
import { ShiftDialog } from './ShiftDialog.tsx'
import { useShiftMoves } from './use-shift-moves.ts'

const POLL_MS = 30_000

type DialogsProps = {
  open: CalendarDialog | undefined
  posts: readonly CalendarPost[]
  week: Date
  onClose: () => void
}

const Dialogs = ({ open, posts, week, onClose }: DialogsProps) => {
  if (open?.what === 'fill') return <FillDialog posts={posts} week={week} onClose={onClose} />
  if (open?.what === 'new') return <ShiftDialog {...open} onClose={onClose} />
  return open ? <ShiftDetailDialog shift={open.shift} onClose={onClose} /> : null
}

/** The duty calendar of a week or a month: rows are posts, columns days. */
export const ShiftPage = () => {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [open, setOpen] = useState<CalendarDialog>()
  const [now] = useState(() => new Date(serverNow()))
  const moves = useShiftMoves()
  const view: CalendarView = params.get('view') === 'month' ? 'month' : 'week'
  const given = Number(params.get('week'))
  const first = firstDay(view, given > 0 ? new Date(given) : now)
  const days = listDays(view, first)
  const schoolId = Number(params.get('schoolId')) || undefined
  const types = postTypes.filter((type) => params.getAll('type').includes(type))
  const query = useQuery({
    ...inlineQuery(shifts.calendar, {
      query: {
        from: first,
        days: days.length,
        ...(schoolId !== undefined && { schoolId }),
        ...(types.length > 0 && { type: types }),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })
  return (
    <Flex vertical gap="middle">
      <CalendarBar
        view={view}
        first={first}
        last={days.at(-1) ?? first}
        schoolId={schoolId}
        types={types}
        // While a filter changes, the posts of the one before are shown; nothing may act on those.
        owners={query.data && !query.isPlaceholderData ? listOwners(query.data.posts) : []}
        onFill={() => setOpen({ what: 'fill' })}
      />
      <QueryResult query={query}>
        {({ posts, shifts: rows, hasMorePosts }) => (
          <>
            {hasMorePosts && <Alert type="info" showIcon title={t('duty.morePosts')} />}
            {posts.length === 0 ? (
              <Empty description={t('duty.noCalendar')}>
                <Link to="/duty/post">{t('duty.toPosts')}</Link>
              </Empty>
            ) : (
              <>
                <Calendar
                  posts={posts}
                  rows={rows}
                  days={days}
                  moves={moves}
                  isCompact={view === 'month'}
                  onOpen={setOpen}
                />
                {moves.mayMove && <Typography.Text type="secondary">{t('duty.moveHelp')}</Typography.Text>}
              </>
            )}
            <Dialogs open={open} posts={posts} week={first} onClose={() => setOpen(undefined)} />
          </>
        )}
      </QueryResult>
    </Flex>
  )
}
