import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onSignOutInOtherTab, recordSignOut } from '../session.ts'

const stored = new Map<string, string>()
let page: EventTarget
let calls: number

/** Node has no StorageEvent. */
const tell = (key: string | null, newValue: string | null) =>
  page.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
const listen = () => onSignOutInOtherTab(() => void (calls += 1))

beforeEach(() => {
  page = new EventTarget()
  calls = 0
  stored.clear()
  stored.set('ACCESS_TOKEN', 'a1')
  vi.stubGlobal('window', page)
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
})
afterEach(() => void vi.unstubAllGlobals())

describe('onSignOutInOtherTab', () => {
  it.each(['ACCESS_TOKEN', 'PERMISSIONS', null])('calls back when another tab removes %s', (key) => {
    const end = listen()
    expect(calls).toBe(0)
    tell(key, null)
    expect(calls).toBe(1)
    end()
  })

  it('calls back once when a sign-out removes several keys', () => {
    const end = listen()
    for (const key of ['ACCESS_TOKEN', 'REFRESH_TOKEN', 'PERMISSIONS']) tell(key, null)
    expect(calls).toBe(1)
    end()
  })

  it('does not call back when its subscription has ended', () => {
    listen()()
    tell('ACCESS_TOKEN', null)
    expect(calls).toBe(0)
  })

  it('does not call back when a token is renewed or another key changes', () => {
    const end = listen()
    tell('ACCESS_TOKEN', 'a2')
    tell('LOCKED', null)
    expect(calls).toBe(0)
    end()
  })

  it('calls back at once when the other tab signed out before this page listened', () => {
    stored.delete('ACCESS_TOKEN')
    const end = listen()
    tell('PERMISSIONS', null)
    expect(calls).toBe(1)
    end()
  })

  it('calls back at once when the other tab signed out and another user signed in before this page listened', () => {
    recordSignOut()
    tell('PERMISSIONS', null)
    tell('ACCESS_TOKEN', 'b1')
    const end = listen()
    expect(calls).toBe(1)
    end()
  })
})
