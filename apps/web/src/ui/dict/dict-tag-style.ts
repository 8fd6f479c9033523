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

/** Whether white or black is easier to read on a colour (WCAG relative luminance). */
const inkOn = (color: string): string => {
  const digits = color.slice(1)
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [r = 0, g = 0, b = 0] = pairs.map((pair) => {
    const c = Number.parseInt(pair, 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff'
}

/** Wire 6.2: a hex colour is the background, any other text is class names; the colour type counts without a hex colour. */
export const dictTagStyle = ({ colorType, cssClass }: Look): Pick<TagProps, 'color' | 'className' | 'style'> => {
  if (cssClass && hex.test(cssClass))
    return { style: { background: cssClass, borderColor: cssClass, color: inkOn(cssClass) } }
  return { color: colors[colorType ?? 'default'], ...(cssClass && { className: cssClass }) }
}
