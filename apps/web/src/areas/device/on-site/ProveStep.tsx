import { devices } from '@tocsin/contract/device/device'
import type { SchoolDeviceDetail } from '@tocsin/contract/device/school-device'
import { installationCalls, type PressProof } from '@tocsin/contract/device/school-device-verbs'
import { CheckCircleFilled, ClockCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, QRCode, Typography } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { formatTime } from '#ui/time.ts'
import { installAddress } from '../install-address.ts'

const PRESS_POLL_MS = 1_500
/** Without a press for so long something is wrong. */
const PATIENCE_MS = 60_000

const Milestone = ({ label, at }: { label: string; at: Date | null | undefined }) => (
  <Flex gap="small" align="center" className="install-milestone">
    {at ? <CheckCircleFilled style={{ color: '#0a8f6b' }} /> : <ClockCircleOutlined />}
    <span>{label}</span>
    <b>{at ? formatTime(at) : '–'}</b>
  </Flex>
)

const Press = ({ proof }: { proof: PressProof | null }) => {
  const { t } = useTranslation()
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Flex vertical gap="small" aria-live="polite">
      <Typography.Title level={4}>{t(proof ? 'device.pressed' : 'device.pressNow')}</Typography.Title>
      <Milestone label={t('device.stepPressed')} at={proof?.occurredAt} />
      <Milestone label={t('device.stepReceived')} at={proof?.receivedAt} />
      <Milestone label={t('device.stepDisplayed')} at={proof?.displayedAt} />
      {proof && !proof.commissioning && <Milestone label={t('device.stepSounded')} at={proof.soundedAt} />}
      <Typography.Text type="secondary">
        {t(proof ? (proof.commissioning ? 'device.pressSilent' : 'device.pressRang') : 'device.pressExpected')}
      </Typography.Text>
      {late && !proof && <Alert type="warning" showIcon title={t('device.noPress')} />}
    </Flex>
  )
}

const Handover = ({ sn }: { sn: string }) => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap="small" align="center">
      <Typography.Title level={4}>{t('device.handover')}</Typography.Title>
      <p>{t('device.handoverHelp')}</p>
      <QRCode value={installAddress(sn)} size={200} type="svg" color="#000000" bgColor="#ffffff" />
    </Flex>
  )
}

/** Steps 4 and 5: a received press, then the acceptance by another person on their own phone. */
export const ProveStep = ({ installed }: { installed: SchoolDeviceDetail }) => {
  const { t } = useTranslation()
  const mayAccept = useHasPermission('device:school-device:accept')
  const userId = useSession(({ user }) => user?.id)
  const accept = useApiMutation(installationCalls.accept, { also: [devices.page] })
  const { data: proof = null } = useQuery({
    ...queryFor(installationCalls.proof, { query: { id: installed.id } }),
    refetchInterval: PRESS_POLL_MS,
  })
  const isInstaller = installed.installedBy === userId
  return (
    <Flex vertical gap="large">
      <Press proof={proof} />
      {mayAccept && !isInstaller ? (
        <Button
          type="primary"
          className="install-button"
          disabled={proof === null}
          loading={accept.isPending}
          onClick={() => accept.mutate({ body: { id: installed.id, version: installed.version } })}
        >
          {t('device.acceptNow')}
        </Button>
      ) : (
        <Handover sn={installed.sn} />
      )}
    </Flex>
  )
}
