import { formatMinute, MINUTES_PER_DAY } from '@tocsin/contract/security/hours'
import { Select } from 'antd'

const STEP = 15

type Props = {
  value?: number
  onChange?: (value: number) => void
  id?: string
  /** Whether 24:00 can be chosen: only an end can be at it. */
  isEnd?: boolean
}

/** A time of the day by quarters of an hour, found by typing; a value of a Form.Item. */
export const MinutePicker = ({ value, onChange, id, isEnd = false }: Props) => {
  const minutes = Array.from({ length: MINUTES_PER_DAY / STEP + (isEnd ? 1 : 0) }, (_, at) => at * STEP)
  if (value !== undefined && !minutes.includes(value)) minutes.push(value)
  return (
    <Select
      {...(id && { id })}
      {...(value !== undefined && { value })}
      onChange={(minute: number) => onChange?.(minute)}
      showSearch={{ optionFilterProp: 'label' }}
      options={minutes.map((minute) => ({ value: minute, label: formatMinute(minute) }))}
      style={{ width: '100%' }}
    />
  )
}
