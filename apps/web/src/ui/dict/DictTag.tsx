import type { DictEntry } from '@tocsin/contract/settings/dict'
import { Flex, Tag, Typography } from 'antd'
import { useDictLabels } from './use-dict-labels.ts'
import { dictTagStyle } from './dict-tag-style.ts'

/** One entry in the style of its dictionary. */
export const EntryTag = ({ entry }: { entry: Pick<DictEntry, 'label' | 'colorType' | 'cssClass'> }) => {
  const { style, ...look } = dictTagStyle(entry)
  return (
    <Tag {...look} style={{ marginInlineEnd: 0, ...style }}>
      {entry.label}
    </Tag>
  )
}

type Props = {
  type: string
  /** One value, several, or several with commas between (wire 6.2). */
  value: string | number | boolean | readonly string[] | null
}

const valuesOf = (value: Props['value']): string[] => {
  if (value === null || value === '') return []
  return Array.isArray(value) ? [...value] : String(value).split(',')
}

/** The labels of a row's dictionary values; an unknown value is shown as it is. */
export const DictTag = ({ type, value }: Props) => {
  const entries = useDictLabels(type)
  const values = valuesOf(value)
  if (values.length === 0) return <>–</>
  return (
    <Flex wrap gap={4}>
      {values.map((value) => {
        const entry = entries.find((known) => known.value === value)
        if (entry) return <EntryTag key={value} entry={entry} />
        return (
          <Typography.Text key={value} type="secondary">
            {value}
          </Typography.Text>
        )
      })}
    </Flex>
  )
}
