import { theme } from 'antd'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { antdTheme } from './antd-theme.ts'
import { contrast } from './colors.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const colors = fc.oneof(color, fc.constantFrom('#4080ff', '#ff4500', '#90ee90', '#ffe000', '#101418', '#ffffff'))

/** Tokens of buttons: those of antd, overridden by the theme. */
const buttonOf = (themeColor: string, dark: boolean): Record<string, string> => {
  const made = antdTheme(themeColor, dark, true)
  return { ...theme.getDesignToken(made), ...made.components?.Button } as unknown as Record<string, string>
}

describe('a button in any theme color, light and dark', () => {
  it('has a readable label, also when hovered and pressed', () => {
    fc.assert(
      fc.property(colors, fc.boolean(), (themeColor, dark) => {
        const all = buttonOf(themeColor, dark)
        const read = (label: string, surface: string) => contrast(all[label] ?? '', all[surface] ?? '')
        for (const state of ['', 'Hover', 'Active']) {
          expect(read('primaryColor', `colorPrimary${state}`)).toBeGreaterThanOrEqual(4.5)
          expect(read('dangerColor', `colorError${state}`)).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })

  it('has readable text when it has no background', () => {
    fc.assert(
      fc.property(colors, fc.boolean(), (themeColor, dark) => {
        const all = buttonOf(themeColor, dark)
        const names = ['defaultHoverColor', 'defaultActiveColor', 'colorLink', 'colorLinkHover', 'colorLinkActive']
        for (const name of [...names, 'colorError', 'colorErrorHover', 'colorErrorActive', 'colorErrorText'])
          for (const paper of [all['colorBgContainer'] ?? '', all['colorBgElevated'] ?? ''])
            expect([name, contrast(all[name] ?? '', paper)]).toEqual([name, expect.toSatisfy((n: number) => n >= 4.5)])
      }),
    )
  })
})
