import { describe, expect, it } from 'vitest'
import { type Preferences, parsePreference } from './preferences.ts'

const names: (keyof Preferences)[] = [
  'device',
  'size',
  'language',
  'sidebarStatus',
  'activeTopMenuPath',
  'tagsView',
  'sidebarLogo',
  'fixedHeader',
  'layout',
  'watermarkEnabled',
  'watermarkContent',
  'themeColor',
  'theme',
  'showSettings',
]

describe('a preference out of local storage', () => {
  it('has the default of the specification when nothing is stored', () => {
    expect(Object.fromEntries(names.map((name) => [name, parsePreference(name, null)]))).toEqual({
      device: 'desktop',
      size: 'default',
      language: 'zh-cn',
      sidebarStatus: 'opened',
      activeTopMenuPath: '',
      tagsView: false,
      sidebarLogo: true,
      fixedHeader: true,
      layout: 'top',
      watermarkEnabled: false,
      watermarkContent: '',
      themeColor: '#4080FF',
      theme: 'auto',
      showSettings: false,
    })
  })

  it('is read as plain text', () => {
    expect([
      parsePreference('layout', 'mix'),
      parsePreference('tagsView', 'true'),
      parsePreference('fixedHeader', 'false'),
      parsePreference('themeColor', '#90EE90'),
      parsePreference('watermarkContent', '东湖第一小学'),
    ]).toEqual(['mix', true, false, '#90ee90', '东湖第一小学'])
  })

  it('falls back to the default when it is invalid', () => {
    expect([
      parsePreference('layout', 'classic'),
      parsePreference('tagsView', '1'),
      parsePreference('language', 'de'),
      parsePreference('themeColor', 'javascript:'),
    ]).toEqual(['top', false, 'zh-cn', '#4080FF'])
  })
})
