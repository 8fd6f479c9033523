import { SchoolDeviceDetail, schoolDevices } from '@tocsin/contract/device/school-device'
import type { InstallationVerb } from '@tocsin/contract/device/installation'
import { useQuery } from '@tanstack/react-query'
import { Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { IssueOrderButton } from '#ui/workflow/IssueOrderButton.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { DEVICE_POLL_MS } from '../device-polling.ts'
import '../device.css'
import { installationColumns } from '../installation/installation-columns.tsx'
import { InstallationVerbDialog, useInstallationVerbs, useMayReplace } from '../installation/InstallationVerbDialog.tsx'
import { ReplaceDialog } from '../installation/ReplaceDialog.tsx'
import { InstallationsTab } from './HistoryTab.tsx'
import { InstallationPlace } from './InstallationPlace.tsx'
import { PressProofAlert } from './PressProofAlert.tsx'

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

const Verbs = ({ installed }: { installed: SchoolDeviceDetail }) => {
  const lang = useLang()
  const verbsOf = useInstallationVerbs()
  const { t } = useTranslation()
  const [asking, setAsking] = useState<InstallationVerb>()
  const [isReplacing, setReplacing] = useState(false)
  const mayReplace = useMayReplace()
  const replace = { key: 'replace', label: t('device.replace'), run: () => setReplacing(true) }
  return (
    <>
      <VerbButtons
        verbs={[
          ...verbsOf(installed).map((verb) => ({
            key: verb,
            label: enumLabel('deviceVerb', verb, lang),
            danger: verb === 'remove',
            run: () => setAsking(verb),
          })),
          ...(mayReplace(installed) ? [replace] : []),
        ]}
      />
      {isReplacing && <ReplaceDialog installed={installed} onClose={() => setReplacing(false)} />}
      {asking && <InstallationVerbDialog verb={asking} installed={installed} onClose={() => setAsking(undefined)} />}
    </>
  )
}

const Detail = ({ installed }: { installed: SchoolDeviceDetail }) => {
  const { t } = useTranslation()
  const maySeeDevice = useHasPermission('device:device:query')
  return (
    <WorkflowPage
      title={installed.placePath}
      tags={<EnumTag kind="installation" value={installed.status} />}
      subtitle={
        maySeeDevice ? (
          <Link className="device-sn" to={`/device/detail/${installed.deviceId}`}>
            {installed.sn}
          </Link>
        ) : (
          <span className="device-sn">{installed.sn}</span>
        )
      }
      actions={
        <Flex gap="small" wrap>
          <Verbs installed={installed} />
          <IssueOrderButton subjectType="SCHOOL_DEVICE" subjectId={installed.id} />
        </Flex>
      }
    >
      <Flex vertical gap="middle">
        <PressProofAlert installationId={installed.id} kind={installed.kind} />
        <DescriptionList row={installed} columns={installationColumns} />
        <DescriptionList title={t('device.mounting')} row={installed} columns={mounting} />
        <InstallationPlace installed={installed} />
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
    </WorkflowPage>
  )
}

/** One installation: proof, mounting, and earlier places of the device. */
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
