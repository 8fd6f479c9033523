import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { CardRow } from '../parts/CardRow.tsx'
import { SELDOM_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Percent with one decimal. */
const toShare = (part: number, whole: number) => Math.round((1000 * part) / whole) / 10

/** False alarms of the last 30 days, as a rate against the 30 days before. */
export const FalseRateCard = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const pathOf = usePathOf()
  const query = useQuery({ ...inlineQuery(homeCards.falseRate), refetchInterval: SELDOM_MS })
  const [govern, records] = [pathOf('dashboard/govern'), pathOf('warn/record/index')]
  const name = (cause: string) => (cause.startsWith('FALSE_') ? enumLabel('disposition', cause, lang) : cause)
  return (
    <QueryPanel
      title={t('home.falseRate')}
      extra={govern && <Link to={govern}>{t('home.toGovern')}</Link>}
      timed
      query={query}
    >
      {({ since, n, resolved, rate, rateBefore, causes }) => {
        const list = records && `${records}?mode=LIVE&from=${since.getTime()}`
        return rate === null && n === 0 ? (
          <EmptyCard text={t('home.noFalseRate')} to={govern} label={t('home.toGovern')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure
                name={t('home.falsePerThousand')}
                value={rate}
                to={govern}
                more={rateBefore !== null && t('home.rateBefore', { n: rateBefore })}
                tone={rate !== null && rateBefore !== null && rate > rateBefore ? 'warn' : undefined}
              />
              <StatFigure
                name={t('home.falseCount')}
                value={n}
                to={list && `${list}&falseAlarm=true`}
                more={resolved > 0 && t('home.falseShare', { n: toShare(n, resolved) })}
              />
            </div>
            <ul className="home-notices home-rows">
              {causes.map(({ cause, n: times }) => (
                <CardRow key={cause} name={name(cause)} more={t('home.times', { n: times })} />
              ))}
            </ul>
          </>
        )
      }}
    </QueryPanel>
  )
}
