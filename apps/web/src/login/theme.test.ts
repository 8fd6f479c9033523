import { expect, test } from 'vitest'
import { nextTheme, type Theme } from './theme.ts'

test.each([true, false])('cycles through all three themes with the button (system dark: %s)', (systemDark) => {
  const seen: Theme[] = ['auto']
  for (let press = 0; press < 3; press++) seen.push(nextTheme(seen.at(-1) ?? 'auto', systemDark))
  expect(new Set(seen)).toEqual(new Set(['auto', 'light', 'dark']))
  expect(seen.at(-1)).toBe('auto')
})

test('changes the visible theme at the first press', () => {
  expect(nextTheme('auto', true)).toBe('light')
  expect(nextTheme('auto', false)).toBe('dark')
})
