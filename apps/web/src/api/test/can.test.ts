import { beforeEach, describe, expect, it } from 'vitest'
import { can, useSession } from '../session.ts'

beforeEach(() => useSession.setState({ permissions: new Set(['warn:record:query']) }))

describe('a permission', () => {
  it('is held or not, one or one of several', () => {
    expect(can('warn:record:query')).toBe(true)
    expect(can('warn:record:close')).toBe(false)
    expect(can(['warn:record:close', 'warn:record:query'])).toBe(true)
    expect(can(['warn:record:close'])).toBe(false)
  })

  it.each([[''], [[]], [['warn:record:query', '']]])('must be named: %j is a mistake (SPEC 5)', (nothing) => {
    expect(() => can(nothing)).toThrow('need perms!')
  })
})
