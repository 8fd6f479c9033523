import { rollouts } from '@tocsin/contract/device/rollout/rollout-calls'
import { openRolloutStates } from '@tocsin/contract/device/rollout/rollout-machine'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { CardRow } from '../parts/CardRow.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

const LATEST = 5

/** Rollouts that are not over yet. */
export const RolloutCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('device/rollout')
  const open = { state: [...openRolloutStates], pageSize: LATEST }
  const query = useQuery({ ...inlineQuery(rollouts.page, { query: open }), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.rollouts')} extra={list && <Link to={list}>{t('home.more')}</Link>} query={query}>
      {(page) =>
        page.list.length === 0 ? (
          <EmptyCard text={t('home.noRollouts')} to={list} label={t('home.planRollout')} />
        ) : (
          <>
            <div className="home-figures">
              <StatFigure
                name={t('home.rolloutsOpen')}
                value={page.total}
                to={list && `${list}?state=${openRolloutStates.join()}`}
              />
            </div>
            <ul className="home-notices home-rows">
              {page.list.map(({ id, name, state, figures: { updated, failed, total } }) => (
                <CardRow
                  key={id}
                  tag={<EnumTag kind="rolloutState" value={state} />}
                  name={name}
                  to={list && `/device/rollout/${id}`}
                  more={
                    failed > 0
                      ? t('home.rolloutFailed', { updated, total, failed })
                      : t('home.rolloutDone', { updated, total })
                  }
                />
              ))}
            </ul>
          </>
        )
      }
    </QueryPanel>
  )
}
