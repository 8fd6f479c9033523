import type { OrderLight } from '@tocsin/contract/supervise/order'
import { type OrderBoardCell, supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { openOrderStates, type OrderState } from '@tocsin/contract/supervise/order-machine'
import { useQuery } from '@tanstack/react-query'
import type { TableColumnType } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { EmptyList } from '#ui/list/rows/Rows.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

/** Lights turn by time alone, of which no event tells. */
const POLL_MS = 60_000

const worstFirst: readonly OrderLight[] = ['RED', 'YELLOW', 'GREEN']

type District = { id: number; name: string; cells: readonly OrderBoardCell[] }

const toDistricts = (cells: readonly OrderBoardCell[]): District[] =>
  [...Map.groupBy(cells, ({ deptId }) => deptId)].map(([id, own]) => ({
    id,
    name: own[0]?.deptName ?? '',
    cells: own,
  }))

const countOf = (cells: readonly OrderBoardCell[], light?: OrderLight): number =>
  cells.filter((cell) => light === undefined || cell.light === light).reduce((sum, { count }) => sum + count, 0)

/** The numbers of a district by light; each leads to the list of these orders. */
const Lights = ({ district, state }: { district: District; state: OrderState }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const cells = district.cells.filter((cell) => cell.state === state)
  return (
    <div className="order-lights">
      {worstFirst.map((light) => {
        const n = countOf(cells, light)
        const words = `${district.name} · ${enumLabel('orderState', state, lang)} · ${enumLabel('orderLight', light, lang)}`
        return n === 0 ? null : (
          <Link
            key={light}
            to={`?districtId=${district.id}&state=${state}&light=${light}`}
            aria-label={t('order.boardCell', { words, n })}
          >
            <EnumTag kind="orderLight" value={light} /> {n}
          </Link>
        )
      })}
    </div>
  )
}

const Board = ({ cells }: { cells: readonly OrderBoardCell[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const columns: TableColumnType<District>[] = [
    { key: 'district', title: t('order.district'), render: (_, { name }) => name, fixed: 'start' },
    { key: 'all', title: t('order.openTotal'), align: 'end', render: (_, { cells: own }) => countOf(own) },
    ...openOrderStates.map((state) => ({
      key: state,
      title: enumLabel('orderState', state, lang),
      render: (_: unknown, district: District) => <Lights district={district} state={state} />,
    })),
  ]
  const worst = (district: District) => countOf(district.cells, 'RED') * 1000 + countOf(district.cells, 'YELLOW')
  return (
    <ScrollTable
      rowKey="id"
      columns={columns}
      dataSource={toDistricts(cells).toSorted((a, b) => worst(b) - worst(a) || a.id - b.id)}
      pagination={false}
      locale={{ emptyText: <EmptyList text={t('order.boardNone')} /> }}
    />
  )
}

/** Open orders by district and state, those with the most overdue ones first. */
export const OrderBoard = () => {
  const query = useQuery({ ...inlineQuery(supervisionOrders.board), refetchInterval: POLL_MS })
  return <QueryResult query={query}>{(cells) => <Board cells={cells} />}</QueryResult>
}
