import { Alert, Tag, theme } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { useServerClock } from '#api/server-clock.ts'
import { useNow } from '#ui/RelativeTime.tsx'
import { formatTime } from '#ui/time.ts'

/** A connection is made in less; before that "connecting" is the truth, after it the screen is not live. */
const PATIENCE_MS = 3000

const useLiveState = () => {
  const { live, since } = useLive()
  const now = useNow()
  const offset = useServerClock((clock) => clock.offset)
  if (live) return { state: 'live', since } as const
  return { state: now - since < PATIENCE_MS ? 'connecting' : 'notLive', since: since + offset } as const
}

const colors = { live: 'green', connecting: 'gold', notLive: 'red' } as const

/** Always in sight: whether what the screen shows is the truth as of now. The banner below tells since when. */
export const LiveIndicator = ({ short }: { short: boolean }) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const { state, since } = useLiveState()
  // The kit's white on its red is too faint (WCAG 2.2 1.4.3).
  const loud = state === 'notLive' && { background: token.colorError, color: token.colorBgContainer }
  return (
    <Tag color={colors[state]} variant="filled" role="status" style={{ margin: 0, ...loud }}>
      {t(`shell.${state}`)}
      {state === 'notLive' && !short && ` ${formatTime(since)}`}
    </Tag>
  )
}

export const NotLiveBanner = () => {
  const { t } = useTranslation()
  const { state, since } = useLiveState()
  if (state !== 'notLive') return null
  return <Alert banner type="error" className="not-live" title={t('shell.notLiveSince', { time: formatTime(since) })} />
}
