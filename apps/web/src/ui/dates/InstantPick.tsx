import { DatePicker } from 'antd'
import { useTimes } from './times.tsx'
import { fromWall, toWall } from './wall.ts'

type Props = {
  value?: Date | null
  onChange?: (value: Date | null) => void
  id?: string
}

/** Day and time; a value of a Form.Item. */
export const InstantPick = ({ value, onChange, id }: Props) => {
  const times = useTimes()
  return (
    <DatePicker
      {...(id && { id })}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      // Its "now" would be the clock of this computer.
      showNow={false}
      {...times}
      value={value ? toWall(value) : null}
      onChange={(at) => onChange?.(at ? fromWall(at) : null)}
      style={{ width: '100%' }}
    />
  )
}
