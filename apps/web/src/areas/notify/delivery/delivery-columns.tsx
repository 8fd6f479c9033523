import { type DeliveryReason, DeliveryRow } from '@tocsin/contract/notify/delivery'
import { Flex } from 'antd'
import { column } from '#ui/column.tsx'
import { EnumLabel, EnumTag } from '#ui/EnumTag.tsx'
import { useTranslation } from 'react-i18next'

/** Time from planning to the receipt: milliseconds below one second, else seconds. */
const Took = ({ ms }: { ms: number | null }) => {
  const { t } = useTranslation()
  if (ms === null) return <>–</>
  return (
    <>
      {ms < 1000 ? t('delivery.tookMs', { n: Math.max(0, ms) }) : t('delivery.tookSec', { n: (ms / 1000).toFixed(1) })}
    </>
  )
}

const Reason = ({ reason }: { reason: DeliveryReason | null }) =>
  reason && (
    <span className="ant-typography-secondary">
      <EnumLabel kind="deliveryReason" value={reason} />
    </span>
  )

const Recipient = ({ row }: { row: DeliveryRow }) => (
  <>
    {row.recipientName}
    {row.address && <span className="ant-typography-secondary"> {row.address}</span>}
  </>
)

const state = column(DeliveryRow, 'state', {
  show: (value, { reason }) => (
    <Flex gap={4} align="center" wrap>
      <EnumTag kind="deliveryState" value={value} />
      <Reason reason={reason} />
    </Flex>
  ),
})

/** Columns of a table inside an alarm, where the subject is known. */
export const subjectColumns = [
  column(DeliveryRow, 'createdAt', { width: 170, exact: true }),
  column(DeliveryRow, 'recipientName', { main: true, show: (_, row) => <Recipient row={row} /> }),
  column(DeliveryRow, 'channel', { word: 'deliveryChannel' }),
  state,
  column(DeliveryRow, 'tookMs', { show: (ms) => <Took ms={ms} />, figure: true }),
  column(DeliveryRow, 'providerAnswer', { wideOnly: true, show: (answer) => answer ?? '–' }),
]

export const listColumns = [
  column(DeliveryRow, 'createdAt', { width: 170, exact: true }),
  column(DeliveryRow, 'title', { main: true }),
  column(DeliveryRow, 'recipientName', { show: (_, row) => <Recipient row={row} /> }),
  column(DeliveryRow, 'channel', { word: 'deliveryChannel' }),
  state,
  column(DeliveryRow, 'tookMs', { show: (ms) => <Took ms={ms} />, figure: true }),
  column(DeliveryRow, 'providerAnswer', { wideOnly: true, show: (answer) => answer ?? '–' }),
]

export const detailColumns = [
  ...listColumns,
  column(DeliveryRow, 'subjectType', { word: 'deliverySubject' }),
  column(DeliveryRow, 'body'),
  column(DeliveryRow, 'level', { tag: 'level' }),
  column(DeliveryRow, 'attempts'),
  column(DeliveryRow, 'dueAt'),
  column(DeliveryRow, 'sentAt'),
  column(DeliveryRow, 'deliveredAt'),
  column(DeliveryRow, 'readAt'),
  column(DeliveryRow, 'repliedAt'),
  column(DeliveryRow, 'endedAt'),
  column(DeliveryRow, 'providerMsgId'),
]
