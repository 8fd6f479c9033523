import { SchoolDeviceDetail, schoolDevices } from '@tocsin/contract/device/school-device'
import type { InstallationVerb } from '@tocsin/contract/device/installation'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { inlineQuery, queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import '../device.css'
import { installationColumns } from '../installation/installation-columns.tsx'
import { InstallationVerbDialog, useInstallationVerbs } from '../installation/InstallationVerbDialog.tsx'
import { InstallationsTab } from './HistoryTab.tsx'

const mounting: readonly Column<SchoolDeviceDetail>[] = [
  column(SchoolDeviceDetail, 'mountNote'),
  column(SchoolDeviceDetail, 'silent', { show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDeviceDetail, 'cameras', {
    show: (cameras) => cameras.map(({ sn, modelName }) => `${sn} (${modelName})`).join(', ') || '–',
  }),
  column(SchoolDeviceDetail, 'installedByName'),
  column(SchoolDeviceDetail, 'installedAt'),
  column(SchoolDeviceDetail, 'acceptedByName'),
  column(SchoolDeviceDetail, 'acceptedAt'),
  column(SchoolDeviceDetail, 'suspendedUntil'),
  column(SchoolDeviceDetail, 'validFrom'),
  column(SchoolDeviceDetail, 'validTo'),
]

/** The first line is proof: when it was pressed last, and how far that came. */
const Proof = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const { data } = useQuery({
    ...queryFor(installationCalls.proof, { query: { id } }),
    refetchInterval: DEVICE_POLL_MS,
  })
  if (data === undefined) return null
  if (data === null) return <Alert type="warning" showIcon title={t('device.notProven')} />
  const seconds = ((data.receivedAt.getTime() - data.occurredAt.getTime()) / 1000).toFixed(1)
  const title = t('device.proof', { at: formatDateTime(data.receivedAt), seconds })
  return <Alert type="success" showIcon title={title} />
}

const Verbs = ({ installed }: { installed: SchoolDeviceDetail }) => {
  const lang = useLang()
  const verbsOf = useInstallationVerbs()
  const [asking, setAsking] = useState<InstallationVerb>()
  return (
    <Flex gap="small" wrap>
      {verbsOf(installed)
        .toReversed()
        .map((verb, at, all) => (
          <Button key={verb} type={at === all.length - 1 ? 'primary' : 'default'} onClick={() => setAsking(verb)}>
            {enumLabel('deviceVerb', verb, lang)}
          </Button>
        ))}
      {asking && <InstallationVerbDialog verb={asking} installed={installed} onClose={() => setAsking(undefined)} />}
    </Flex>
  )
}

const Detail = ({ installed }: { installed: SchoolDeviceDetail }) => {
  const { t } = useTranslation()
  const maySeeDevice = useHasPermission('device:device:query')
  return (
    <Flex vertical gap="middle">
      <Flex className="device-title" justify="space-between" align="center" gap="middle" wrap>
        <Flex gap="small" align="center" wrap>
          <Typography.Title level={4} style={{ margin: 0 }}>
            {installed.placePath}
          </Typography.Title>
          <EnumTag kind="installation" value={installed.status} />
          {maySeeDevice ? (
            <Link className="device-sn" to={`/device/detail/${installed.deviceId}`}>
              {installed.sn}
            </Link>
          ) : (
            <span className="device-sn">{installed.sn}</span>
          )}
        </Flex>
        <Verbs installed={installed} />
      </Flex>
      <Proof id={installed.id} />
      <DescriptionList row={installed} columns={installationColumns} />
      <DescriptionList title={t('device.mounting')} row={installed} columns={mounting} />
      {installed.photos.length > 0 && (
        <Flex gap="small" wrap>
          {installed.photos.map(({ id, name, url }) => (
            <a key={id} href={url} target="_blank" rel="noreferrer">
              <img src={url} alt={name} width={160} />
            </a>
          ))}
        </Flex>
      )}
      <Typography.Title level={5}>{t('device.tabInstallations')}</Typography.Title>
      <InstallationsTab deviceId={installed.deviceId} />
    </Flex>
  )
}

/** One device on its wall: proof, mounting, and where it hung before. */
export const InstallationDetailPage = () => {
  const { id } = useParams()
  const query = useQuery({
    ...inlineQuery(schoolDevices.get, { query: { id: Number(id) } }),
    refetchInterval: DEVICE_POLL_MS,
  })
  const place = query.data?.placePath
  usePageTitle(place ? { name: place, nameEn: place } : undefined)
  return <QueryResult query={query}>{(installed) => <Detail installed={installed} />}</QueryResult>
}
