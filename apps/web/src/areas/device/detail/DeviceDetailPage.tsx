import { type DeviceDetail, devices } from '@tocsin/contract/device/device'
import { useQuery } from '@tanstack/react-query'
import { Button, Col, Flex, Row, Tabs, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import '../device.css'
import { DeviceVerbDialog, type DeviceVerbName } from '../store/DeviceVerbDialog.tsx'
import { useDeviceVerbs } from '../store/use-device-verbs.ts'
import { BatteryTab } from './BatteryTab.tsx'
import { CommandsTab } from './CommandsTab.tsx'
import { ConnectivityTab } from './ConnectivityBand.tsx'
import { DeviceFacts } from './DeviceFacts.tsx'
import { DeviceTimeline, InstallationsTab } from './HistoryTab.tsx'
import { MessagesTab } from './MessagesTab.tsx'

/** Verbs that take a device out of use stand last. */
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
  const next = canInstall ? undefined : offered.find((verb) => !lastVerbs.includes(verb))
  const rest = offered.filter((verb) => verb !== next)
  const label = (verb: DeviceVerbName) => enumLabel('deviceVerb', verb, lang)
  return (
    <Flex gap="small" wrap>
      {rest.length > 0 && (
        <DropMenu
          menu={{
            items: rest.map((verb) => ({
              key: verb,
              label: label(verb),
              danger: verb === 'retire',
              onClick: () => setAsking(verb),
            })),
          }}
        >
          <Button>{t('system.more')}</Button>
        </DropMenu>
      )}
      {canInstall && (
        <Button type="primary" onClick={() => void navigate(`/m/install?sn=${encodeURIComponent(device.sn)}`)}>
          {t('device.installOnSite')}
        </Button>
      )}
      {next && (
        <Button type="primary" onClick={() => setAsking(next)}>
          {label(next)}
        </Button>
      )}
      {asking && <DeviceVerbDialog verb={asking} devices={[device]} onClose={() => setAsking(undefined)} />}
    </Flex>
  )
}

const Title = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  return (
    <Flex className="device-title" justify="space-between" align="center" gap="middle" wrap>
      <Flex gap="small" align="center" wrap>
        <Typography.Title level={4} style={{ margin: 0 }} className="device-sn">
          {device.sn}
        </Typography.Title>
        <EnumTag kind="lifecycle" value={device.lifecycle} />
        <EnumTag kind="connectivity" value={device.connectivity} />
        {device.lacks.map((lack) => (
          <EnumTag key={lack} kind="deviceLack" value={lack} />
        ))}
        <span>{[device.schoolName ?? t('device.stock'), device.placePath].filter(Boolean).join(' · ')}</span>
      </Flex>
      <Verbs device={device} />
    </Flex>
  )
}

const Detail = ({ device }: { device: DeviceDetail }) => {
  const { t } = useTranslation()
  const maySeeMessages = useHasPermission('device:device:message')
  const maySeeCommands = useHasPermission('device:command:query')
  const maySeeRecords = useHasPermission('warn:record:query')
  const { id } = device
  const tab = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })
  return (
    <>
      <Title device={device} />
      <Row gutter={[16, 16]}>
        <Col xs={24} xl={16}>
          <Tabs
            destroyOnHidden
            items={[
              tab('now', t('device.tabNow'), <DeviceFacts device={device} />),
              tab('connectivity', t('device.tabConnectivity'), <ConnectivityTab id={id} />),
              tab('battery', t('device.battery'), <BatteryTab device={device} />),
              ...(maySeeMessages ? [tab('messages', t('device.tabMessages'), <MessagesTab id={id} />)] : []),
              ...(maySeeCommands ? [tab('commands', t('device.commands'), <CommandsTab device={device} />)] : []),
              tab('installations', t('device.tabInstallations'), <InstallationsTab deviceId={id} />),
              ...(maySeeRecords
                ? [
                    tab(
                      'records',
                      t('device.tabRecords'),
                      <Link to={`/warn/record?deviceId=${id}`}>{t('device.recordsOf', { sn: device.sn })}</Link>,
                    ),
                  ]
                : []),
            ]}
          />
        </Col>
        <Col xs={24} xl={8}>
          <Typography.Title level={5}>{t('device.history')}</Typography.Title>
          <DeviceTimeline id={id} />
        </Col>
      </Row>
    </>
  )
}

/** Everything about one device: where it is, whether it is proven, what it said and what was done with it. */
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
