import { orderLights } from '@tocsin/contract/supervise/order'
import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { EVERY_MS } from './refresh.ts'

const worstFirst = orderLights.toReversed()

/** Open supervision orders by light. */
export const OrderCard = () => {
  const { t } = useTranslation()
  const list = usePathOf()('supervise/index')
  const query = useQuery({ ...inlineQuery(supervisionOrders.board), refetchInterval: EVERY_MS })
  return (
    <QueryPanel title={t('home.orders')} extra={list && <Link to={list}>{t('home.more')}</Link>} query={query}>
      {(cells) =>
        cells.length === 0 ? (
          <div className="home-name">{t('home.noOrders')}</div>
        ) : (
          <div className="home-figures">
            {worstFirst.map((light) => (
              <StatFigure
                key={light}
                name={<EnumTag kind="orderLight" value={light} />}
                value={cells.reduce((sum, cell) => (cell.light === light ? sum + cell.count : sum), 0)}
                to={list && `${list}?light=${light}`}
                tone={light === 'RED' ? 'alert' : undefined}
              />
            ))}
          </div>
        )
      }
    </QueryPanel>
  )
}
