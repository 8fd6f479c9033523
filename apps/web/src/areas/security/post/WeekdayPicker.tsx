import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import { weekdayKeys } from './hours-text.ts'

type Props = { value?: number; onChange?: (value: number) => void; id?: string }

/** Days of the week as bits, Monday first; a value of a Form.Item. */
export const WeekdayPicker = ({ value = 0, onChange, id }: Props) => {
  const { t } = useTranslation()
  return (
    <div {...(id && { id })}>
      <Checkbox.Group
        value={weekdayKeys.flatMap((_, day) => (value & (1 << day) ? [day] : []))}
        onChange={(days) => onChange?.(days.reduce((mask, day) => mask | (1 << day), 0))}
        options={weekdayKeys.map((key, day) => ({ value: day, label: t(key) }))}
      />
    </div>
  )
}
