import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import release from '../package.json' with { type: 'json' }
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

const { site, world, visit, openSignedOut, allow } = browserTest({ language: 'zh-cn', theme: 'light' })
const password = 'quiet-otter-58-river'

const someone = async (username: string, given: { mustChangePassword?: boolean } = {}) => {
  const deptId = world().east.deptId
  await makeUser(site().db, {
    username,
    nickname: '安全主任 孙',
    roles: ['safety_officer'],
    deptId,
    password,
    ...given,
  })
  return username
}

const fillIn = async (page: Page, given: { username: string; password: string; captcha?: string }) => {
  await page.getByLabel('用户名').fill(given.username)
  await page.getByLabel('密码', { exact: true }).fill(given.password)
  await page.getByRole('textbox', { name: '验证码' }).fill(given.captcha ?? CAPTCHA)
}
const submit = (page: Page) => page.getByRole('button', { name: '登录', exact: true }).click()
const at = (page: Page) => eventually(() => new URL(page.url()).pathname + new URL(page.url()).search)
const signedOut = (page: Page) =>
  page.evaluate(() => ['ACCESS_TOKEN', 'REFRESH_TOKEN', 'PERMISSIONS'].map((key) => localStorage.getItem(key)))

test('renews the captcha, toggles the password, points out Caps Lock, and offers no method without configuration', async () => {
  const page = await openSignedOut()
  await page.goto('/login')
  const field = page.getByLabel('密码', { exact: true })
  await field.fill(password)
  for (const [words, type] of [
    ['显示密码', 'text'],
    ['隐藏密码', 'password'],
  ] as const) {
    await page.getByRole('button', { name: words }).click()
    await eventually(() => field.getAttribute('type')).toBe(type)
  }
  await eventually(() => field.inputValue()).toBe(password)

  const captcha = page.getByRole('button', { name: '验证码图片' })
  const picture = captcha.locator('img')
  const before = await picture.getAttribute('src')
  await eventually(() => picture.evaluate((image) => [image.clientWidth, image.clientHeight])).toEqual([120, 40])
  await page.getByRole('textbox', { name: '验证码' }).fill('OLD')
  await captcha.click()
  await eventually(() => picture.getAttribute('src')).not.toBe(before)
  await eventually(() => page.getByRole('textbox', { name: '验证码' }).inputValue()).toBe('')
  await eventually(() => page.getByRole('region', { name: '其他登录方式' }).locator('.way').allInnerTexts()).toEqual([
    '扫码登录',
  ])

  // A browser under test has no Caps Lock key of its own: the event simulates it.
  const press = (capsLock: boolean) =>
    field.dispatchEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock: capsLock })
  await press(true)
  await page.getByText('大写锁定已打开').waitFor()
  await press(false)
  await page.getByText('大写锁定已打开').waitFor({ state: 'hidden' })
  await field.fill('')

  // The same page shows the release, and validates empty fields and a short password in both languages.
  await page.getByText(`v${release.version}`, { exact: true }).waitFor()
  await submit(page)
  for (const text of ['请输入用户名', '请输入密码', '请输入验证码']) await page.getByText(text).waitFor()
  await page.getByLabel('密码', { exact: true }).fill('12345')
  await submit(page)
  await page.getByText('密码不能少于6位').waitFor()

  await page.getByRole('button', { name: 'Switch to English' }).click()
  await page.getByText('Switch Language Successful!').waitFor()
  const english = ['Please enter Username', 'The password can not be less than 6 digits', 'Please enter Verify Code']
  for (const text of english) await page.getByText(text).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Please enter Password').waitFor()
})

test('rejects a wrong password and captcha without naming the wrong part, and requires a new password at first', async () => {
  allow(/auth\/login/, /update-password/)
  const page = await openSignedOut()
  await page.goto('/login')
  const picture = page.getByRole('button', { name: '验证码图片' }).locator('img')
  const before = await picture.getAttribute('src')
  for (const username of [await someone('sun.wrong'), 'nobody']) {
    await fillIn(page, { username, password: 'not-the-password' })
    await submit(page)
    await page.getByRole('alert').getByText('登录失败，账号密码不正确').waitFor()
    await eventually(() => page.getByRole('textbox', { name: '验证码' }).inputValue()).toBe('')
  }
  await eventually(() => picture.getAttribute('src')).not.toBe(before)
  await eventually(() => signedOut(page)).toEqual([null, null, null])

  const username = await someone('sun.code')
  const captcha = page.getByRole('textbox', { name: '验证码' })
  await fillIn(page, { username, password, captcha: 'WRONG' })
  await submit(page)
  await page.getByText('验证码不正确').waitFor()
  await eventually(() => captcha.evaluate((field) => field === document.activeElement)).toBe(true)
  await eventually(() => captcha.getAttribute('aria-invalid')).toBe('true')
  await eventually(() => page.getByRole('alert').getByText('验证码不正确').count()).toBe(0)

  // Sends the same captcha again, like a second click in another tab.
  const key = await page.evaluate(async () => {
    const answer = await fetch('/admin-api/api/v1/auth/captcha')
    return ((await answer.json()) as { data: { captchaKey: string } }).data.captchaKey
  })
  await page.route('**/auth/captcha', async (route) => {
    const answer = await route.fetch()
    const json = (await answer.json()) as { data: object }
    await route.fulfill({ response: answer, json: { ...json, data: { ...json.data, captchaKey: key } } })
  })
  await page.reload()
  await fillIn(page, { username, password: 'not-the-password' })
  await submit(page)
  await page.getByRole('alert').getByText('登录失败').waitFor()
  await fillIn(page, { username, password })
  await submit(page)
  await page.getByRole('alert').getByText('验证码已使用').waitFor()
  // The next captcha is already requested.
  await page.unrouteAll({ behavior: 'wait' })

  const newcomer = await someone('sun.first', { mustChangePassword: true })
  const used = await picture.getAttribute('src')
  await page.getByRole('button', { name: '验证码图片' }).click()
  await eventually(() => picture.getAttribute('src')).not.toBe(used)
  await fillIn(page, { username: newcomer, password })
  await submit(page)
  await page.getByRole('heading', { name: '设置新密码' }).waitFor()
  await eventually(() => signedOut(page)).toEqual([null, null, null])

  const change = page.getByRole('button', { name: '修改密码并继续' })
  const fields = { fresh: page.getByLabel('新密码', { exact: true }), again: page.getByLabel('确认新密码') }
  await fields.fresh.fill('brave-finch-33-tower')
  await fields.again.fill('brave-finch-33-towel')
  await change.click()
  await page.getByText('两次输入密码不一致').waitFor()
  await fields.fresh.fill('aaaaaaaaaaaa')
  await fields.again.fill('aaaaaaaaaaaa')
  await change.click()
  await page.getByText('密码过于简单').waitFor()
  await fields.fresh.fill('brave-finch-33-tower')
  await fields.again.fill('brave-finch-33-tower')
  await change.click()
  await page.getByRole('button', { name: '安全主任 孙' }).waitFor()
})

test('asks a user with an expired session to sign in, and returns to the requested page with its query', async () => {
  const page = await openSignedOut()
  await page.goto('/login?reason=expired&redirect=%2Fschool%2Flist')
  await page.getByText('您的会话已过期，请重新登录', { exact: true }).waitFor()
  await page.goto('/login?reason=expired&why=toString&redirect=%2Fschool%2Flist')
  await page.getByText('您的会话已过期，请重新登录', { exact: true }).waitFor()
  await eventually(() => page.locator('.notice br').count()).toBe(0)
  await page.goto('/login?reason=expired&why=PASSWORD&redirect=%2Fschool%2Flist')
  await page.getByText(/您的会话已过期，请重新登录.*密码已被修改或重置/s).waitFor()

  await page.goto('/school/list?keyword=%E4%B8%9C%E6%B9%96')
  await at(page).toBe(`/login?redirect=${encodeURIComponent('/school/list?keyword=%E4%B8%9C%E6%B9%96')}`)
  await fillIn(page, { username: await someone('sun.back'), password })
  await submit(page)
  await at(page).toBe('/school/list?keyword=%E4%B8%9C%E6%B9%96')
  await page.getByRole('cell', { name: '东湖第一小学' }).first().waitFor()
  await page.goto('/login')
  await eventually(() => new URL(page.url()).pathname).not.toBe('/login')
})

test('redirects to no other site, stores only the user name for remember-me, and deletes it again', async () => {
  const username = await someone('sun.remember')
  const page = await openSignedOut()
  await page.goto(`/login?redirect=${encodeURIComponent('//evil.example/desk')}`)
  await page.getByRole('checkbox', { name: '记住我' }).check()
  await fillIn(page, { username, password })
  await submit(page)
  await page.getByRole('button', { name: '安全主任 孙' }).waitFor()
  await eventually(() => new URL(page.url()).origin).toBe(site().url)
  await page.getByRole('button', { name: '安全主任 孙' }).click()
  await page.getByText('退出登录').click()
  await button(page.getByRole('dialog', { name: '是否退出本系统？' }), '确定').click()

  await at(page).toBe('/login')
  await eventually(() => page.getByLabel('用户名').inputValue()).toBe(username)
  await eventually(() => page.getByLabel('密码', { exact: true }).inputValue()).toBe('')
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).toContain(username)
  expect(stored).not.toContain(password)
  await eventually(() => signedOut(page)).toEqual([null, null, null])

  await page.getByRole('checkbox', { name: '记住我' }).uncheck()
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('textbox', { name: '验证码' }).fill(CAPTCHA)
  await submit(page)
  await page.getByRole('button', { name: '安全主任 孙' }).waitFor()
  await eventually(() => page.evaluate(() => localStorage.getItem('rememberMe'))).toBe(null)
})

test('leads through the password change back to the page when a change is required during the session', async () => {
  allow(/get-permission-info|update-password/)
  const { id } = await makeUser(site().db, {
    username: 'sun.later',
    nickname: '安全主任 孙',
    roles: ['safety_officer'],
    deptId: world().east.deptId,
    password,
    mustChangePassword: true,
  })
  const page = await visit({ id, username: 'sun.later', nickname: '安全主任 孙' }, '/school/list?keyword=x')
  await page.getByRole('heading', { name: '设置新密码' }).waitFor()
  await page.getByLabel('当前密码').fill(password)
  await page.getByLabel('新密码', { exact: true }).fill('brave-finch-33-tower')
  await page.getByLabel('确认新密码').fill('brave-finch-33-tower')
  await page.getByRole('button', { name: '修改密码并继续' }).click()
  await at(page).toBe('/school/list?keyword=x')
  await page.getByRole('button', { name: '安全主任 孙' }).waitFor()
})

test('retries loading the permissions while the server is unavailable, and ends the session on a rejection', async () => {
  allow(/get-permission-info/)
  const page = await visit(world().east.staff.head, 'about:blank')
  const answers: object[] = [{ status: 503, body: '' }]
  await page.route('**/get-permission-info', (route) => {
    const [answer] = answers
    return answer ? route.fulfill(answer) : route.fallback()
  })
  await page.goto('/school/list')
  await page.getByText('暂时无法连接服务器，正在重试').waitFor()
  await eventually(() => page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))).not.toBe(null)
  answers.pop()
  await page.getByRole('button', { name: '校长 east' }).waitFor()

  answers.push({ json: { code: 403, msg: '', data: null } })
  await page.reload()
  await at(page).toBe('/login?reason=expired&redirect=%2Fschool%2Flist')
  await eventually(() => signedOut(page)).toEqual([null, null, null])
})

test('ends the session without blaming the user when loading the permissions fails', async () => {
  allow(/get-permission-info|auth\/login/)
  const page = await visit(world().east.staff.head, 'about:blank')
  await page.route('**/get-permission-info', (route) => route.fulfill({ json: { code: 500, msg: '', data: null } }))
  await page.goto('/school/list')
  await at(page).toBe('/login?reason=server-error&redirect=%2Fschool%2Flist')
  await page.getByText('服务器错误,请联系管理员!').waitFor()
  await eventually(() => page.getByText('会话已过期').count()).toBe(0)
  await eventually(() => signedOut(page)).toEqual([null, null, null])
  await fillIn(page, { username: 'sun.nobody', password })
  await submit(page)
  await page.getByRole('alert').getByText('登录失败').waitFor()
  await eventually(() => page.getByText('服务器错误,请联系管理员!').count()).toBe(0)
})
