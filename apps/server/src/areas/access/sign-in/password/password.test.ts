import { describe, expect, it } from 'vitest'
import { BusinessError } from '#http/business-error'
import { commonPasswords } from './common-passwords.ts'
import { checkNewPassword, verifyPassword, hashPassword, randomPassword } from './password.ts'

describe('a password', () => {
  it('is stored as argon2id with the stated cost and a new salt each time', async () => {
    const [first, second] = [await hashPassword('Maple-river-42'), await hashPassword('Maple-river-42')]
    expect(first).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    expect(first).not.toBe(second)
  })

  it('matches its own hash only, and no password matches a missing account', async () => {
    const hash = await hashPassword('Maple-river-42')
    expect(await verifyPassword(hash, 'Maple-river-42')).toBe(true)
    expect(await verifyPassword(hash, 'maple-river-42')).toBe(false)
    expect(await verifyPassword(null, 'Maple-river-42')).toBe(false)
  })

  it('is queued behind two, at most twenty; further ones are rejected as too many', async () => {
    await verifyPassword(null, 'warm')
    const tries = await Promise.allSettled(Array.from({ length: 25 }, () => verifyPassword(null, 'Maple-river-42')))
    const refused = tries.flatMap((item) => (item.status === 'rejected' ? [item.reason] : []))
    expect(refused).toHaveLength(3)
    expect(refused.every((reason) => reason instanceof BusinessError && reason.code === 429)).toBe(true)
    expect(await verifyPassword(null, 'again')).toBe(false)
  })
})

describe('a new password', () => {
  const refusal = (password: string, username = 'wang.li') => {
    try {
      checkNewPassword(password, username)
      return undefined
    } catch (error) {
      return error instanceof BusinessError ? error.message : error
    }
  }

  it.each([
    ['Password1', '属于最常见的密码'],
    ['WoAiNi1314', '属于最常见的密码'],
    ['5201314520', '属于最常见的密码'],
    ['Admin@2026', '属于最常见的密码'],
    ['zhang19880808', '属于最常见的密码'],
    ['13812345678', '属于最常见的密码'],
    ['Police_110!', '属于最常见的密码'],
    ['1qaz@WSX3edc', '属于最常见的密码'],
    ['wang.li2026', '属于最常见的密码'],
    ['!@#$%^&*()', '属于最常见的密码'],
    ['Tocsin@2026', '产品名称'],
    ['校警联123456', '产品名称'],
    ['zyxwvutsrq', '重复或连续的字符太多'],
    ['3333344444', '重复或连续的字符太多'],
    ['Wang.Li', '不能与用户名相同'],
  ])('%s is refused: %s', (password, reason) => {
    expect(refusal(password)).toContain(reason)
  })

  it.each([
    'Maple-river-42',
    '  two blanks  ',
    '春眠不觉晓处处闻啼鸟',
    'correct horse battery',
    '302718281828459',
    '};~#<|&?-:',
  ])('%s is taken', (password) => {
    expect(refusal(password)).toBeUndefined()
  })

  it('is accepted when generated, for every user', () => {
    for (let at = 0; at < 200; at += 1) expect(refusal(randomPassword())).toBeUndefined()
  })
})

describe('the list of common passwords', () => {
  it('contains more than 200 passwords, all in lower case and of at least the minimum length', () => {
    expect(commonPasswords.size).toBeGreaterThan(200)
    expect([...commonPasswords].filter((word) => word.length < 8 || word !== word.toLowerCase())).toEqual([])
  })
})
