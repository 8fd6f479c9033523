import { type DeviceDetail, devices } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Flex, Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'
import { RelatedAlarms } from '#ui/related/RelatedAlarms.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { IssueOrderButton } from '#ui/workflow/IssueOrderButton.tsx'
import { type VerbButton, VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import '../device.css'
import { HealthTags } from '../HealthTags.tsx'
import { RunList } from '../procedure/run/RunList.tsx'
import { StartRunButton } from '../procedure/run/StartRunButton.tsx'
import { DeviceVerbDialog, type DeviceVerbName } from '../store/DeviceVerbDialog.tsx'
import { useDeviceVerbs } from '../store/use-device-verbs.ts'
import { BatteryTab } from './BatteryTab.tsx'
import { CommandsTab } from './CommandsTab.tsx'
import { ConnectivityTab } from './ConnectivityBand.tsx'
import { DeviceFacts } from './DeviceFacts.tsx'
import { DeviceOrders } from './DeviceOrders.tsx'
import { DeviceTimeline, InstallationsTab } from './HistoryTab.tsx'
import { MessagesTab } from './MessagesTab.tsx'
import { PressProofAlert } from './PressProofAlert.tsx'

/** Verbs that take a device out of use are last. */
const lastVerbs: readonly DeviceVerbName[] = ['suspend', 'repair', 'lost', 'retire']

const Verbs = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<DeviceVerbName>()
  const verbsOf = useDeviceVerbs()
  const mayInstall = useHasPermission('device:school-device:install')
  const canInstall = mayInstall && ['IN_STOCK', 'ALLOCATED'].includes(device.registeredLifecycle)
  const offered = verbsOf(device)
  const button = (verb: DeviceVerbName): VerbButton => ({
    key: verb,
    label: enumLabel('deviceVerb', verb, lang),
    danger: lastVerbs.includes(verb),
    run: () => setAsking(verb),
  })
  const install = {
    key: 'install',
    label: t('device.installOnSite'),
    run: () => void navigate(`/m/install?sn=${encodeURIComponent(device.sn)}`),
  }
  return (
    <>
      <Flex gap="small" wrap>
        <VerbButtons verbs={[...(canInstall ? [install] : []), ...offered.map(button)]} />
        {device.registeredLifecycle !== 'RETIRED' && <StartRunButton deviceId={device.id} />}
        {device.installationId !== null && (
          <IssueOrderButton subjectType="SCHOOL_DEVICE" subjectId={device.installationId} />
        )}
      </Flex>
      {asking && <DeviceVerbDialog verb={asking} devices={[device]} onClose={() => setAsking(undefined)} />}
    </>
  )
}

const Detail = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  const maySeeMessages = useHasPermission('device:device:message')
  const maySeeCommands = useHasPermission('device:command:query')
  const maySeeRuns = useHasPermission('device:procedure:query')
  const maySeeRecords = useHasPermission('warn:record:query')
  const maySeeOrders = useHasPermission('device:maintenance:query')
  const maySeeInstallations = useHasPermission('device:school-device:query')
  const { id } = device
  const tab = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })
  return (
    <WorkflowPage
      title={<span className="device-sn">{device.sn}</span>}
      tags={
        <>
          <EnumTag kind="lifecycle" value={device.lifecycle} />
          <EnumTag kind="connectivity" value={device.connectivity} />
          <HealthTags flags={device.healthFlags} />
          <ReadinessBadge prefix score={device.readiness} deviceId={id} />
          {device.lacks.map((lack) => (
            <EnumTag key={lack} kind="deviceLack" value={lack} />
          ))}
        </>
      }
      subtitle={[device.schoolName ?? t('device.stock'), device.placePath].filter(Boolean).join(' · ')}
      actions={<Verbs device={device} />}
      timeline={<DeviceTimeline id={id} />}
    >
      {maySeeInstallations && device.installationId !== null && (
        <PressProofAlert installationId={device.installationId} kind={device.kind} />
      )}
      <Tabs
        destroyOnHidden
        items={[
          tab('now', t('device.tabNow'), <DeviceFacts device={device} />),
          tab('connectivity', t('device.tabConnectivity'), <ConnectivityTab id={id} />),
          tab('battery', t('device.battery'), <BatteryTab device={device} />),
          ...(maySeeMessages ? [tab('messages', t('device.tabMessages'), <MessagesTab id={id} />)] : []),
          ...(maySeeCommands ? [tab('commands', t('device.commands'), <CommandsTab device={device} />)] : []),
          tab('installations', t('device.tabInstallations'), <InstallationsTab deviceId={id} />),
          ...(maySeeRuns ? [tab('runs', t('procedure.runs'), <RunList deviceId={id} />)] : []),
          ...(maySeeOrders ? [tab('orders', t('device.tabOrders'), <DeviceOrders device={device} />)] : []),
          ...(maySeeRecords ? [tab('records', t('device.tabRecords'), <RelatedAlarms of={{ deviceId: id }} />)] : []),
        ]}
      />
    </WorkflowPage>
  )
}

/** All data of one device: place, proof, messages and history. */
export const DeviceDetailPage = () => {
  const { id } = useParams()
  const query = useQuery({
    ...inlineQuery(devices.get, { query: { id: Number(id) } }),
    refetchInterval: DEVICE_POLL_MS,
  })
  const sn = query.data?.sn
  usePageTitle(sn ? { name: sn, nameEn: sn } : undefined)
  return <QueryResult query={query}>{(device) => <Detail device={device} />}</QueryResult>
}
