import { Alert, Tag, theme } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { useServerClock } from '#api/server-clock.ts'
import { useNow } from '#ui/RelativeTime.tsx'
import { formatTime } from '#ui/time.ts'

/** A connection takes less; before that it is "connecting", after it the screen is not live. */
const PATIENCE_MS = 3000

const useLiveState = () => {
  const { live, since } = useLive()
  const now = useNow()
  const offset = useServerClock((clock) => clock.offset)
  if (live) return { state: 'live', since } as const
  return { state: now - since < PATIENCE_MS ? 'connecting' : 'notLive', since: since + offset } as const
}

const colors = { live: 'green', connecting: 'gold', notLive: 'red' } as const

/** Always visible: whether the screen shows current data. The banner below says since when it does not. */
export const LiveIndicator = ({ short }: { short: boolean }) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const { state, since } = useLiveState()
  // antd's white on its red has too little contrast (WCAG 2.2 1.4.3).
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

/** The server is reachable and accepts no alarm, for instance because its disk is full. The desk shows it as well. */
export const NotStoredBanner = () => {
  const { t } = useTranslation()
  const since = useLive((live) => live.notStoredSince)
  if (since === undefined) return null
  return (
    <Alert
      banner
      type="error"
      role="alert"
      className="not-stored"
      title={t('shell.notStoredSince', { time: formatTime(since) })}
    />
  )
}
