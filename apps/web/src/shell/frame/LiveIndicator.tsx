import { Alert, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { useNow } from '#ui/Ago.tsx'
import { clock } from '#ui/time.ts'

/** A connection is made in less; before that "connecting" is the truth, after it the screen is not live. */
const PATIENCE_MS = 3000

const useLiveState = () => {
  const { live, since } = useLive()
  const now = useNow()
  if (live) return { state: 'live', since } as const
  return { state: now - since < PATIENCE_MS ? 'connecting' : 'notLive', since } as const
}

const colors = { live: 'green', connecting: 'gold', notLive: 'red' } as const

/** Always in sight: whether what the screen shows is the truth as of now. The banner below tells since when. */
export const LiveIndicator = ({ short }: { short: boolean }) => {
  const { t } = useTranslation()
  const { state, since } = useLiveState()
  return (
    <Tag color={colors[state]} variant={state === 'notLive' ? 'solid' : 'filled'} role="status" style={{ margin: 0 }}>
      {t(`shell.${state}`)}
      {state === 'notLive' && !short && ` ${clock(since)}`}
    </Tag>
  )
}

export const NotLiveBanner = () => {
  const { t } = useTranslation()
  const { state, since } = useLiveState()
  if (state !== 'notLive') return null
  return <Alert banner type="error" className="not-live" title={t('shell.notLiveSince', { time: clock(since) })} />
}
