import { expect, test } from 'vitest'
import { nextTheme, type Theme } from './theme.ts'

test.each([true, false])('the theme button reaches all three themes and comes back (system dark: %s)', (systemDark) => {
  const seen: Theme[] = ['auto']
  for (let press = 0; press < 3; press++) seen.push(nextTheme(seen.at(-1) ?? 'auto', systemDark))
  expect(new Set(seen)).toEqual(new Set(['auto', 'light', 'dark']))
  expect(seen.at(-1)).toBe('auto')
})

test('the first press changes what is seen', () => {
  expect(nextTheme('auto', true)).toBe('light')
  expect(nextTheme('auto', false)).toBe('dark')
})
