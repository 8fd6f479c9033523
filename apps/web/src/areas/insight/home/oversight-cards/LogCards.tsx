import { type HomeLogged, homeCards } from '@tocsin/contract/insight/home/home-cards'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { formatTime } from '#ui/time.ts'
import { CardRow } from '../parts/CardRow.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** The module of an action, like `system:user`. */
const moduleOf = (action: string) => action.slice(0, action.lastIndexOf(':'))
const verbOf = (action: string) => action.slice(action.lastIndexOf(':') + 1)

type LoggedCardProps = { title: string; empty: string; query: UseQueryResult<HomeLogged> }

const LoggedCard = ({ title, empty, query }: LoggedCardProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const log = usePathOf()('system/log/index')
  return (
    <QueryPanel title={title} timed query={query}>
      {({ since, people, kinds, latest }) => {
        const to = log && `${log}?succeeded=true&from=${since.getTime()}`
        return kinds.length === 0 ? (
          <EmptyCard text={empty} to={log} label={t('home.toLog')} />
        ) : (
          <>
            <div className="home-figures">
              {kinds.map(({ subType, n }) => (
                <StatFigure
                  key={subType}
                  name={enumLabel('auditVerb', subType, lang)}
                  value={n}
                  to={to && `${to}&subType=${subType}`}
                />
              ))}
              <StatFigure name={t('home.people')} value={people} />
            </div>
            <ul className="home-notices home-rows">
              {latest.map(({ id, at, userName, action }) => (
                <CardRow
                  key={id}
                  name={[userName, enumLabel('auditModule', moduleOf(action), lang)].filter(Boolean).join(' · ')}
                  to={to && `${to}&subType=${verbOf(action)}&userName=${encodeURIComponent(userName ?? '')}`}
                  more={formatTime(at).slice(0, 5)}
                />
              ))}
            </ul>
          </>
        )
      }}
    </QueryPanel>
  )
}

/** Who exported what today. */
export const ExportCard = () => {
  const { t } = useTranslation()
  const query = useQuery({ ...inlineQuery(homeCards.exports), refetchInterval: EVERY_MS })
  return <LoggedCard title={t('home.exports')} empty={t('home.noExports')} query={query} />
}

/** Who read personal data today. */
export const PersonalReadCard = () => {
  const { t } = useTranslation()
  const query = useQuery({ ...inlineQuery(homeCards.personalReads), refetchInterval: EVERY_MS })
  return <LoggedCard title={t('home.personalReads')} empty={t('home.noPersonalReads')} query={query} />
}
