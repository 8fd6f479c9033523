import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { CardRow } from '../parts/CardRow.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Bullying alarms: what a counsellor works on. */
export const BullyingCard = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const list = usePathOf()('warn/record/index')
  const query = useQuery({ ...inlineQuery(homeCards.bullying), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.bullying')} query={query}>
      {({ since, open, recent, waiting }) => {
        const all = list && `${list}?mode=LIVE&class=BULLY`
        const to = all && `${all}&continued=false&from=${since.getTime()}`
        return open + recent === 0 ? (
          <EmptyCard text={t('home.noBullying')} to={to} label={t('home.more')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure name={t('home.bullyingOpen')} value={open} to={all && `${all}&open=true`} tone="warn" />
              <StatFigure name={t('home.lastDays', { n: 30 })} value={recent} to={to} />
            </div>
            <ul className="home-notices home-rows">
              {waiting.map(({ id, code, level, schoolName, placePath, receivedAt }) => (
                <CardRow
                  key={id}
                  tag={<EnumTag kind="level" value={level} />}
                  name={[enumLabel('alarmCode', code, lang), placePath ?? schoolName].filter(Boolean).join(' · ')}
                  to={list && `${list}?record=${id}`}
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
