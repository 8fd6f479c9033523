import type { RecordDetail } from '@tocsin/contract/alarm/records'
import { EyeInvisibleOutlined, EyeOutlined, SoundOutlined } from '@ant-design/icons'
import { Flex, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { listSeatStates, type SeatState } from './replay-events.ts'

const wordOf = ({ isDisplayed, isSounded }: SeatState) => {
  if (isDisplayed) return isSounded ? 'replay.seatBoth' : 'replay.seatShown'
  return isSounded ? 'replay.seatSounded' : 'replay.seatNothing'
}
const iconOf = ({ isDisplayed, isSounded }: SeatState) => {
  if (isSounded) return <SoundOutlined />
  return isDisplayed ? <EyeOutlined /> : <EyeInvisibleOutlined />
}

/** What each seat had displayed and sounded at the moment. */
export const SeatStates = ({ sightings, at }: { sightings: RecordDetail['sightings']; at: number }) => {
  const { t } = useTranslation()
  const seats = listSeatStates(sightings, at)
  return (
    <Flex gap="small" wrap align="center" role="group" aria-label={t('replay.seats')}>
      <Typography.Text strong>{t('replay.seats')}</Typography.Text>
      {seats.length === 0 && <Typography.Text type="secondary">{t('alarm.noSightings')}</Typography.Text>}
      {seats.map((seat) => (
        <Tag key={seat.sessionId} icon={iconOf(seat)} {...(seat.isDisplayed && { color: 'processing' })}>
          {t(wordOf(seat), { name: seat.userName })}
        </Tag>
      ))}
    </Flex>
  )
}
