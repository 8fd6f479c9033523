import { DatePicker } from 'antd'
import dayjs from 'dayjs'

type Props = {
  /** `yyyy-MM-dd`, as in the contract. */
  value?: string | null
  onChange?: (value: string | null) => void
  id?: string
}

/** A day of the calendar; a value of a Form.Item. */
export const DayPicker = ({ value, onChange, id }: Props) => (
  <DatePicker
    {...(id && { id })}
    value={value ? dayjs(value) : null}
    onChange={(day) => onChange?.(day ? day.format('YYYY-MM-DD') : null)}
    style={{ width: '100%' }}
  />
)
