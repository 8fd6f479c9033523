import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatDateTime } from '#ui/time.ts'
import { CardRow } from '../parts/CardRow.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Month, day, hour and minute. */
const formatHour = (at: Date) => formatDateTime(at).slice(5, 16)

/** Schools where nobody is on duty, now or within a day. */
export const GapCard = () => {
  const { t } = useTranslation()
  const pathOf = usePathOf()
  const query = useQuery({ ...inlineQuery(homeCards.gaps), refetchInterval: EVERY_MS })
  const [list, posts] = [pathOf('security/gap'), pathOf('security/index')]
  return (
    <QueryPanel title={t('home.gapCard')} timed query={query}>
      {({ now, ahead, absent, next }) =>
        ahead === 0 ? (
          <EmptyCard text={t('home.noGaps')} to={posts} label={t('home.allPosts')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure name={t('home.gapNow')} value={now} to={list && `${list}?begun=true`} tone="warn" />
              <StatFigure name={t('home.gapAhead')} value={ahead} to={list} tone="warn" />
              <StatFigure name={t('home.gapAbsent')} value={absent} to={list && `${list}?reason=ABSENT`} tone="warn" />
            </div>
            <ul className="home-notices home-rows">
              {next.map(({ schoolId, schoolName, from, reason }) => (
                <CardRow
                  key={`${schoolId} ${from.getTime()}`}
                  tag={<EnumTag kind="gapReason" value={reason} />}
                  name={schoolName}
                  to={list && `${list}?schoolId=${schoolId}`}
                  more={t('home.gapFrom', { time: formatHour(from) })}
                />
              ))}
            </ul>
          </>
        )
      }
    </QueryPanel>
  )
}
