import { Select, type SelectProps, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useDictLabels } from './use-dict-labels.ts'
import { EntryTag } from './DictTag.tsx'

type Props = { type: string } & Omit<SelectProps<number[]>, 'options' | 'mode'>

const whole = /^[1-9]\d*$/

/** Several entries of a numeric dictionary; a chosen one that is disabled is shown as its number. */
export const DictNumbers = ({ type, ...rest }: Props) => {
  const { t } = useTranslation()
  const options = useDictLabels(type)
    .filter(({ value }) => whole.test(value))
    .map((entry) => ({ value: Number(entry.value), label: entry.label, entry }))
  return (
    <Select<number[], (typeof options)[number]>
      mode="multiple"
      options={options}
      optionRender={({ data }) => <EntryTag entry={data.entry} />}
      labelRender={({ label, value }) => label ?? <Typography.Text type="secondary">{value}</Typography.Text>}
      placeholder={t('list.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}
