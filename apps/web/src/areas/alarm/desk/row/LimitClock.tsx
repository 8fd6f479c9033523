import type { NextLimit } from '@tocsin/contract/alarm/record'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#ui/time.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../clock.ts'
import { elapsedOf, limitTone } from '../queue/queue-groups.ts'

const names = {
  T1: 'desk.limit_T1',
  T2: 'desk.limit_T2',
  T3: 'desk.limit_T3',
  T4: 'desk.limit_T4',
  T5: 'desk.limit_T5',
} as const

/** The running time of the next limit beside its name and length; when it has passed, the time since. */
export const LimitClock = ({ limit }: { limit: NextLimit }) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const tone = limitTone(limit, now)
  const what = t(names[limit.step])
  const running = tone === 'over' ? now - limit.dueAt.getTime() : elapsedOf(limit, now)
  return (
    <span className="desk-clock" data-tone={tone} title={formatDateTime(limit.dueAt)}>
      {tone === 'over' ? t('desk.limitOver', { what }) : what}{' '}
      <time className="desk-age" dateTime={limit.dueAt.toISOString()}>
        {formatElapsed(running)}
      </time>
      {tone !== 'over' && ` / ${formatElapsed(limit.seconds * 1000)}`}
    </span>
  )
}
