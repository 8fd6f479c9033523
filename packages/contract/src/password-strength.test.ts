import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

test.each(['', 'a', 'Xk3#mQ9'])('rates fewer than eight characters as too short: %j', (password) => {
  expect(passwordStrength(password, '')).toBe(0)
})

test.each(['12345678', 'aaaaaaaaaaaa', 'abcdefgh', 'password2024', 'admin123', '20240101'])(
  'what every guesser tries first is weak: %s',
  (password) => {
    expect(passwordStrength(password, '')).toBe(1)
  },
)

test('ignores the username inside of the password', () => {
  expect(passwordStrength('zhangwei#7r2', 'ZhangWei')).toBe(1)
  expect(passwordStrength('zhangwei#7r2', 'other')).toBeGreaterThan(1)
})

test('rates a longer and more mixed password as stronger, up to strong', () => {
  const levels = ['mkrtwqzp', 'mkrtwqzpvg', 'mK7twqzpvg4', 'mK7#wqzpvg4!s'].map((password) =>
    passwordStrength(password, ''),
  )
  expect(levels).toEqual([1, 2, 3, 4])
})

test('rates a long sentence of words as strong without any sign or digit', () => {
  expect(passwordStrength('the red bicycle waits outside', '')).toBe(4)
  expect(passwordStrength('操场边的银杏树又黄了', '')).toBe(4)
})
