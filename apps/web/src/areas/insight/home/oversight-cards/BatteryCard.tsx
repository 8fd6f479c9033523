import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { CardRow } from '../parts/CardRow.tsx'
import { SELDOM_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Batteries to replace, as the readiness forecasts them. */
export const BatteryCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('device/index')
  const query = useQuery({ ...inlineQuery(homeCards.batteries), refetchInterval: SELDOM_MS })
  return (
    <QueryPanel title={t('home.batteries')} timed query={query}>
      {({ low, ending, next }) =>
        next.length === 0 ? (
          <EmptyCard text={t('home.noBatteries')} to={list} label={t('home.allDevices')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure name={t('home.batteryLow')} value={low} to={list && `${list}?battery=LOW`} tone="warn" />
              <StatFigure name={t('home.batteryEnding')} value={ending} to={list && `${list}?battery=ENDING`} />
            </div>
            <ul className="home-notices home-rows">
              {next.map(({ deviceId, sn, schoolName, batteryPct, daysLeft }) => (
                <CardRow
                  key={deviceId}
                  name={[schoolName, sn].filter(Boolean).join(' · ')}
                  to={list && `${list}?keyword=${encodeURIComponent(sn)}`}
                  more={[
                    batteryPct !== null && `${batteryPct} %`,
                    daysLeft !== null && t('home.daysLeft', { n: daysLeft }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                />
              ))}
            </ul>
          </>
        )
      }
    </QueryPanel>
  )
}
