import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSignInFixture, password, type SignInFixture } from '../../../../test/sign-in-fixture.ts'
import { decryptSetting } from '#settings/secret-setting'
import { invalidateSettings } from '#settings/settings-cache'

let fixture: SignInFixture
let admin: string
beforeAll(async () => {
  fixture = await openSignInFixture()
  admin = await fixture.tokenOf('admin', password)
})
afterAll(() => fixture.close())

const options = async () => {
  const { code, data } = await fixture.call('GET', '/system/auth/sign-in-options')
  expect(code).toBe(200)
  return data
}

describe('the ways to sign in', () => {
  it('are the password and the QR code where nothing is configured', async () => {
    expect(await options()).toEqual({
      title: 'Tocsin 校警联',
      version: '0.0.0',
      mobile: false,
      email: false,
      qr: true,
      register: false,
      social: [],
    })
  })

  it('include what the administrator configures', async () => {
    await fixture.set('sms.provider', 'console')
    await fixture.set('mail.smtp-url', 'smtp://127.0.0.1:9')
    expect(await options()).toMatchObject({ mobile: true, email: false })
    await fixture.set('mail.from', 'noreply@tocsin.test')
    await fixture.set('register.enabled', 'true')
    expect(await options()).toMatchObject({ email: true, register: false })
    await fixture.set('register.dept-code', 'EDU')
    await fixture.set('site.title', '东区警校联动')
    await fixture.set('sign-in.qr', 'false')
    const provider = { key: 'police', name: '警务认证', issuer: 'https://id.test', clientId: 'x' }
    await fixture.set('social.providers', JSON.stringify([provider, { key: 'B A D' }]))
    expect(await options()).toMatchObject({
      register: true,
      title: '东区警校联动',
      qr: false,
      social: [{ key: 'police', name: '警务认证', nameEn: '警务认证', icon: 'police' }],
    })
  })
})

describe('a secret setting', () => {
  const url = 'smtps://user:Pass-of-a-test@mail.test:465'
  const row = async (key: string) => {
    const { data } = await fixture.call('GET', `/infra/config/page?key=${key}`, { token: admin })
    return (data['list'] as unknown as { id: number; value: string }[])[0] ?? { id: 0, value: '' }
  }
  const update = async (key: string, value: string | null) =>
    fixture.call('PUT', '/infra/config/update', { token: admin, body: { id: (await row(key)).id, value } })
  const kept = () => decryptSetting(fixture.db, fixture.deps.keys.setting, 'mail.smtp-url')

  it('is stored sealed, shown as a mask, and unchanged when the mask comes back', async () => {
    expect((await update('mail.smtp-url', url)).code).toBe(200)
    expect((await row('mail.smtp-url')).value).toBe('********')
    expect(await kept()).toBe(url)
    expect((await update('mail.smtp-url', '********')).code).toBe(200)
    expect(await kept()).toBe(url)
    const { rows } = await fixture.pool.query(`
      select to_jsonb(c)::text as row from config c union all select to_jsonb(a)::text from audit_log a
      union all select encode(value, 'escape') from secret`)
    expect(rows.map(({ row: text }) => String(text)).join()).not.toContain('Pass-of-a-test')
  })

  it('is removed when cleared', async () => {
    await update('mail.smtp-url', url)
    expect((await update('mail.smtp-url', null)).code).toBe(200)
    expect(await kept()).toBe('')
    expect((await row('mail.smtp-url')).value).toBe('')
  })

  it('is not returned by its key', async () => {
    const answer = await fixture.call('GET', '/infra/config/get-value-by-key?key=mail.smtp-url', { token: admin })
    expect(answer.code).toBe(1_001_000_004)
  })

  it.each([
    ['mail.smtp-url', 'http://mail.test'],
    ['mail.smtp-url', 'smtp:'],
    ['mail.from', 'nobody'],
    ['sms.endpoint', 'javascript:alert(1)'],
    ['social.providers', '[{"key":"A"}]'],
    ['social.secrets', '["x"]'],
  ])('and its kin are refused what they cannot be: %s = %s', async (key, value) => {
    invalidateSettings()
    expect((await update(key, value)).data).toMatchObject({ errors: [{ field: 'value' }] })
  })
})
