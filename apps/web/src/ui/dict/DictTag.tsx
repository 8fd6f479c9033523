import type { DictEntry } from '@tocsin/contract/settings/dict'
import { Flex, Tag, Typography } from 'antd'
import { useDictLabels } from './use-dict-labels.ts'
import { dictTagStyle } from './dict-tag-style.ts'

/** One entry as its dictionary wants it to look. */
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

/** The words of a dictionary for what a row holds; a value that nobody named is shown as it is. */
export const DictTag = ({ type, value }: Props) => {
  const entries = useDictLabels(type)
  const values = valuesOf(value)
  if (values.length === 0) return <>—</>
  return (
    <Flex wrap gap={4}>
      {values.map((one) => {
        const entry = entries.find((known) => known.value === one)
        if (entry) return <EntryTag key={one} entry={entry} />
        return (
          <Typography.Text key={one} type="secondary">
            {one}
          </Typography.Text>
        )
      })}
    </Flex>
  )
}
