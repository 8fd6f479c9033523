import { describe, expect, it } from 'vitest'
import { kitSheets } from './kit-styles.ts'
import { kitTheme } from './src/shell/look/kit.ts'

describe('the style sheets of a build', () => {
  it('fit every theme: light and dark, any color, with and without motion', () => {
    const sheets = kitSheets()
    expect(sheets.get('Button-Button')).toContain('.ant-btn')
    expect(sheets.get('Shared')).toContain('@keyframes loadingCircle')
    expect(kitSheets(kitTheme('#4080FF', false, false))).toEqual(sheets)
    expect(kitSheets(kitTheme('#c92a2a', true, true))).toEqual(sheets)
  })
})
