import { CheckCircleOutlined, DisconnectOutlined, FilterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import { queryFor } from '#api/query.ts'
import { useServerClock } from '#api/server-clock.ts'
import { formatTime, formatDateTime } from '#ui/time.ts'
import { useSound } from '../sound/player.ts'
import { useDataStaleness } from '../use-data-staleness.ts'
import { REVIEW_DAYS } from './use-review.ts'

/** Shows that nothing came, as opposed to being disconnected or to alarms that the server cannot store. */
const NothingOpen = ({ readAt }: Pick<Props, 'readAt'>) => {
  const { t } = useTranslation()
  const since = useLive((status) => status.since)
  const isStored = useLive((status) => status.notStoredSince === undefined)
  const { live, current, deaf } = useDataStaleness(readAt)
  const offset = useServerClock((known) => known.offset)
  const health = useSound((sound) => sound.health)
  const last = useQuery(queryFor(warnRecords.page, { query: { pageNo: 1, pageSize: 1 } })).data
  const at = last?.list[0]?.receivedAt
  const isQuiet = !deaf && isStored
  return (
    <div className="desk-quiet">
      {isQuiet ? (
        <CheckCircleOutlined className="desk-quiet-sign" />
      ) : (
        <DisconnectOutlined className="desk-deaf-sign" />
      )}
      <h2>{t(isQuiet ? 'desk.quiet' : !deaf ? 'desk.notStored' : live ? 'desk.readingAgain' : 'shell.notLive')}</h2>
      <ul>
        <li>
          {current
            ? t('desk.liveSince', { time: formatTime(since + offset) })
            : deaf
              ? t('desk.notLive', { time: formatTime(deaf + offset) })
              : t('shell.connecting')}
        </li>
        <li>{t(health === 'ok' ? 'desk.soundOk' : 'desk.soundSilent')}</li>
        {last && <li>{at ? t('desk.lastAlarm', { time: formatDateTime(at) }) : t('desk.noLastAlarm')}</li>}
      </ul>
    </div>
  )
}

const NothingToReview = () => {
  const { t } = useTranslation()
  return (
    <div className="desk-quiet">
      <CheckCircleOutlined className="desk-quiet-sign" />
      <h2>{t('desk.reviewed', { n: REVIEW_DAYS })}</h2>
      <p>{t('desk.reviewedHint')}</p>
      <p>{t('desk.reviewWindow', { n: REVIEW_DAYS })}</p>
    </div>
  )
}

export type DeskView = 'open' | 'mine' | 'review'

const NothingOwned = () => {
  const { t } = useTranslation()
  return (
    <div className="desk-quiet">
      <CheckCircleOutlined className="desk-quiet-sign" />
      <h2>{t('desk.noneMine')}</h2>
      <p>{t('desk.noneMineHint')}</p>
    </div>
  )
}

type Props = {
  view: DeskView
  /** When the list was last fetched, epoch milliseconds of this computer. */
  readAt: number
  /** How many records the filter hides. */
  hidden: number
  /** A note on other records that are not listed. */
  more: string | undefined
  onShowAll: () => void
}

/** Not quiet: the filter hides every open record. */
const AllHidden = ({ hidden, more, onShowAll }: Omit<Props, 'view' | 'readAt'>) => {
  const { t } = useTranslation()
  return (
    <div className="desk-quiet">
      <FilterOutlined className="desk-hidden-sign" />
      <h2>{t('desk.allHidden', { n: hidden })}</h2>
      {more && <p>{more}</p>}
      <Button type="primary" onClick={onShowAll}>
        {t('desk.showAll')}
      </Button>
    </div>
  )
}

/** Shown in place of an empty list. */
export const EmptyQueue = ({ view, readAt, hidden, ...rest }: Props) => {
  if (hidden > 0) return <AllHidden hidden={hidden} {...rest} />
  if (view === 'mine') return <NothingOwned />
  return view === 'open' ? <NothingOpen readAt={readAt} /> : <NothingToReview />
}
