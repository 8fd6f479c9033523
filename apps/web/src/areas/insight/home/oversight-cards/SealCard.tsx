import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { SELDOM_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Whether the latest seals of the operation log still match its entries. */
export const SealCard = () => {
  const { t } = useTranslation()
  const log = usePathOf()('system/log/index')
  const query = useQuery({ ...inlineQuery(homeCards.seals), refetchInterval: SELDOM_MS })
  return (
    <QueryPanel title={t('home.seals')} extra={log && <Link to={log}>{t('home.toLog')}</Link>} timed query={query}>
      {({ seals, rows, waiting, lastAt, broken }) =>
        lastAt === null ? (
          <EmptyCard text={t('home.noSeals')} to={log} label={t('home.toLog')} />
        ) : (
          <>
            <div>
              <ToneTag tone={broken === null ? 'done' : 'fault'}>
                {broken === null ? t('home.sealsWhole') : t('home.sealBroken', { n: broken })}
              </ToneTag>{' '}
              <span className="home-more">
                {t('home.lastSeal')} <RelativeTime at={lastAt} />
              </span>
            </div>
            <div className="home-figures">
              <StatFigure name={t('home.sealsChecked')} value={seals} />
              <StatFigure name={t('home.rowsChecked')} value={rows} to={log} />
              <StatFigure name={t('home.sealWaiting')} value={waiting} />
            </div>
          </>
        )
      }
    </QueryPanel>
  )
}
