import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { CLIENT, openProvider } from '../apps/server/test/identity-provider.ts'
import { setSettings } from './settings.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, SETTLED } from './page-actions.ts'

const { site, world, visit, openSignedOut, allow } = browserTest({ language: 'en', theme: 'dark' })

let provider: Awaited<ReturnType<typeof openProvider>>
beforeAll(async () => {
  provider = await openProvider(site().url)
  const { issuer } = provider
  const item = { key: 'police', name: '警务统一认证', nameEn: 'Police', icon: 'police', issuer, clientId: CLIENT.id }
  await setSettings(site(), {
    'social.providers': JSON.stringify([item]),
    'social.secrets': JSON.stringify({ police: CLIENT.secret }),
  })
})
afterAll(() => provider.close())

test('binds an external account in the profile, signs in with it, and unbinds it', async () => {
  const unknown = await openSignedOut()
  await unknown.goto('/login')
  await unknown.getByRole('button', { name: 'Sign in with Police' }).click()
  await unknown.getByRole('alert').getByText('This account is not bound to a user yet').waitFor()
  await unknown.getByRole('button', { name: 'Back to sign in' }).click()
  await unknown.getByRole('button', { name: 'Sign in with Police' }).waitFor()

  const { deptId } = world().east
  const person = { username: 'social.wang', nickname: '王老师' }
  const { id } = await makeUser(site().db, { ...person, roles: ['safety_officer'], deptId })
  const page = await visit({ id, ...person }, '/profile')
  await page.getByRole('tab', { name: 'Security' }).click()
  const account = page.getByRole('listitem').filter({ hasText: 'Police' })
  await button(account, 'Bind').click()
  await account.getByText('oidc-wang@idp').waitFor()
  await eventually(() => new URL(page.url()).search).toBe('')

  const later = await openSignedOut()
  await later.goto('/login?redirect=%2Fprofile')
  await later.getByRole('button', { name: 'Sign in with Police' }).click()
  await eventually(() => new URL(later.url()).pathname).toBe('/profile')
  await later.getByRole('button', { name: person.nickname }).waitFor()

  await button(account, 'Unbind').click()
  await button(page.locator(SETTLED), 'OK').click()
  await account.getByText('Not bound').waitFor()
})

test('keeps many sign-in methods with long names within their borders, in both languages', async () => {
  const names = [
    ['police', '警务统一认证', 'Unified identity'],
    ['wecom', '企业微信', 'WeCom'],
    ['dingtalk', '钉钉', 'DingTalk'],
    ['edu', '教育局统一身份认证平台', 'Bureau of education'],
    ['city', '城市账号', 'Single sign-on of the municipality'],
  ] as const
  const { issuer } = provider
  const ways = names.map(([key, name, nameEn]) => ({ key, name, nameEn, icon: 'police', issuer, clientId: CLIENT.id }))
  await setSettings(site(), {
    'social.providers': JSON.stringify(ways),
    'social.secrets': JSON.stringify(Object.fromEntries(names.map(([key]) => [key, CLIENT.secret]))),
  })
  const page = await openSignedOut()
  await page.goto('/login')
  const spilling = () =>
    page.locator('.way').evaluateAll((all) =>
      all.flatMap((way) => {
        const { left, right } = way.getBoundingClientRect()
        const boxes = [...way.children].map((part) => part.getBoundingClientRect())
        return boxes.every((box) => box.left >= left && box.right <= right) ? [] : [way.textContent]
      }),
    )
  /** A short name on three or more lines is broken inside of words. */
  const torn = () =>
    page.locator('.way > span').evaluateAll((all) => all.filter((element) => element.clientHeight > 40).length)
  const fits = async (shown: string) => {
    await page.getByRole('button', { name: shown }).waitFor()
    await eventually(() => page.locator('.way').count()).toBeGreaterThanOrEqual(5)
    await eventually(spilling).toEqual([])
    await eventually(torn).toBe(0)
  }
  await fits('Unified identity')
  await page.getByRole('button', { name: '切换为中文' }).click()
  await fits('钉钉')
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await fits('Unified identity')

  // A provider is unavailable, then the password is wrong: the first message disappears.
  allow(/auth\/login/)
  await page.route('**/social-redirect*', (route) => route.fulfill({ json: { code: 500, msg: '', data: null } }))
  await page.getByRole('button', { name: 'WeCom' }).click()
  const message = page.getByRole('alert').locator('p')
  await eventually(() => message.allInnerTexts()).toEqual(['Server error, please contact the administrator'])
  await page.getByLabel('Username').fill('nobody.here')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.locator('input[name=captchaCode]').fill(CAPTCHA)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await eventually(() => message.allInnerTexts()).toEqual([expect.stringMatching(/^Sign-in failed/)])
})
