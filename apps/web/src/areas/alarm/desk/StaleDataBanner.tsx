import { DisconnectOutlined, HourglassOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useServerClock } from '#api/server-clock.ts'
import { useNow } from '#ui/RelativeTime.tsx'
import { formatTime } from '#ui/time.ts'
import { formatElapsed } from './clock.ts'
import { useDataStaleness } from './use-data-staleness.ts'

type Props = {
  /** When the queue was last fetched, epoch milliseconds of this computer. */
  readAt: number
  /** The refetch fails. */
  failing: boolean
}

/**
 * Shown while the page is disconnected, cannot fetch, or has not yet fetched missed events: since when, and the age of
 * its data.
 */
export const StaleDataBanner = ({ readAt, failing }: Props) => {
  const { t } = useTranslation()
  const { live, deaf } = useDataStaleness(readAt)
  const now = useNow()
  const offset = useServerClock((known) => known.offset)
  if (deaf === undefined && !failing) return null
  const words =
    deaf !== undefined && !live
      ? t('desk.notLive', { time: formatTime(deaf + offset) })
      : t(failing ? 'desk.notRead' : 'desk.readingAgain')
  return (
    <div className="desk-deaf" role="alert">
      <b>
        <DisconnectOutlined /> {words}
      </b>
      <span>
        {readAt > 0 && t('desk.queueAge', { age: formatElapsed(now - readAt), time: formatTime(readAt + offset) })}
      </span>
    </div>
  )
}

/** Shown while the server is late with reminders and escalations: users must act by themselves. */
export const OverdueBanner = ({ seconds }: { seconds: number | null }) => {
  const { t } = useTranslation()
  if (seconds === null) return null
  return (
    <div className="desk-deaf" role="alert">
      <b>
        <HourglassOutlined /> {t('desk.stepsLate', { late: formatElapsed(seconds * 1000) })}
      </b>
      <span>{t('desk.stepsLateHint')}</span>
    </div>
  )
}
