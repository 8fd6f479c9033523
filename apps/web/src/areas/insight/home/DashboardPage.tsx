import { auth } from '@tocsin/contract/access/auth'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex, Skeleton } from 'antd'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { StaleDataAlert } from '#ui/result/QueryResult.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { hourOf } from '#ui/time.ts'
import { Avatar } from '#ui/upload/Avatar.tsx'
import { AlarmCards } from './AlarmCards.tsx'
import { DeviceCard } from './DeviceCard.tsx'
import { NoticeCard } from './NoticeCard.tsx'
import { VisitCard } from './VisitCard.tsx'
import { Panel } from './Panel.tsx'
import { partOfDay } from './part-of-day.ts'
import { homeQuery } from './dashboard-queries.ts'
import './dashboard.css'

/** Events read the figures again at once; this bounds what a lost one could hide. */
const SAFETY_MS = 30_000

const Greeting = () => {
  const { t } = useTranslation()
  const user = useSession((session) => session.user)
  const part = partOfDay(hourOf(useServerTime()))
  return (
    <div className="home-greeted">
      <Avatar url={user?.avatar} size={48} />
      <div>
        <h2 className="home-greeting">{t(`greeting.${part}`, { name: user?.nickname ?? '' })}</h2>
        <span className="home-name">{user?.deptName}</span>
      </div>
    </div>
  )
}

const Business = () => {
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...homeQuery, refetchInterval: SAFETY_MS })
  if (!data)
    return (
      <Panel wide>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />}</Panel>
    )
  return (
    <>
      {error && (
        <div className="home-wide">
          <StaleDataAlert at={dataUpdatedAt} />
        </div>
      )}
      {data.alarms && <AlarmCards alarms={data.alarms} />}
      {data.devices && <DeviceCard devices={data.devices} />}
    </>
  )
}

/** SPEC 2's start: what waits for this person, and how things stand, as far as he sees them. */
export const DashboardPage = () => {
  const { t } = useTranslation()
  const { data } = useQuery({ ...queryFor(auth.permissionInfo), staleTime: Number.POSITIVE_INFINITY })
  // Last on the page, and what fewest came for.
  const whole = useDeferredValue(true, false)
  return (
    <Flex vertical gap="middle">
      <Greeting />
      {data?.menus.length === 0 && (
        <Alert type="info" showIcon title={t('shell.noMenuTitle')} description={t('shell.noMenu')} />
      )}
      <div className="home">
        <Business />
        <NoticeCard />
        {whole && <VisitCard />}
      </div>
    </Flex>
  )
}
