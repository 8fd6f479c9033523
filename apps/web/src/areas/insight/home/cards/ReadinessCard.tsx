import { homes } from '@tocsin/contract/insight/home'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { EVERY_MS } from './refresh.ts'

const WIDTH = 240
const HEIGHT = 48

/** A line of a score from 0 to 100; the chart library would weigh more than the page. */
const TrendLine = ({ days }: { days: readonly { day: string; score: number }[] }) => {
  const { t } = useTranslation()
  const [first, last] = [days.at(0), days.at(-1)]
  if (!first || !last || days.length < 2) return null
  const points = days.map(
    ({ score }, at) => `${(at / (days.length - 1)) * WIDTH},${HEIGHT - 2 - (score / 100) * (HEIGHT - 4)}`,
  )
  const label = t('home.trend', { from: first.score, to: last.score, n: days.length })
  return (
    <figure className="home-trend">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption className="home-more">{label}</figcaption>
    </figure>
  )
}

/** Readiness of all schools that the user sees. */
export const ReadinessCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('insight/readiness')
  const query = useQuery({ ...inlineQuery(homes.readiness), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.readiness')} extra={list && <Link to={list}>{t('home.more')}</Link>} query={query}>
      {({ score, schools, low, days }) =>
        score === null ? (
          <div className="home-name">{t('home.noReadiness')}</div>
        ) : (
          <>
            <div className="home-figures">
              <StatFigure name={t('home.score')} value={score} to={list} />
              <StatFigure name={t('home.schools')} value={schools} to={list} />
              <StatFigure name={t('home.lowSchools')} value={low} to={list && `${list}?low=true`} tone="warn" />
            </div>
            <TrendLine days={days} />
          </>
        )
      }
    </QueryPanel>
  )
}
