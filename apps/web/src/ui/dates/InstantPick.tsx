import { DatePicker } from 'antd'
import dayjs from 'dayjs'

type Props = {
  value?: Date | null
  onChange?: (value: Date | null) => void
  id?: string
}

/** Day and time; a value of a Form.Item. */
export const InstantPick = ({ value, onChange, id }: Props) => (
  <DatePicker
    {...(id && { id })}
    showTime={{ format: 'HH:mm' }}
    format="YYYY-MM-DD HH:mm"
    value={value ? dayjs(value) : null}
    onChange={(at) => onChange?.(at ? at.toDate() : null)}
    style={{ width: '100%' }}
  />
)
