import { codes, fillTemplate } from '@tocsin/contract/codes'
import { expect, test } from 'vitest'
import { showServerMessage, showStatus } from './server-messages.ts'

test.each(Object.values(codes).filter(({ zh }) => !zh.includes('{')))(
  'the sentence of code $code is translated for an English reader: $zh',
  ({ zh }) => {
    const shown = showServerMessage(zh, 'en')
    expect(Object.values(codes).find((code) => code.zh === zh)?.en).toBe(shown)
  },
)

test.each(Object.values(codes).filter(({ zh }) => zh.includes('{')))(
  'what the sentence of code $code names is carried over: $zh',
  ({ zh, en }) => {
    const names = [...zh.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const named = Object.fromEntries(names.map((name, at) => [name, `x${at}`]))
    expect(showServerMessage(fillTemplate(zh, named), 'en')).toBe(fillTemplate(en, named))
  },
)

test('returns sign-in messages in English for an English user', () => {
  const sentences = [
    '登录失败，账号密码不正确',
    '验证码不正确',
    '验证码已使用',
    '验证码不存在',
    '登录失败，账号被禁用',
    '请求过于频繁，请稍后重试',
  ]
  for (const sentence of sentences) expect(showServerMessage(sentence, 'en')).toMatch(/^[\x20-\x7e]+$/)
})

test('keeps a number inside a message', () => {
  expect(showServerMessage('尝试次数过多，请在 40 秒后重试', 'en')).toBe('Too many attempts, try again in 40 s')
})

test('returns the message of the server unchanged for a Chinese user', () => {
  expect(showServerMessage('登录失败，账号密码不正确', 'zh-cn')).toBe('登录失败，账号密码不正确')
})

test('returns an untranslated message unchanged in both languages', () => {
  expect(showServerMessage('请联系值班室', 'en')).toBe('请联系值班室')
  expect(showServerMessage('constructor', 'en')).toBe('constructor')
})

test.each([401, 403, 404, 405, 408, 500, 501, 502, 503, 504, 505, 901])(
  'returns a message in both languages for status %i',
  (status) => {
    expect(showStatus(status, 'en')).toMatch(/^[A-Z]/)
    expect(showStatus(status, 'zh-cn')).toMatch(/\p{Script=Han}/u)
  },
)

test('returns no message for a status that the specification does not name', () => {
  expect(showStatus(418, 'en')).toBeUndefined()
})
