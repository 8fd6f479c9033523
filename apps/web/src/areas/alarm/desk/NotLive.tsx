import { DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNow } from '#ui/Ago.tsx'
import { clock } from '#ui/time.ts'
import { elapsed } from './clock.ts'
import { useDeaf } from './use-deaf.ts'

/** While the page is deaf: since when, and how old what it shows is. */
export const NotLive = ({ readAt }: { readAt: number }) => {
  const { t } = useTranslation()
  const since = useDeaf()
  const now = useNow()
  if (since === undefined) return null
  return (
    <div className="desk-deaf" role="alert">
      <DisconnectOutlined />
      <b>{t('desk.notLive', { time: clock(since) })}</b>
      <span>{readAt > 0 && t('desk.queueAge', { age: elapsed(now - readAt), time: clock(readAt) })}</span>
    </div>
  )
}
