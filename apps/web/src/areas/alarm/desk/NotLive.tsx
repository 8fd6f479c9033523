import { DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useServerClock } from '#api/server-clock.ts'
import { useNow } from '#ui/Ago.tsx'
import { clock } from '#ui/time.ts'
import { elapsed } from './clock.ts'
import { useDeaf } from './use-deaf.ts'

type Props = {
  /** When the queue was read last, epoch milliseconds of this computer. */
  readAt: number
  /** Reading it anew does not succeed. */
  failing: boolean
}

/** While the page is deaf or cannot read: since when, and how old what it shows is. */
export const NotLive = ({ readAt, failing }: Props) => {
  const { t } = useTranslation()
  const since = useDeaf()
  const now = useNow()
  const offset = useServerClock((known) => known.offset)
  if (since === undefined && !failing) return null
  return (
    <div className="desk-deaf" role="alert">
      <b>
        <DisconnectOutlined />{' '}
        {since === undefined ? t('desk.notRead') : t('desk.notLive', { time: clock(since + offset) })}
      </b>
      <span>{readAt > 0 && t('desk.queueAge', { age: elapsed(now - readAt), time: clock(readAt + offset) })}</span>
    </div>
  )
}
