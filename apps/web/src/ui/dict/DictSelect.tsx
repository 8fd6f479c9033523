import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { useDictLabels } from './use-dict-labels.ts'
import { EntryTag } from './DictTag.tsx'

type Props = { type: string } & Omit<SelectProps<string>, 'options'>

/**
 * A choice among the enabled entries of a dictionary; values are texts. With a clear button it is a filter: empty means
 * all.
 */
export const DictSelect = ({ type, ...rest }: Props) => {
  const { t } = useTranslation()
  const options = useDictLabels(type).map((entry) => ({ value: entry.value, label: entry.label, entry }))
  return (
    <Select<string, (typeof options)[number]>
      options={options}
      optionRender={({ data }) => <EntryTag entry={data.entry} />}
      placeholder={t(rest.allowClear ? 'list.all' : 'list.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}
