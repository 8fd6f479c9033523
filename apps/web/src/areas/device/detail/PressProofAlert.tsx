import { type DeviceModel, unpressedKinds } from '@tocsin/contract/device/model'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { formatDateTime } from '#ui/time.ts'
import { DEVICE_POLL_MS } from '../device-polling.ts'

type DeviceKind = DeviceModel['kind']

type Props = { installationId: number; kind: DeviceKind }

/** The first line of a device is its proof: the last press since it hangs here, with its milestones. */
export const PressProofAlert = ({ installationId, kind }: Props) => {
  const { t } = useTranslation()
  const { data } = useQuery({
    ...queryFor(installationCalls.proof, { query: { id: installationId } }),
    refetchInterval: DEVICE_POLL_MS,
  })
  if (data === undefined) return null
  if (data === null)
    return unpressedKinds.includes(kind) ? null : <Alert type="warning" showIcon title={t('device.notProven')} />
  const seconds = ((data.receivedAt.getTime() - data.occurredAt.getTime()) / 1000).toFixed(1)
  const text = t('device.proof', { at: formatDateTime(data.receivedAt), seconds })
  const note = data.commissioning ? 'device.proofCommissioning' : data.soundedAt && 'device.proofSounded'
  return <Alert type="success" showIcon title={note ? `${text} · ${t(note)}` : text} />
}
