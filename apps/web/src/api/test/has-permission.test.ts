import { beforeEach, describe, expect, it } from 'vitest'
import { hasPermission, useSession } from '../session.ts'

beforeEach(() => useSession.setState({ permissions: new Set(['warn:record:query']) }))

describe('a permission', () => {
  it('is checked alone and as one of several', () => {
    expect(hasPermission('warn:record:query')).toBe(true)
    expect(hasPermission('warn:record:close')).toBe(false)
    expect(hasPermission(['warn:record:close', 'warn:record:query'])).toBe(true)
    expect(hasPermission(['warn:record:close'])).toBe(false)
  })

  it.each([[''], [[]], [['warn:record:query', '']]])('must be named: %j is an error (SPEC 5)', (nothing) => {
    expect(() => hasPermission(nothing)).toThrow('need perms!')
  })
})
