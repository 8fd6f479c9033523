import { type OrderLight, SupervisionOrderRow } from '@tocsin/contract/supervise/order'
import { orderTextIn } from '@tocsin/contract/supervise/order-evidence'
import { useTranslation } from 'react-i18next'
import { column } from '#ui/column.tsx'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatDateTime } from '#ui/time.ts'
import { useClockText } from '#ui/workflow/DueClock.tsx'

const OrderLightTag = ({ light }: { light: SupervisionOrderRow['light'] }) =>
  light === null ? <>–</> : <EnumTag kind="orderLight" value={light} />

const clockStates = { GREEN: 'left', YELLOW: 'soon', RED: 'overdue' } as const satisfies Record<OrderLight, string>

/** The time left, or overdue, in the color of the light. */
const RemainingTime = ({ dueAt, light }: { dueAt: Date; light: OrderLight }) => {
  const { t } = useTranslation()
  const left = dueAt.getTime() - useServerTime()
  const text = useClockText(left)
  return (
    <time
      className="due-clock"
      data-state={clockStates[light]}
      dateTime={dueAt.toISOString()}
      title={formatDateTime(dueAt)}
    >
      {left < 0 ? t('order.overdueBy', { text }) : text}
    </time>
  )
}

/** Nobody is waited for once it is submitted or over. */
const remaining = {
  ...column(SupervisionOrderRow, 'dueAt', {
    width: 136,
    title: (lang) => (lang === 'en' ? 'Remaining' : '剩余'),
    show: (dueAt, { light, state }) =>
      light === null || state === 'SUBMITTED' ? '–' : <RemainingTime dueAt={dueAt} light={light} />,
  }),
  key: 'remaining',
}

/** Finished milestones of all. */
const countDone = ({ nodes }: SupervisionOrderRow) =>
  nodes.length === 0 ? '–' : `${nodes.filter(({ doneAt }) => doneAt !== null).length}/${nodes.length}`

const OrderTitle = ({ order }: { order: SupervisionOrderRow }) => <>{orderTextIn(order, useLang()).title}</>

export const orderColumns = [
  column(SupervisionOrderRow, 'light', { width: 96, show: (light) => <OrderLightTag light={light} /> }),
  column(SupervisionOrderRow, 'no', { width: 168 }),
  column(SupervisionOrderRow, 'title', { main: true, show: (_, row) => <OrderTitle order={row} /> }),
  column(SupervisionOrderRow, 'kind', { word: 'orderKind', wideOnly: true }),
  column(SupervisionOrderRow, 'responsibleName'),
  column(SupervisionOrderRow, 'nodes', { width: 88, wideOnly: true, show: (_, row) => countDone(row) }),
  column(SupervisionOrderRow, 'dueAt'),
  remaining,
  column(SupervisionOrderRow, 'state', { tag: 'orderState' }),
]
