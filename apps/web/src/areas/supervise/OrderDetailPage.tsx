import { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { type OrderVerb, orderRule, orderVerbs, whyNotOrder } from '@tocsin/contract/supervise/order-machine'
import { orderTextIn } from '@tocsin/contract/supervise/order-evidence'
import { useQuery } from '@tanstack/react-query'
import { PrinterOutlined } from '@ant-design/icons'
import { Button, Card, Flex, Steps, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { DueClock } from '#ui/workflow/DueClock.tsx'
import { EventTimeline } from '#ui/workflow/EventTimeline.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'
import { OrderVerbDialog } from './OrderVerbDialog.tsx'
import { OrderEvidenceCard } from './subject/OrderEvidenceCard.tsx'
import { SubjectLink } from './subject/SubjectLink.tsx'
import './supervise.css'

/** Lights change by time alone, and links to files expire after ten minutes. */
const POLL_MS = 60_000

const facts = [
  column(SupervisionOrderDetail, 'kind', { word: 'orderKind' }),
  column(SupervisionOrderDetail, 'subjectLabel', { show: (_, order) => <SubjectLink {...order} /> }),
  column(SupervisionOrderDetail, 'issuerDeptName'),
  column(SupervisionOrderDetail, 'issuerName'),
  column(SupervisionOrderDetail, 'responsibleName'),
  column(SupervisionOrderDetail, 'responsibleUserName'),
  column(SupervisionOrderDetail, 'assistNames'),
  column(SupervisionOrderDetail, 'issuedAt'),
  column(SupervisionOrderDetail, 'signDueAt'),
  column(SupervisionOrderDetail, 'dueAt'),
]

const extension = [
  column(SupervisionOrderDetail, 'extensionState', { tag: 'extensionState' }),
  column(SupervisionOrderDetail, 'extensionTo'),
  column(SupervisionOrderDetail, 'extensionReason'),
  column(SupervisionOrderDetail, 'extensionProgress'),
]

const Verbs = ({ order }: { order: SupervisionOrderDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<OrderVerb>()
  const permissions = useSession(({ permissions: held }) => held)
  const userId = useSession(({ user }) => user?.id ?? 0)
  const { isIssuer, isResponsible } = order
  const allowed = orderVerbs.filter(
    (verb) =>
      permissions.has(orderRule(verb).permission) &&
      whyNotOrder(verb, order, { userId, isIssuer, isResponsible }) === undefined,
  )
  // A request for an extension is answered first.
  const next = allowed.toSorted((a, b) => Number(b === 'approveExtension') - Number(a === 'approveExtension'))
  const edit = order.state === 'DRAFT' &&
    isIssuer &&
    permissions.has('supervise:order:draft') && {
      key: 'edit',
      label: t('list.edit'),
      run: () => void navigate(`/supervise/form?id=${order.id}`),
    }
  return (
    <>
      <VerbButtons
        verbs={[
          ...next.map((verb) => ({
            key: verb,
            label: enumLabel('orderVerb', verb, lang),
            run: () => setAsking(verb),
            danger: verb === 'revoke',
          })),
          ...(edit ? [edit] : []),
        ]}
      />
      {asking && <OrderVerbDialog verb={asking} order={order} onClose={() => setAsking(undefined)} />}
    </>
  )
}

const Milestones = ({ nodes }: Pick<SupervisionOrderDetail, 'nodes'>) => (
  <Steps
    size="small"
    current={nodes.findIndex(({ doneAt }) => doneAt === null)}
    items={nodes.map(({ name, dueAt, doneAt }) => ({
      title: name,
      content: formatDateTime(doneAt ?? dueAt),
      status: doneAt ? ('finish' as const) : ('wait' as const),
    }))}
  />
)

const OrderClock = ({ order }: { order: SupervisionOrderDetail }) => {
  const { t } = useTranslation()
  if (order.light === null || order.state === 'SUBMITTED') return null
  const from = order.issuedAt ?? order.createTime
  if (order.state === 'ISSUED' && order.signDueAt)
    return <DueClock dueAt={order.signDueAt} from={from} label={t('order.receive')} />
  return <DueClock dueAt={order.dueAt} from={from} label={t('order.conclude')} />
}

const OrderTimeline = ({ order }: { order: SupervisionOrderDetail }) => {
  const lang = useLang()
  return (
    <EventTimeline
      events={order.log.map(({ id, at, userName, userAccount, verb, text, attachments }) => ({
        key: id,
        at,
        who: formatActor({ actorName: userName, actorAccount: userAccount }),
        what: enumLabel('orderLogVerb', verb, lang),
        note: text,
        attachments: <AttachmentList attachments={attachments} />,
      }))}
    />
  )
}

const Detail = ({ order }: { order: SupervisionOrderDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { title, content, requirement } = orderTextIn(order, lang)
  return (
    <WorkflowPage
      title={order.no}
      tags={
        <Flex gap={4} wrap>
          <EnumTag kind="orderState" value={order.state} />
          {order.light && <EnumTag kind="orderLight" value={order.light} />}
          {order.evaluation !== null && <span>{t('order.evaluationOf', { n: order.evaluation })}</span>}
        </Flex>
      }
      clock={<OrderClock order={order} />}
      subtitle={order.responsibleName}
      actions={
        <Flex gap="small" align="center">
          <Verbs order={order} />
          <Button
            className="no-print"
            icon={<PrinterOutlined />}
            aria-label={t('order.print')}
            title={t('order.print')}
            onClick={() => window.print()}
          />
        </Flex>
      }
      timeline={<OrderTimeline order={order} />}
    >
      <Flex vertical gap="middle">
        <Typography.Title level={5} style={{ margin: 0 }}>
          {title}
        </Typography.Title>
        {order.extensionState === 'REQUESTED' && (
          <Card size="small" title={t('order.extensionCard', { n: order.extensionCount + 1 })}>
            <DescriptionList row={order} columns={extension} />
          </Card>
        )}
        <Typography.Paragraph style={{ whiteSpace: 'pre-wrap' }}>{content}</Typography.Paragraph>
        {order.evidence && <OrderEvidenceCard order={order} evidence={order.evidence} />}
        <Typography.Paragraph strong style={{ whiteSpace: 'pre-wrap' }}>
          {requirement}
        </Typography.Paragraph>
        <AttachmentList attachments={order.attachments} />
        {order.nodes.length > 0 && <Milestones nodes={order.nodes} />}
        <DescriptionList row={order} columns={facts} />
        {order.transferredTo !== null && (
          <Link to={`/supervise/detail/${order.transferredTo}`}>{t('order.passedOnTo')}</Link>
        )}
        {order.transferredFrom !== null && (
          <Link to={`/supervise/detail/${order.transferredFrom}`}>{t('order.passedOnFrom')}</Link>
        )}
      </Flex>
    </WorkflowPage>
  )
}

/** One order: its content, due date, progress, and next actions. */
export const OrderDetailPage = () => {
  const { id } = useParams()
  const query = useQuery({
    ...inlineQuery(supervisionOrders.get, { query: { id: Number(id) } }),
    refetchInterval: POLL_MS,
  })
  const no = query.data?.no
  usePageTitle(no ? { name: no, nameEn: no } : undefined)
  return (
    <div className="order-print">
      <QueryResult query={query}>{(order) => <Detail order={order} />}</QueryResult>
    </div>
  )
}
