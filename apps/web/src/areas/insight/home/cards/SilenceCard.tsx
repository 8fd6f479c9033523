import { silence } from '@tocsin/contract/insight/silence'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { EVERY_MS } from './refresh.ts'

/** What was hidden or not sent today; a panic alarm never is. */
export const SilenceCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('notify/silence')
  const query = useQuery({ ...inlineQuery(silence.today), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.silence')} query={query}>
      {({ total, counts, panic }) => (
        <div className="home-figures">
          <StatFigure name={t('home.silenced')} value={total} to={list} />
          <StatFigure
            name={t('home.unsent')}
            value={counts.find(({ kind }) => kind === 'DELIVERY')?.n ?? 0}
            to={list}
            tone="warn"
          />
          <StatFigure name={t('home.hiddenPanic')} value={panic.hidden} to={list} tone="alert" />
        </div>
      )}
    </QueryPanel>
  )
}
