import { handovers } from '@tocsin/contract/security/handover'
import { useQuery } from '@tanstack/react-query'
import { Card, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { formatTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

const POLL_MS = 30_000

/** Who sits at which desk now, and until when. */
export const SeatStrip = () => {
  const { t } = useTranslation()
  const { data } = useQuery({ ...queryFor(handovers.seats), refetchInterval: POLL_MS })
  if (!data) return null
  return (
    <Card size="small" style={{ marginBlockEnd: 16 }}>
      <Flex gap="middle" wrap align="center">
        <strong>{t('handover.seats')}</strong>
        {data.length === 0 && <Typography.Text type="secondary">{t('handover.noSeats')}</Typography.Text>}
        {data.map(({ shiftId, postName, ownerName, employeeName, checkedInAt, toAt, isOnline }) => (
          <Flex key={shiftId} gap="small" align="center">
            <ToneTag tone={isOnline ? 'done' : 'fault'}>{t(isOnline ? 'handover.online' : 'handover.offline')}</ToneTag>
            <b>{employeeName}</b>
            <span>{`${postName} · ${ownerName}`}</span>
            <Typography.Text type="secondary">
              {`${checkedInAt ? formatTime(checkedInAt).slice(0, 5) : '–'}–${formatTime(toAt).slice(0, 5)}`}
            </Typography.Text>
          </Flex>
        ))}
      </Flex>
    </Card>
  )
}
