import { DatePicker } from 'antd'
import { withTimes } from './times.tsx'
import { fromWall, toWall } from './wall.ts'

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
    // Its "now" would be the clock of this computer.
    showNow={false}
    panelRender={withTimes}
    value={value ? toWall(value) : null}
    onChange={(at) => onChange?.(at ? fromWall(at) : null)}
    style={{ width: '100%' }}
  />
)
