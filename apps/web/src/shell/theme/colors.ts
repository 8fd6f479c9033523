import { FastColor } from '@ant-design/fast-color'

/** The default of SPEC 3. */
export const THEME_COLOR = '#4080FF'

/** Notations of a stored preference; FastColor reads other texts as black. */
const NOTATION =
  /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})|rgba?\(\s*\d{1,3}[\s,]+\d{1,3}[\s,]+\d{1,3}(?:[\s,/]+[\d.]+%?)?\s*\))$/i

const parseColor = (color: string): FastColor | undefined =>
  NOTATION.test(color.trim()) ? new FastColor(color.trim()).setA(1) : undefined

const black = new FastColor('#000000')

/** Any hex or rgb() notation as `#rrggbb`, without transparency; undefined for anything else. */
export const toOpaqueHex = (color: string): string | undefined => parseColor(color)?.toHexString()

/** SPEC 9 and wire 3.4: `c + (255 - c) * part` per channel; a negative part darkens, so a full channel stays full. */
export const lightenOrDarken = (color: string, part: number): string =>
  mixColors(toOpaqueHex(color) ?? THEME_COLOR, '#ffffff', part)

/** The custom properties of a theme color: itself, light 1 to 9 and dark 2 (SPEC 4). */
export const shadesOf = (color: string): Record<string, string> => {
  const light = Array.from({ length: 9 }, (_, at) => [
    `--color-primary-light-${at + 1}`,
    lightenOrDarken(color, (at + 1) / 10),
  ])
  return Object.fromEntries([
    ['--color-primary', toOpaqueHex(color) ?? THEME_COLOR],
    ...light,
    ['--color-primary-dark-2', lightenOrDarken(color, -0.2)],
  ])
}

/** The contrast of two solid colors, 1 to 21 (WCAG 2.2). */
export const contrast = (first: string, other: string): number => {
  const [dark = 0, light = 0] = [first, other]
    .map((color) => (parseColor(color) ?? black).getLuminance())
    .toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** White on a surface of this color while it is readable as a label of a control (3:1), else black. */
export const blackOrWhiteText = (color: string): '#ffffff' | '#000000' =>
  contrast(color, '#ffffff') >= 3 ? '#ffffff' : '#000000'

/** The share of the target mixed into a color; 0 is the color, 1 the target. */
export const mixColors = (color: string, target: string, part: number): string =>
  (parseColor(color) ?? black).mix(parseColor(target) ?? black, part * 100).toHexString()

/** The nearest tone of a color that is readable as text on the background (4.5:1); WCAG 2.2 1.4.3. */
export const readableTextColor = (color: string, background: string): string => {
  const end = contrast(background, '#000000') > contrast(background, '#ffffff') ? '#000000' : '#ffffff'
  const parts = Array.from({ length: 20 }, (_, at) => at / 20)
  const part = parts.find((part) => contrast(mixColors(color, end, part), background) >= 4.5)
  return part === undefined ? end : mixColors(color, end, part)
}
