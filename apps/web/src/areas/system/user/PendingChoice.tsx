import { Select } from 'antd'
import { useTranslation } from 'react-i18next'

/** Only those who wait for approval, only the others, or both. */
export const PendingChoice = (given: { id?: string; value?: boolean; onChange?: (value: boolean) => void }) => {
  const { t } = useTranslation()
  const options = [true, false].map((value) => ({ value, label: t(value ? 'list.yes' : 'list.no') }))
  return <Select {...given} allowClear options={options} />
}
