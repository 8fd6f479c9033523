import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { CardRow } from '../parts/CardRow.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Incidents that wait for a unit, the oldest first. */
export const DispatchCard = () => {
  const { t } = useTranslation()
  const pathOf = usePathOf()
  const query = useQuery({ ...inlineQuery(homeCards.dispatch), refetchInterval: EVERY_MS })
  const [desk, list] = [pathOf('policeSituation/desk'), pathOf('policeSituation/index')]
  return (
    <QueryPanel
      title={t('home.dispatch')}
      extra={desk && <Link to={desk}>{t('home.toDispatchDesk')}</Link>}
      query={query}
    >
      {({ since, unclaimed, toDispatch, overdue, waiting }) => {
        const to = list && `${list}?state=RECEIVED&from=${since.getTime()}`
        return waiting.length === 0 ? (
          <EmptyCard text={t('home.noDispatch')} to={list} label={t('home.allIncidents')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure
                name={t('home.unclaimed')}
                value={unclaimed}
                to={to && `${to}&claimed=false`}
                tone={overdue > 0 ? 'alert' : 'warn'}
              />
              <StatFigure name={t('home.toDispatch')} value={toDispatch} to={to && `${to}&claimed=true`} tone="warn" />
              <StatFigure name={t('home.overdue')} value={overdue} to={to && `${to}&overdue=true`} tone="alert" />
            </div>
            <ul className="home-notices home-rows">
              {waiting.map(({ id, no, grade, schoolName, place, receivedAt }) => (
                <CardRow
                  key={id}
                  tag={<EnumTag kind="level" value={grade} />}
                  name={[schoolName, place].filter(Boolean).join(' · ') || no}
                  to={desk ? `${desk}?id=${id}` : `/police/situation/detail/${id}`}
                  more={<RelativeTime at={receivedAt} />}
                />
              ))}
            </ul>
          </>
        )
      }}
    </QueryPanel>
  )
}
