type Rgb = readonly [number, number, number]

/** The default of SPEC 3. */
export const THEME_COLOR = '#4080FF'

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
const clamp = (part: number): number => Math.min(255, Math.max(0, Math.round(part)))

const rgbOfHex = (digits: string): Rgb => {
  const full = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits
  const part = (at: number) => Number.parseInt(full.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const RGB = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+[\d.]+%?)?\s*\)$/i

const rgbOf = (color: string): Rgb | undefined => {
  const digits = HEX.exec(color.trim())?.[1]
  if (digits) return rgbOfHex(digits)
  const [, r, g, b] = RGB.exec(color.trim()) ?? []
  return r && g && b ? [clamp(Number(r)), clamp(Number(g)), clamp(Number(b))] : undefined
}

/** Any hex or rgb() notation as `#rrggbb`, without transparency; undefined for anything else. */
export const toOpaqueHex = (color: string): string | undefined => {
  const rgb = rgbOf(color)
  return rgb && hexOf(rgb)
}

/** SPEC 9 and wire 3.4: `c + (255 - c) * part` per channel; a negative part darkens, so a full channel stays full. */
export const lightenOrDarken = (color: string, part: number): string => {
  const [r, g, b] = rgbOf(color) ?? rgbOfHex(THEME_COLOR.slice(1))
  const step = (channel: number) => clamp(channel + (255 - channel) * part)
  return hexOf([step(r), step(g), step(b)])
}

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

/** Relative luminance, WCAG 2.2. */
const luminance = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** The contrast of two solid colors, 1 to 21 (WCAG 2.2). */
export const contrast = (first: string, other: string): number => {
  const [dark = 0, light = 0] = [first, other]
    .map((color) => luminance(rgbOf(color) ?? [0, 0, 0]))
    .toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** White on a surface of this color while it is readable as a label of a control (3:1), else black. */
export const blackOrWhiteText = (color: string): '#ffffff' | '#000000' =>
  contrast(color, '#ffffff') >= 3 ? '#ffffff' : '#000000'

/** The share of the target mixed into a color; 0 is the color, 1 the target. */
export const mixColors = (color: string, target: string, part: number): string => {
  const [from, to] = [rgbOf(color) ?? [0, 0, 0], rgbOf(target) ?? [0, 0, 0]] as const
  return hexOf(
    [0, 1, 2].map((at) => clamp((from[at] ?? 0) + ((to[at] ?? 0) - (from[at] ?? 0)) * part)) as unknown as Rgb,
  )
}

/** The nearest tone of a color that is readable as text on the background (4.5:1); WCAG 2.2 1.4.3. */
export const readableTextColor = (color: string, background: string): string => {
  const end = contrast(background, '#000000') > contrast(background, '#ffffff') ? '#000000' : '#ffffff'
  const parts = Array.from({ length: 20 }, (_, at) => at / 20)
  const part = parts.find((part) => contrast(mixColors(color, end, part), background) >= 4.5)
  return part === undefined ? end : mixColors(color, end, part)
}
