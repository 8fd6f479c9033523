import { type VisitStat, visits } from '@tocsin/contract/insight/visit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { Panel } from '../Panel.tsx'

const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 3000 })
    else setTimeout(resolve, 500)
  })

/** The chart is larger than the rest of the page: it loads after that. */
const VisitChart = lazyComponent(
  async () => {
    await idle()
    return (await import('./VisitChart.tsx')).VisitChart
  },
  { before: <Skeleton active /> },
)

const spans = [7, 30]

/** Visits emit no event, and "today" ends at midnight on a page that stays open. */
const EVERY_MS = 300_000

const Stat = ({ stat }: { stat: VisitStat }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { type, todayCount, totalCount, growthRate } = stat
  const percent = new Intl.NumberFormat(lang, { style: 'percent', signDisplay: 'exceptZero' })
  return (
    <StatFigure
      name={t(`home.${type}`)}
      value={todayCount}
      more={
        <>
          {growthRate === null ? t('home.noYesterday') : t('home.grew', { n: percent.format(growthRate) })}
          <br />
          {t('home.inAll', { n: totalCount.toLocaleString() })}
        </>
      }
    />
  )
}

/** Visits of the users that the user can see. */
export const VisitCard = () => {
  const { t } = useTranslation()
  const [days, setDays] = useState(7)
  const again = { refetchInterval: EVERY_MS }
  const stats = useQuery({ ...inlineQuery(visits.stats), ...again })
  const trend = useQuery({
    ...inlineQuery(visits.trend, { query: { days } }),
    ...again,
    placeholderData: keepPreviousData,
  })
  const choices = spans.map((n) => ({ value: n, label: t('home.lastDays', { n }) }))
  return (
    <Panel
      title={t('home.visits')}
      wide
      extra={<Segmented size="small" options={choices} value={days} onChange={setDays} />}
    >
      <QueryResult query={stats}>
        {(list) => (
          <div className="home-figures">
            {list.map((stat) => (
              <Stat key={stat.type} stat={stat} />
            ))}
          </div>
        )}
      </QueryResult>
      <QueryResult query={trend}>{(drawn) => <VisitChart trend={drawn} />}</QueryResult>
    </Panel>
  )
}
