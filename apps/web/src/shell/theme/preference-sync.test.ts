import { beforeEach, describe, expect, it, vi } from 'vitest'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
})
const { setPreferences: prefer, resetPreferences: preferDefaults, usePreferences } = await import('./preferences.ts')
const { adoptPreferences: preferencesOf, markSynced: sent, unsynced: unsent } = await import('./preference-sync.ts')

beforeEach(() => {
  preferDefaults()
  kept.clear()
})

describe('preferences that follow the user', () => {
  it('are sent by name when chosen, without those of this browser', () => {
    prefer({ theme: 'dark', sidebarStatus: 'closed' })
    prefer({ layout: 'mix' })
    expect(unsent()).toEqual({ theme: 'dark', layout: 'mix' })
  })

  it('stay unsent when they change while being sent', () => {
    prefer({ theme: 'dark', layout: 'mix' })
    const result = unsent()
    prefer({ theme: 'light' })
    sent(result)
    expect(unsent()).toEqual({ theme: 'light' })
    sent(unsent())
    expect(unsent()).toEqual({})
  })

  it('are taken from the server over those of this browser', () => {
    preferencesOf(7, {})
    prefer({ theme: 'dark', tagsView: true })
    sent(unsent())
    preferencesOf(7, { theme: 'light' })
    expect(usePreferences.getState()).toMatchObject({ theme: 'light', tagsView: true })
    expect(unsent()).toEqual({})
  })

  it('are never taken from an earlier user of this browser', () => {
    preferencesOf(7, { theme: 'dark', tagsView: true, themeColor: '#90ee90' })
    preferencesOf(8, { tagsView: false })
    expect(usePreferences.getState()).toMatchObject({ theme: 'auto', tagsView: false, themeColor: '#4080FF' })
  })

  it('stay unsent for their user only', () => {
    preferencesOf(7, {})
    prefer({ layout: 'mix', language: 'en' })
    preferencesOf(7, {})
    expect(unsent()).toEqual({ layout: 'mix', language: 'en' })
    preferencesOf(8, {})
    expect(unsent()).toEqual({ language: 'en' })
    expect(usePreferences.getState().layout).toBe('top')
  })

  it('win when chosen before the response, and are sent', () => {
    preferencesOf(7, {})
    prefer({ language: 'en' })
    preferencesOf(7, { language: 'zh-cn', size: 'large' })
    expect(usePreferences.getState()).toMatchObject({ language: 'en', size: 'large' })
    expect(unsent()).toEqual({ language: 'en' })
  })
})
