import { auth } from '@tocsin/contract/access/auth'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { hourOf } from '#ui/time.ts'
import { Avatar } from '#ui/upload/Avatar.tsx'
import { CardGrid } from './CardGrid.tsx'
import { partOfDay } from './part-of-day.ts'
import './dashboard.css'

// Only administrators have it, and only at first.
const StartPanel = lazyComponent(async () => (await import('./start/StartPanel.tsx')).StartPanel)

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

/** SPEC 2's start: what waits for the user, and how things stand, as far as they may see it. */
export const DashboardPage = () => {
  const { t } = useTranslation()
  const { data } = useQuery({ ...queryFor(auth.permissionInfo), staleTime: Number.POSITIVE_INFINITY })
  const mayStart = useHasPermission('system:dept:create')
  return (
    <Flex vertical gap="middle">
      <Greeting />
      {mayStart && <StartPanel />}
      {data?.menus.length === 0 && (
        <Alert type="info" showIcon title={t('shell.noMenuTitle')} description={t('shell.noMenu')} />
      )}
      <CardGrid />
    </Flex>
  )
}
