import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { EVERY_MS } from './refresh.ts'

/** Maintenance orders that wait for work. */
export const MaintenanceCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('device/maintenance')
  const query = useQuery({ ...inlineQuery(maintenanceOrders.figures), refetchInterval: EVERY_MS })
  return (
    <QueryPanel
      title={t('home.maintenance')}
      extra={list && <Link to={`${list}?mine=true`}>{t('home.mine')}</Link>}
      query={query}
    >
      {({ open, overdue }) => (
        <div className="home-figures">
          <StatFigure
            name={t('home.openOrders')}
            value={open}
            to={list && `${list}?state=OPEN,ASSIGNED,ON_SITE,REOPENED`}
          />
          <StatFigure name={t('home.overdueOrders')} value={overdue} to={list && `${list}?overdue=true`} tone="warn" />
        </div>
      )}
    </QueryPanel>
  )
}
