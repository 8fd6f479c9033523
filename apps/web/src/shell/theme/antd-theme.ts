import { theme, type ThemeConfig } from 'antd'
import { contrast, mixColors, readableTextColor, blackOrWhiteText } from './colors.ts'

type Seed = Parameters<typeof theme.defaultAlgorithm>[0]
type Map = ReturnType<typeof theme.defaultAlgorithm>

/** How the kit tints what is selected: text in the theme color must be readable even there. */
export const selectionTint = (themeColor: string, dark: boolean): string =>
  dark ? mixColors('#1f1f1f', themeColor, 0.25) : mixColors('#ffffff', themeColor, 0.1)

/** A surface for a label: the color itself under black, else the nearest tone that white can be read on. */
const surfaceOf = (color: string): string =>
  blackOrWhiteText(color) === '#ffffff' ? readableTextColor(color, '#ffffff') : color

/** The tones under the mouse and when pressed: away from what is read on them, where the kit's own come nearer. */
const pressed = (color: string, against: string) => {
  const away = against === '#ffffff' ? '#000000' : '#ffffff'
  return { hover: mixColors(color, away, 0.12), active: mixColors(color, away, 0.24) }
}

const tagColors = ['red', 'volcano', 'orange', 'gold', 'lime', 'green', 'cyan', 'blue', 'geekblue', 'purple', 'magenta']

/** The words of tags, which the kit writes in a middle tone on the lightest one of the same color. */
const tagWords = (map: Map): Partial<Map> =>
  Object.fromEntries(
    tagColors.map((name) => {
      const tones = map as unknown as Record<string, string>
      return [`${name}7`, readableTextColor(tones[`${name}7`] ?? '', tones[`${name}1`] ?? '')]
    }),
  )

/** The raised surfaces of the kit, on which most words stand. */
const paper = (dark: boolean) => (dark ? '#1f1f1f' : '#ffffff')

/** The kit's words for what matters less fall short of WCAG 2.2 1.4.3, on white and on black. */
const faint = (dark: boolean) => (dark ? 'rgba(255, 255, 255, 0.6)' : 'rgba(0, 0, 0, 0.6)')

/** The kit's own look with this theme color, every word of it in a tone that can be read; `still` without motion. */
export const antdTheme = (themeColor: string, dark: boolean, still: boolean): ThemeConfig => {
  const text = readableTextColor(readableTextColor(themeColor, selectionTint(themeColor, dark)), paper(dark))
  const links = { colorLink: text, colorLinkHover: text, colorLinkActive: text }
  const base = dark ? theme.darkAlgorithm : theme.defaultAlgorithm
  const surface = surfaceOf(base({ ...theme.defaultSeed, colorPrimary: themeColor }).colorPrimary)
  const label = blackOrWhiteText(surface)
  const primary = pressed(surface, label)
  // Under the mouse the kit would write the other buttons in its own lighter tones.
  const others = {
    defaultHoverColor: text,
    defaultHoverBorderColor: text,
    defaultActiveColor: text,
    defaultActiveBorderColor: text,
  }
  const dangerLabel = dark ? '#000000' : '#ffffff'
  // After the kit's own shades, which would darken a tone chosen to be read.
  const legible = (seed: Seed, given?: Map): Map => {
    const map = given ?? base(seed)
    const colorError = readableTextColor(map.colorError, paper(dark))
    const { hover: colorErrorHover, active: colorErrorActive } = pressed(colorError, dangerLabel)
    const errors = { colorError, colorErrorHover, colorErrorActive, colorErrorText: colorError }
    // Of a very dark color the kit's tint is too dark for the words on it.
    const tinted = contrast(text, map.colorPrimaryBg) < 4.5 && { colorPrimaryBg: selectionTint(themeColor, dark) }
    return { ...map, ...tagWords(map), ...links, ...tinted, ...errors, colorTextTertiary: faint(dark) }
  }
  return {
    cssVar: {},
    hashed: false,
    // A build brings the style sheets along (kit-styles.ts); what is developed makes them as it goes.
    zeroRuntime: import.meta.env.PROD,
    token: {
      motion: !still,
      colorPrimary: themeColor,
      colorInfo: themeColor,
      colorTextPlaceholder: faint(dark),
    },
    components: {
      Button: {
        colorPrimary: surface,
        colorPrimaryHover: primary.hover,
        colorPrimaryActive: primary.active,
        primaryColor: label,
        dangerColor: dangerLabel,
        ...others,
      },
      // A chosen day is a surface with a label on it; days of the months beside are chosen too, and must be read.
      DatePicker: { colorPrimary: surface, colorTextLightSolid: label, colorTextDisabled: faint(dark) },
      // The chosen entry of a menu is words on a tint.
      Dropdown: { colorPrimary: text },
      // A chosen one of several buttons is a label with a line around it.
      Radio: { colorPrimary: text, colorPrimaryHover: text, colorPrimaryActive: text },
      Menu: { itemSelectedColor: text, horizontalItemSelectedColor: text, subMenuItemSelectedColor: text },
      Pagination: { itemActiveColor: text, itemActiveColorHover: text },
      Tabs: { itemSelectedColor: text, itemHoverColor: text, itemActiveColor: text },
    },
    algorithm: [base, legible],
  }
}
