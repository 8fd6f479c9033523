import { DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { useNow } from '#ui/Ago.tsx'
import { clock } from '#ui/time.ts'
import { elapsed } from './clock.ts'

/** While the page is deaf: since when, and how old what it shows is. */
export const NotLive = ({ readAt }: { readAt: number }) => {
  const { t } = useTranslation()
  const { live, since } = useLive()
  const now = useNow()
  if (live) return null
  return (
    <div className="desk-deaf" role="alert">
      <DisconnectOutlined />
      <b>{t('desk.notLive', { time: clock(since) })}</b>
      <span>{readAt > 0 && t('desk.queueAge', { age: elapsed(now - readAt), time: clock(readAt) })}</span>
    </div>
  )
}
