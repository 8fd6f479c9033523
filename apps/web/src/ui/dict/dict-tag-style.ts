import { FastColor } from '@ant-design/fast-color'
import type { DictEntry } from '@tocsin/contract/settings/dict'
import type { TagProps } from 'antd'

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
export const dictTagStyle = ({ colorType, cssClass }: Look): Pick<TagProps, 'color' | 'className' | 'style'> => {
  if (cssClass && hex.test(cssClass))
    return { style: { background: cssClass, borderColor: cssClass, color: textColorOn(cssClass) } }
  return { color: colors[colorType ?? 'default'], ...(cssClass && { className: cssClass }) }
}
