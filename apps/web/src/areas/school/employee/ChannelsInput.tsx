import { employeeChannels, type ReachChannel } from '@tocsin/contract/school/employee'
import { ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Select, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'

type Props = { value?: ReachChannel[] | null; onChange?: (channels: ReachChannel[]) => void }
type TimeProps = { label: string; value: string | null; onChange: (time: string | null) => void }

const DAY = '2000-01-01'

const TimeOfDay = ({ label, value, onChange }: TimeProps) => (
  <TimePicker
    aria-label={label}
    format="HH:mm"
    minuteStep={5}
    value={value ? dayjs(`${DAY}T${value}`) : null}
    onChange={(time) => onChange(time ? time.format('HH:mm') : null)}
    style={{ width: 110 }}
  />
)

/** Channels in the order in which they are tried, each with its quiet hours. */
export const ChannelsInput = ({ value, onChange }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const channels = value ?? []
  const free = employeeChannels.filter((name) => channels.every(({ channel }) => channel !== name))
  const set = (at: number, part: Partial<ReachChannel>) =>
    onChange?.(channels.map((channel, n) => (n === at ? { ...channel, ...part } : channel)))
  const moveUp = (at: number) =>
    onChange?.(
      channels.flatMap((channel, n) =>
        n === at ? [] : n === at - 1 ? [...channels.slice(at, at + 1), channel] : [channel],
      ),
    )
  return (
    <Flex vertical gap="small">
      {channels.map(({ channel, quietFrom, quietTo }, at) => (
        <Flex key={channel} gap="small" align="center" wrap>
          <Select
            aria-label={`${t('employee.reach')} ${at + 1}`}
            value={channel}
            options={enumOptions('reachChannel', [channel, ...free], lang)}
            onChange={(next) => set(at, { channel: next })}
            style={{ width: 130 }}
          />
          <TimeOfDay
            label={t('employee.quietFrom', { n: at + 1 })}
            value={quietFrom}
            onChange={(time) => set(at, { quietFrom: time })}
          />
          –
          <TimeOfDay
            label={t('employee.quietTo', { n: at + 1 })}
            value={quietTo}
            onChange={(time) => set(at, { quietTo: time })}
          />
          <Button
            type="text"
            icon={<ArrowUpOutlined />}
            disabled={at === 0}
            aria-label={t('employee.moveUp', { n: at + 1 })}
            onClick={() => moveUp(at)}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('employee.removeChannel', { n: at + 1 })}
            onClick={() => onChange?.(channels.filter((_, n) => n !== at))}
          />
        </Flex>
      ))}
      {free[0] && (
        <Button
          icon={<PlusOutlined />}
          onClick={() => onChange?.([...channels, { channel: free[0] ?? 'SMS', quietFrom: null, quietTo: null }])}
        >
          {t('employee.addChannel')}
        </Button>
      )}
    </Flex>
  )
}
