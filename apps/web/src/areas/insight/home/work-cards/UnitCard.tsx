import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { CardRow } from '../parts/CardRow.tsx'
import { EVERY_MS } from '../cards/refresh.ts'
import { EmptyCard } from '../parts/EmptyCard.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'

/** Units of the police by what they do now. */
export const UnitCard = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const list = usePathOf()('police/unit')
  const query = useQuery({ ...inlineQuery(homeCards.units), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.units')} extra={list && <Link to={list}>{t('home.more')}</Link>} query={query}>
      {({ states, busy }) =>
        states.every(({ n }) => n === 0) ? (
          <EmptyCard text={t('home.noUnits')} to={list} label={t('home.addUnit')} />
        ) : (
          <>
            <div className="home-figures">
              {states.map(({ state, n }) => (
                <StatFigure
                  key={state}
                  name={enumLabel('unitState', state, lang)}
                  value={n}
                  to={list && `${list}?state=${state}`}
                />
              ))}
            </div>
            {busy.length > 0 && (
              <ul className="home-notices home-rows">
                {busy.map(({ id, name, state, situationId, situationNo }) => (
                  <CardRow
                    key={id}
                    tag={<EnumTag kind="unitState" value={state} />}
                    name={name}
                    to={situationId === null ? undefined : `/police/situation/detail/${situationId}`}
                    more={situationNo}
                  />
                ))}
              </ul>
            )}
          </>
        )
      }
    </QueryPanel>
  )
}
