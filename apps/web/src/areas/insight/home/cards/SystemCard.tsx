import { homes } from '@tocsin/contract/insight/home'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { EVERY_MS } from './refresh.ts'

/** What an administrator must look after. */
export const SystemCard = () => {
  const { t } = useTranslation()
  const pathOf = usePathOf()
  const query = useQuery({ ...inlineQuery(homes.system), refetchInterval: EVERY_MS })
  const [users, deliveries] = [pathOf('system/user/index'), pathOf('notify/delivery')]
  return (
    <QueryPanel title={t('home.system')} query={query}>
      {({ sessions, pendingUsers, failedDeliveries, lateTimers }) => (
        <div className="home-figures">
          <StatFigure name={t('home.sessions')} value={sessions} to={pathOf('system/online/index')} />
          <StatFigure
            name={t('home.pendingUsers')}
            value={pendingUsers}
            to={users && `${users}?pending=true`}
            tone="warn"
          />
          <StatFigure
            name={t('home.failedDeliveries')}
            value={failedDeliveries}
            to={deliveries && `${deliveries}?state=FAILED`}
            tone="warn"
          />
          <StatFigure name={t('home.lateTimers')} value={lateTimers} tone="warn" />
        </div>
      )}
    </QueryPanel>
  )
}
