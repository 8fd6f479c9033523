import type { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { OrderEvidence } from '@tocsin/contract/supervise/order-evidence'
import { superviseLabel } from '@tocsin/contract/supervise/supervise-labels'
import { Card, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePathOf } from '#shell/path-of.ts'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { countedAlarms } from './counted-alarms.ts'

/** The known facts of one kind of evidence, under the names that this kind gives its figures. */
const columnsOf = (evidence: OrderEvidence): Column<OrderEvidence>[] =>
  [
    column(OrderEvidence, 'figure', { title: (lang) => superviseLabel('evidenceFigure', evidence.kind, lang) }),
    column(OrderEvidence, 'total', { title: (lang) => superviseLabel('evidenceTotal', evidence.kind, lang) }),
    column(OrderEvidence, 'limit', { title: (lang) => superviseLabel('evidenceLimit', evidence.kind, lang) }),
    column(OrderEvidence, 'level', { tag: 'level' }),
    column(OrderEvidence, 'place'),
    column(OrderEvidence, 'since'),
    column(OrderEvidence, 'until'),
  ].filter(({ key }) => evidence[key as keyof OrderEvidence] !== null)

type Props = { order: SupervisionOrderDetail; evidence: OrderEvidence }

/** The alarms that a rate of false ones was counted from. */
const CountedAlarms = ({ order, evidence }: Props) => {
  const { t } = useTranslation()
  const records = usePathOf()('warn/record/index')
  const counted = countedAlarms(evidence, order.schoolId)
  if (!records || !counted) return null
  return (
    <Flex gap="middle" wrap>
      <Link to={`${records}?${counted.all}`}>{t('order.countedAlarms', { n: evidence.total ?? 0 })}</Link>
      <Link to={`${records}?${counted.false}`}>{t('order.falseAlarms', { n: evidence.figure })}</Link>
    </Flex>
  )
}

/** What the system found when it issued the order. */
export const OrderEvidenceCard = (props: Props) => {
  const { t } = useTranslation()
  return (
    <Card size="small" title={t('order.evidence')}>
      <Flex vertical gap="small">
        <DescriptionList row={props.evidence} columns={columnsOf(props.evidence)} />
        <CountedAlarms {...props} />
      </Flex>
    </Card>
  )
}
