import type { DictEntry } from '@tocsin/contract/settings/dict'
import { Flex, Tag, Typography, type TagProps } from 'antd'
import { useDictLabels } from './use-dict-labels.ts'
import { FastColor } from '@ant-design/fast-color'

type Look = Pick<DictEntry, 'colorType' | 'cssClass'>

const colors: Record<NonNullable<DictEntry['colorType']>, string> = {
  default: 'default',
  primary: 'blue',
  success: 'green',
  info: 'cyan',
  warning: 'orange',
  danger: 'red',
}

const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** White or black, whichever is easier to read on a color (WCAG relative luminance). */
const textColorOn = (color: string): string => (new FastColor(color).getLuminance() > 0.179 ? '#000' : '#fff')

/** Wire 6.2: a hex colour is the background, any other text is class names; the colour type counts without a hex colour. */
const dictTagStyle = ({ colorType, cssClass }: Look): Pick<TagProps, 'color' | 'className' | 'style'> => {
  if (cssClass && hex.test(cssClass))
    return { style: { background: cssClass, borderColor: cssClass, color: textColorOn(cssClass) } }
  return { color: colors[colorType ?? 'default'], ...(cssClass && { className: cssClass }) }
}

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
