import { describe, expect, it } from 'vitest'
import { extractAntdStyles } from './antd-styles.ts'
import { antdTheme } from './src/shell/theme/antd-theme.ts'

describe('the style sheets of a build', () => {
  it('are the same for every theme: light and dark, any color, with and without motion', () => {
    const sheets = extractAntdStyles()
    expect(sheets.get('Button-Button')).toContain('.ant-btn')
    expect(sheets.get('Shared')).toContain('@keyframes loadingCircle')
    expect(extractAntdStyles(antdTheme('#4080FF', false, false))).toEqual(sheets)
    expect(extractAntdStyles(antdTheme('#c92a2a', true, true))).toEqual(sheets)
  })
})
