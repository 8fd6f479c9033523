import type { DeviceRow } from '@tocsin/contract/device/device'
import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Result, Steps, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import '../device.css'
import './install.css'
import { MountStep } from './MountStep.tsx'
import { ProveStep } from './ProveStep.tsx'
import { ScanStep } from './ScanStep.tsx'

/** Polls because another user may act on another phone. */
const OTHERS_POLL_MS = 3_000

/** The server has the state of the installation: any phone can continue it. */
const Installed = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const query = useQuery({ ...inlineQuery(schoolDevices.get, { query: { id } }), refetchInterval: OTHERS_POLL_MS })
  const install = useApiMutation(installationCalls.install)
  return (
    <QueryResult query={query}>
      {(installed) => {
        if (installed.status === 'INSTALLED') return <ProveStep installed={installed} />
        if (installed.status === 'PLANNED')
          return (
            <Button
              type="primary"
              block
              className="install-button"
              loading={install.isPending}
              onClick={() => install.mutate({ body: { id, version: installed.version } })}
            >
              {t('device.mounted')}
            </Button>
          )
        return (
          <Result
            status="success"
            title={t('device.installedAt', { place: installed.placePath })}
            subTitle={installed.acceptedByName && t('device.acceptedBy', { name: installed.acceptedByName })}
            extra={<Link to={`/schoolDevice/detail/${id}`}>{t('device.moveInstead')}</Link>}
          />
        )
      }}
    </QueryResult>
  )
}

const stepOf = (device: DeviceRow | null | undefined): number => {
  if (!device) return 0
  if (device.installationId === null || device.installationStatus === 'PLANNED') return 1
  return device.installationStatus === 'INSTALLED' ? 2 : 3
}

const Unknown = ({ sn }: { sn: string }) => {
  const { t } = useTranslation()
  const maySeeRefused = useHasPermission('device:device:quarantine')
  return (
    <Result
      status="warning"
      title={t('device.unknownSn', { sn })}
      extra={maySeeRefused && <Link to="/device/device?tab=strangers">{t('device.adopt')}</Link>}
    />
  )
}

const Body = ({ device, sn }: { device: DeviceRow | null; sn: string }) => {
  const { t } = useTranslation()
  const mayInstall = useHasPermission('device:school-device:install')
  if (!device) return <Unknown sn={sn} />
  if (device.installationId !== null) return <Installed id={device.installationId} />
  const isFree = device.registeredLifecycle === 'IN_STOCK' || device.registeredLifecycle === 'ALLOCATED'
  return isFree && mayInstall ? <MountStep device={device} /> : <Result status="info" title={t('device.notNow')} />
}

/** The installation of a button on a phone: scan, place and picture, press, handover. */
export const InstallPage = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const sn = params.get('sn') ?? ''
  const query = useQuery({ ...inlineQuery(deviceEdits.find, { query: { sn } }), enabled: sn !== '' })
  const device = query.data
  const titles = ['device.scan', 'device.stepPlace', 'device.stepPress', 'device.done'] as const
  return (
    <Flex vertical gap="large" className="install">
      <Steps
        size="small"
        responsive={false}
        current={sn ? stepOf(device) : 0}
        titlePlacement="vertical"
        items={titles.map((title) => ({ title: t(title) }))}
      />
      {sn === '' ? (
        <ScanStep onFound={(found) => setParams({ sn: found })} />
      ) : (
        <>
          <Flex gap="small" align="center" wrap>
            <Typography.Text strong className="device-sn">
              {sn}
            </Typography.Text>
            {device && <span>{device.modelName}</span>}
            {device && <EnumTag kind="lifecycle" value={device.lifecycle} />}
            <Button type="link" onClick={() => setParams({})}>
              {t('device.another')}
            </Button>
          </Flex>
          <QueryResult query={query}>{(found) => <Body device={found} sn={sn} />}</QueryResult>
        </>
      )}
    </Flex>
  )
}
