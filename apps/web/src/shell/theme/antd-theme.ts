import { theme, type ThemeConfig } from 'antd'
import { contrast, mixColors, readableTextColor, blackOrWhiteText } from './colors.ts'

type Seed = Parameters<typeof theme.defaultAlgorithm>[0]
type Map = ReturnType<typeof theme.defaultAlgorithm>

/** Dark surfaces, each lighter than the one it stands on: the page, panels, and what opens above them. */
const darkPage = '#0e1116'
const darkPanel = '#161b22'
const darkPopup = '#262e3a'

const darkTokens: Partial<Map> = {
  colorBgLayout: darkPage,
  colorBgContainer: darkPanel,
  colorBgElevated: darkPopup,
  colorBorder: '#6b7687',
  colorBorderSecondary: '#303846',
  colorText: '#eef1f6',
  colorTextSecondary: '#aab4c3',
}

/** How antd tints selected items: text in the theme color must be readable even there. */
export const selectionTint = (themeColor: string, dark: boolean): string =>
  dark ? mixColors(darkPopup, themeColor, 0.25) : mixColors('#ffffff', themeColor, 0.1)

/** A surface for a label: the color itself under black, else the nearest tone with readable white. */
const surfaceOf = (color: string): string =>
  blackOrWhiteText(color) === '#ffffff' ? readableTextColor(color, '#ffffff') : color

/** The tones for hover and press: away from the label's color, where antd's own tones have less contrast. */
const pressed = (color: string, against: string) => {
  const away = against === '#ffffff' ? '#000000' : '#ffffff'
  return { hover: mixColors(color, away, 0.12), active: mixColors(color, away, 0.24) }
}

const tagColors = ['red', 'volcano', 'orange', 'gold', 'lime', 'green', 'cyan', 'blue', 'geekblue', 'purple', 'magenta']

/** The text of tags, which antd writes in a middle tone on the lightest one of the same color. */
const tagWords = (map: Map): Partial<Map> =>
  Object.fromEntries(
    tagColors.map((name) => {
      const tones = map as unknown as Record<string, string>
      return [`${name}7`, readableTextColor(tones[`${name}7`] ?? '', tones[`${name}1`] ?? '')]
    }),
  )

/** The lightest surface of the dark theme, or white: text that can be read there can be read everywhere. */
const paper = (dark: boolean) => (dark ? darkPopup : '#ffffff')

/** antd's secondary text has less contrast than WCAG 2.2 1.4.3 requires, on white and on black. */
const faint = (dark: boolean) => (dark ? 'rgba(255, 255, 255, 0.6)' : 'rgba(0, 0, 0, 0.6)')

/** antd's look with this theme color, with readable text everywhere; `still` without motion. */
export const antdTheme = (themeColor: string, dark: boolean, still: boolean): ThemeConfig => {
  const text = readableTextColor(readableTextColor(themeColor, selectionTint(themeColor, dark)), paper(dark))
  const links = { colorLink: text, colorLinkHover: text, colorLinkActive: text }
  const base = dark ? theme.darkAlgorithm : theme.defaultAlgorithm
  const surface = surfaceOf(base({ ...theme.defaultSeed, colorPrimary: themeColor }).colorPrimary)
  const label = blackOrWhiteText(surface)
  const primary = pressed(surface, label)
  // On hover antd would write the other buttons in its own lighter tones.
  const others = {
    defaultHoverColor: text,
    defaultHoverBorderColor: text,
    defaultActiveColor: text,
    defaultActiveBorderColor: text,
  }
  const dangerLabel = dark ? '#000000' : '#ffffff'
  // After antd's own shades, which would darken a tone chosen for contrast.
  const legible = (seed: Seed, given?: Map): Map => {
    const map = given ?? base(seed)
    const colorError = readableTextColor(map.colorError, paper(dark))
    const { hover: colorErrorHover, active: colorErrorActive } = pressed(colorError, dangerLabel)
    const errors = { colorError, colorErrorHover, colorErrorActive, colorErrorText: colorError }
    // antd's tint of a very dark color is too dark for text.
    const tinted = contrast(text, map.colorPrimaryBg) < 4.5 && { colorPrimaryBg: selectionTint(themeColor, dark) }
    const surfaces = dark && darkTokens
    return { ...map, ...surfaces, ...tagWords(map), ...links, ...tinted, ...errors, colorTextTertiary: faint(dark) }
  }
  return {
    cssVar: {},
    hashed: false,
    // A build contains the style sheets (kit-styles.ts); development generates them at run time.
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
      // A chosen day is a surface with a label; days of the adjacent months can be chosen too, and must be readable.
      DatePicker: { colorPrimary: surface, colorTextLightSolid: label, colorTextDisabled: faint(dark) },
      // The selected entry of a menu is text on a tint.
      Dropdown: { colorPrimary: text },
      // A selected button of a group is a label with a border.
      Radio: { colorPrimary: text, colorPrimaryHover: text, colorPrimaryActive: text },
      Menu: { itemSelectedColor: text, horizontalItemSelectedColor: text, subMenuItemSelectedColor: text },
      Pagination: { itemActiveColor: text, itemActiveColorHover: text },
      Tabs: { itemSelectedColor: text, itemHoverColor: text, itemActiveColor: text },
    },
    algorithm: [base, legible],
  }
}
