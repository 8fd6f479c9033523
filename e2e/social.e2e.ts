import { afterAll, beforeAll, test } from 'vitest'
import { makeUser } from '../apps/server/seed/make.ts'
import { CLIENT, openProvider } from '../apps/server/test/identity-provider.ts'
import { setSettings } from './settings.ts'
import { soon, stage } from './stage/stage.ts'
import { button, SETTLED } from './words.ts'

const { site, world, visit, stranger } = stage()

let provider: Awaited<ReturnType<typeof openProvider>>
beforeAll(async () => {
  provider = await openProvider(site().url)
  const { issuer } = provider
  const one = { key: 'police', name: '警务统一认证', nameEn: 'Police', icon: 'police', issuer, clientId: CLIENT.id }
  await setSettings(site(), {
    'social.providers': JSON.stringify([one]),
    'social.secrets': JSON.stringify({ police: CLIENT.secret }),
  })
})
afterAll(() => provider.close())

test('an account of another system is bound in the profile, signs in from the login page, and is let go again', async () => {
  const unknown = await stranger()
  await unknown.goto('/login')
  await unknown.getByRole('button', { name: '警务统一认证' }).click()
  await unknown.getByRole('alert').getByText('该账号尚未绑定本系统用户').waitFor()
  await unknown.getByRole('button', { name: '返回' }).click()
  await unknown.getByRole('button', { name: '警务统一认证' }).waitFor()

  const { deptId } = world().east
  const person = { username: 'social.wang', nickname: '王老师' }
  const { id } = await makeUser(site().db, { ...person, roles: ['safety_officer'], deptId })
  const page = await visit({ id, ...person }, '/profile')
  await page.getByRole('tab', { name: '安全设置' }).click()
  await button(page, '绑定').last().click()
  await page.getByText('oidc-wang@idp').waitFor()
  await soon(() => new URL(page.url()).search).toBe('')

  const later = await stranger()
  await later.goto('/login?redirect=%2Fprofile')
  await later.getByRole('button', { name: '警务统一认证' }).click()
  await soon(() => new URL(later.url()).pathname).toBe('/profile')
  await later.getByRole('button', { name: person.nickname }).waitFor()

  await button(page, '解除绑定').click()
  await button(page.locator(SETTLED), '确定').click()
  await page.getByText('未绑定').first().waitFor()
})
