import { DatePicker } from 'antd'
import { useTimePickerProps } from './use-time-picker-props.tsx'
import { fromWallClock, toWallClock } from './wall-clock.ts'

type Props = {
  value?: Date | null
  onChange?: (value: Date | null) => void
  id?: string
}

/** Day and time; a value of a Form.Item. */
export const InstantPicker = ({ value, onChange, id }: Props) => {
  const times = useTimePickerProps()
  return (
    <DatePicker
      {...(id && { id })}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      // antd's "now" would use the clock of this computer.
      showNow={false}
      {...times}
      value={value ? toWallClock(value) : null}
      onChange={(at) => onChange?.(at ? fromWallClock(at) : null)}
      style={{ width: '100%' }}
    />
  )
}
