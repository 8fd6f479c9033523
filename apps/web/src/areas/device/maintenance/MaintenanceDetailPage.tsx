import type { MaintenanceDetail } from '@tocsin/contract/device/maintenance'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { isMaintenanceOpen, type MaintenanceVerb } from '@tocsin/contract/device/maintenance-machine'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { DueClock } from '#ui/workflow/DueClock.tsx'
import { EventTimeline } from '#ui/workflow/EventTimeline.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'
import '../device.css'
import { factColumns, workColumns } from './maintenance-columns.tsx'
import { ExchangeDialog } from './ExchangeDialog.tsx'
import { OrderVerbDialog } from './OrderVerbDialog.tsx'
import { RunList } from '../procedure/run/RunList.tsx'
import { StartRunButton } from '../procedure/run/StartRunButton.tsx'
import { useOrderVerbs } from './use-order-verbs.ts'

const OrderTimeline = ({ order }: { order: MaintenanceDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const events = order.log.map(({ id, at, userName, userAccount, verb, note, assigneeName, attachments }) => ({
    key: id,
    at,
    who: formatActor({ actorName: userName, actorAccount: userAccount }),
    what: [enumLabel('maintenanceLogVerb', verb, lang), assigneeName && t('maintenance.to', { name: assigneeName })]
      .filter(Boolean)
      .join(' '),
    note,
    attachments: <AttachmentList attachments={attachments} />,
  }))
  return <EventTimeline events={events} />
}

const Actions = ({ order }: { order: MaintenanceDetail }) => {
  const lang = useLang()
  const { t } = useTranslation()
  const [asking, setAsking] = useState<MaintenanceVerb | 'exchange'>()
  const mayRemove = useHasPermission('device:school-device:remove')
  const mayInstall = useHasPermission('device:school-device:install')
  const verbs = useOrderVerbs()(order)
  const canExchange = mayRemove && mayInstall && verbs.includes('finish')
  return (
    <>
      <VerbButtons
        verbs={[
          ...verbs.map((verb) => ({
            key: verb,
            label: enumLabel('maintenanceVerb', verb, lang),
            run: () => setAsking(verb),
            danger: verb === 'cancel',
          })),
          ...(canExchange
            ? [{ key: 'exchange', label: t('maintenance.exchange'), run: () => setAsking('exchange') }]
            : []),
        ]}
      />
      {asking === 'exchange' && <ExchangeDialog order={order} onClose={() => setAsking(undefined)} />}
      {asking && asking !== 'exchange' && (
        <OrderVerbDialog verb={asking} order={order} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}

const Detail = ({ order }: { order: MaintenanceDetail }) => {
  const { t } = useTranslation()
  const maySeeRuns = useHasPermission('device:procedure:query')
  const maySeeDevice = useHasPermission('device:device:query')
  const { no, state, priority, dueAt, createTime, schoolName, placePath, sn, deviceId, finishedAt, log } = order
  const isWaiting = isMaintenanceOpen(state) && state !== 'DONE'
  const serial = <span className="device-sn">{sn}</span>
  return (
    <WorkflowPage
      title={no}
      tags={
        <>
          <EnumTag kind="maintenanceState" value={state} />
          <EnumTag kind="maintenancePriority" value={priority} />
        </>
      }
      clock={isWaiting && <DueClock dueAt={dueAt} from={createTime} label={t('maintenance.due')} />}
      subtitle={[schoolName, placePath].filter(Boolean).join(' · ')}
      actions={
        <Flex gap="small" wrap>
          <Actions order={order} />
          {isWaiting && <StartRunButton deviceId={deviceId} orderId={order.id} />}
        </Flex>
      }
      timeline={<OrderTimeline order={order} />}
    >
      <Flex vertical gap="large">
        <div>
          {t('maintenance.device')} {maySeeDevice ? <Link to={`/device/detail/${deviceId}`}>{serial}</Link> : serial}
        </div>
        <DescriptionList row={order} columns={factColumns} title={t('maintenance.facts')} />
        {(finishedAt !== null || log.some(({ verb }) => verb === 'finish')) && (
          <DescriptionList row={order} columns={workColumns} title={t('maintenance.outcome')} />
        )}
        {maySeeRuns && <RunList orderId={order.id} />}
      </Flex>
    </WorkflowPage>
  )
}

/** One order: the work with its due date, the assignee, and the timeline. */
export const MaintenanceDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(maintenanceOrders.get, { query: { id: Number(id) } }))
  const no = query.data?.no
  usePageTitle(no ? { name: no, nameEn: no } : undefined)
  return <QueryResult query={query}>{(order) => <Detail order={order} />}</QueryResult>
}
