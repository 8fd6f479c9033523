import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

const origin = 'http://10.1.2.3:8080'

test.each(['/dashboard', '/warn/record?id=7&tab=log', '/school/school#top', '/system/user?name=%E7%8E%8B'])(
  'a path on the own origin is kept: %s',
  (path) => {
    expect(safeRedirect(path, origin)).toBe(path)
  },
)

test.each([
  null,
  '',
  'dashboard',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n\\evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'http://evil.example/',
  'http://10.1.2.3:8080/dashboard',
  'http://10.1.2.3:8080@evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/%',
])('what is no plain path on the own origin leads to the start, or stays here: %j', (wanted) => {
  const target = safeRedirect(wanted, origin)
  expect(new URL(target, origin).origin).toBe(origin)
  if (wanted !== '/%') expect(target).toBe('/')
})

test.each(['/login', '/login?redirect=/login', '/LOGIN', '/register', '/admin-api/system/auth/logout'])(
  'the sign-in page and calls are no target: %s',
  (wanted) => {
    expect(safeRedirect(wanted, origin)).toBe('/')
  },
)

test('keeps a page whose path only starts like the sign-in page', () => {
  expect(safeRedirect('/login-log', origin)).toBe('/login-log')
})

test('never leaves the origin, whatever the text', () => {
  const pieces = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    '\t',
    '\n',
    ' ',
    '%2f',
    '%5c',
    'evil.example',
    '?',
    '#',
  )
  const wanted = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(wanted, (text) => {
      const target = safeRedirect(text, origin)
      expect(target.startsWith('/')).toBe(true)
      expect(new URL(target, origin).origin).toBe(origin)
    }),
  )
})
