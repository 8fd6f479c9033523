import { generate } from 'otplib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { activationHash } from '../apps/server/src/areas/access/sign-in/verification-code/activation.ts'
import { openPost, setSettings } from './settings.ts'
import { CAPTCHA } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, selectOption, runRowAction } from './page-actions.ts'

const { site, world, openSignedOut, visit, allow } = browserTest({ language: 'zh-cn', theme: 'light' })
const password = 'quiet-otter-58-river'
const fresh = 'brave-finch-33-tower'

let post: Awaited<ReturnType<typeof openPost>>
beforeAll(async () => {
  post = await openPost(site())
  await setSettings(site(), { 'register.dept-code': 'OPERATOR', 'register.enabled': 'true' })
})
afterAll(() => post.close())
// All browsers of these tests share one address; the rate limits have tests of their own.
beforeEach(() => site().db.deleteFrom('loginGuard').execute())

let people = 0
const someone = async (given: Parameters<typeof makeUser>[1] & { unset?: boolean } = {}) => {
  const { unset = false, ...more } = given
  people += 1
  const username = `forms.${people}`
  const { id } = await makeUser(site().db, {
    username,
    nickname: `表单 ${people}`,
    roles: ['safety_officer'],
    deptId: world().east.deptId,
    ...(!unset && { password }),
    ...more,
  })
  return { id, username, nickname: `表单 ${people}` }
}

const path = (page: Page) => eventually(() => new URL(page.url()).pathname)
const send = (page: Page, words: string) => page.getByRole('button', { name: words, exact: true }).click()
const captcha = (page: Page) => page.locator('input[name=captchaCode]')
const inside = (page: Page, name: string) => page.getByRole('button', { name }).waitFor()

/** Signs in at the form that the page shows. */
const enter = async (page: Page, username: string, given = password) => {
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(given)
  await captcha(page).fill(CAPTCHA)
  await send(page, '登录')
}
const signIn = async (page: Page, username: string) => {
  await page.goto('/login')
  await enter(page, username)
}
const toSignIn = (page: Page) => page.getByRole('link', { name: '返回登录' }).click()
/** Requests a code through the form, and returns the code that was sent. */
const ask = (page: Page, contact: string) =>
  post.codeTo(contact, async () => {
    await captcha(page).fill(CAPTCHA)
    await send(page, '获取验证码')
    await page.getByText(contact).waitFor()
  })
/** Checks that the captcha field shows this error and has the focus. */
const blamed = async (page: Page, text: string) => {
  await page.getByText(text).waitFor()
  await eventually(() => captcha(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await eventually(() => captcha(page).getAttribute('aria-invalid')).toBe('true')
  await eventually(() => page.getByRole('alert').getByText(text).count()).toBe(0)
}

const newPassword = async (page: Page, typed: string, labels: [string, string] = ['新密码', '确认新密码']) => {
  await page.getByLabel(labels[0], { exact: true }).fill(typed)
  await page.getByLabel(labels[1], { exact: true }).fill(typed)
}

test('gives every form an address, a link, a way back and focus on its first field, in both languages', async () => {
  const page = await openSignedOut()
  await page.goto('/login?redirect=%2Fschool%2Flist')
  await page.getByRole('link', { name: '验证码登录' }).click()
  await path(page).toBe('/login/mobile')
  await eventually(() => page.locator('input[name=mobile]').evaluate((input) => input === document.activeElement)).toBe(
    true,
  )
  await eventually(() => new URL(page.url()).searchParams.get('redirect')).toBe('/school/list')
  await page.goBack()
  await page.getByRole('heading', { name: '登录', exact: true }).waitFor()
  await page.getByRole('link', { name: '注册' }).click()
  await page.getByRole('heading', { name: '注册账号' }).waitFor()
  await page.goForward().catch(() => undefined)
  await page.getByRole('link', { name: '返回登录' }).click()
  await path(page).toBe('/login')

  const forms = [
    ['/login/mobile', '验证码登录', '验证码登录', 'Sign in with a code', 'mobile'],
    ['/register', '注册', '注册账号', 'Sign up', 'username'],
    ['/reset-password', '忘记密码', '重置密码', 'Reset password', 'contact'],
    ['/activate', '激活账号', '激活账号', 'Activate an account', 'username'],
  ] as const
  for (const [address, link, zh, en, first] of forms) {
    await page.getByRole('link', { name: link }).click()
    await path(page).toBe(address)
    await page.getByRole('heading', { name: zh }).waitFor()
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(first)
    await page.getByRole('button', { name: 'Switch to English' }).click()
    await page.getByRole('heading', { name: en }).waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).waitFor()
    await eventually(() => page.title()).toContain(en)
    await page.getByRole('button', { name: '切换为中文' }).click()
    await toSignIn(page)
  }
})

test('answers alike for an unknown number, renews an expired captcha, shows only the latest result, and signs in by a code after errors', async () => {
  allow(/auth\//)
  const page = await openSignedOut()
  await page.goto('/login/mobile')
  await page.getByLabel('手机号').fill('13900019999')
  await captcha(page).fill(CAPTCHA)
  await send(page, '获取验证码')
  await page.getByText('如果 13900019999 已登记').waitFor()

  await toSignIn(page)
  await page.getByRole('link', { name: '验证码登录' }).click()
  const picture = page.getByRole('button', { name: '验证码图片' }).locator('img')
  const before = await picture.getAttribute('src')
  await page.route('**/send-sms-code', (route) =>
    route.fulfill({
      json: {
        code: 1_002_014_001,
        msg: '验证码已过期',
        data: { errors: [{ field: 'captchaCode', message: '验证码已过期' }] },
      },
    }),
  )
  await page.getByLabel('手机号').fill('13900019999')
  await captcha(page).fill(CAPTCHA)
  await send(page, '获取验证码')
  await blamed(page, '验证码已过期')
  await eventually(() => picture.getAttribute('src')).not.toBe(before)
  await eventually(() => captcha(page).inputValue()).toBe('')
  await page.unroute('**/send-sms-code')
  await toSignIn(page)
  await page.getByRole('link', { name: '验证码登录' }).click()
  const answerSmsCode = (json: object) => page.route('**/send-sms-code', (route) => route.fulfill({ json }))
  const message = page.getByRole('alert').locator('p')
  const request = async () => {
    await captcha(page).fill(CAPTCHA)
    await send(page, '获取验证码')
  }
  await answerSmsCode({ code: 500, msg: 'stack', data: null })
  await page.getByLabel('手机号').fill('13900018888')
  await request()
  await page.getByText('服务器错误,请联系管理员!').waitFor()
  await page.getByLabel('收到的验证码').fill('000000')
  await send(page, '登录')
  await page.getByText('验证码错误或已失效').waitFor()
  await eventually(() => message.allInnerTexts()).toEqual(['验证码错误或已失效'])
  await answerSmsCode({ code: 200, msg: '', data: true })
  await request()
  await page.getByText('如果 13900018888 已登记').waitFor()
  await eventually(() => message.count()).toBe(0)

  await page.unroute('**/send-sms-code')
  await toSignIn(page)
  await page.getByRole('link', { name: '验证码登录' }).click()
  const mobile = '13900010001'
  const { nickname } = await someone({ mobile })
  await send(page, '登录')
  for (const text of ['请输入手机号', '请输入收到的验证码']) await page.getByText(text).waitFor()
  await page.getByLabel('手机号').fill('123')
  await send(page, '获取验证码')
  await page.getByText('手机号为 11 位数字').waitFor()
  await page.getByLabel('手机号').fill(mobile)
  await captcha(page).fill('WRONG')
  await send(page, '获取验证码')
  await blamed(page, '验证码不正确')

  const code = await ask(page, mobile)
  await page.getByRole('button', { name: /^\d+ 秒$/ }).waitFor()
  await eventually(() => captcha(page).count()).toBe(0)
  await page.getByLabel('收到的验证码').fill(code === '000000' ? '000001' : '000000')
  await send(page, '登录')
  await page.getByRole('alert').getByText('验证码错误或已失效').waitFor()
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await page.getByRole('alert').getByText('The code is wrong or no longer valid').waitFor()
  await page.getByLabel('Code you received').fill(code)
  await send(page, 'Sign in')
  await inside(page, nickname)
})

test('sets a forgotten password by a code, and rejects the old one', async () => {
  allow(/auth\//)
  const email = 'reset@school.test'
  const { username, nickname } = await someone({ email })
  const page = await openSignedOut()
  await page.goto('/login')
  await page.getByRole('link', { name: '忘记密码' }).click()
  await page.getByLabel('手机号或邮箱').fill(email)
  const code = await ask(page, email)
  await page.getByLabel('收到的验证码').fill(code)
  await page.getByLabel('新密码', { exact: true }).fill(fresh)
  await page.getByLabel('确认新密码').fill(`${fresh}!`)
  await send(page, '设置新密码')
  await page.getByText('两次输入密码不一致').waitFor()
  await newPassword(page, 'aaaaaaaaaaaa')
  await send(page, '设置新密码')
  await page.getByText('密码过于简单').waitFor()
  await newPassword(page, fresh)
  await send(page, '设置新密码')
  await page.getByText('密码已修改').waitFor()
  await toSignIn(page)
  await enter(page, username)
  await page.getByRole('alert').getByText('登录失败').waitFor()
  await enter(page, username, fresh)
  await inside(page, nickname)
})

test('lets a registered user sign in only after the approval', async () => {
  allow(/auth\//)
  const mobile = '13900010003'
  const page = await openSignedOut()
  await page.goto('/register')
  await send(page, '注册')
  for (const text of ['请输入密码', '请再次输入密码']) await page.getByText(text, { exact: true }).waitFor()
  await page.getByLabel('密码', { exact: true }).fill('short')
  await send(page, '注册')
  await page.getByText('密码长度须为 8 至 64 个字符', { exact: true }).waitFor()
  await page.getByLabel('用户名').fill('newcomer.zhou')
  await page.getByLabel('姓名').fill('周新来')
  await newPassword(page, fresh, ['密码', '确认密码'])
  await page.getByLabel('手机号').fill(mobile)
  await page.getByLabel('收到的验证码').fill(await ask(page, mobile))
  await send(page, '注册')
  await page.getByText('勾选后才能注册').waitFor()
  await page.getByRole('button', { name: '《个人信息处理说明》' }).click()
  await page.getByRole('dialog', { name: '个人信息处理说明' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox').check()
  await send(page, '注册')
  await page.getByRole('heading', { name: '等待审核' }).waitFor()
  await toSignIn(page)
  await enter(page, 'newcomer.zhou', fresh)
  await page.getByRole('alert').getByText('账号正在等待审核').waitFor()

  const desk = await visit(world().admin, '/system/user')
  await button(desk, '更多筛选').click()
  await selectOption(desk, desk.getByRole('combobox', { name: '待审核' }), '是')
  await button(desk, '搜索').click()
  await runRowAction(desk, 'newcomer.zhou', '通过')
  await button(desk.locator('.ant-modal:visible'), '确定').click()
  await desk.getByText('已通过').waitFor()
  await enter(page, 'newcomer.zhou', fresh)
  await inside(page, '周新来')
})

test('activates an imported account by its activation code', async () => {
  allow(/auth\//)
  const { id, username, nickname } = await someone({ unset: true })
  const expiresAt = new Date(Date.now() + 3_600_000)
  await site()
    .db.insertInto('activationCode')
    .values({ userId: id, codeHash: activationHash('ABCD-EFGH'), expiresAt })
    .execute()
  const page = await openSignedOut()
  await page.goto('/login')
  await page.getByRole('link', { name: '激活账号' }).click()
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('激活码').fill('WRONG-CODE')
  await newPassword(page, fresh)
  await send(page, '激活')
  await page.getByRole('alert').locator('p').waitFor()
  await page.getByLabel('激活码').fill('abcd-efgh')
  await send(page, '激活')
  await inside(page, nickname)
})

test('enables the second factor, asks for it at the next sign-in, and accepts a recovery code once', async () => {
  allow(/auth\/|second-factor/)
  const person = await someone()
  const page = await visit(person, '/profile')
  await page.getByRole('tab', { name: '安全设置' }).click()
  await button(page, '启用二次验证').click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByLabel('登录密码').fill(password)
  await button(dialog, '下一步').click()
  const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
  const codeOf = (steps: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
  await dialog.getByLabel('动态验证码').fill(await codeOf(0))
  await button(dialog, '启用二次验证').click()
  await dialog.locator('.recovery-codes').waitFor()
  const recovery = await dialog.locator('.recovery-codes code').allInnerTexts()
  expect(recovery.length).toBeGreaterThanOrEqual(8)
  await button(dialog, '已记下').click()
  await page.getByText('已启用', { exact: true }).waitFor()

  const other = await openSignedOut()
  await signIn(other, person.username)
  await other.getByRole('heading', { name: '二次验证' }).waitFor()
  await eventually(() => other.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))).toBe(null)
  await eventually(() => other.getByLabel('动态验证码').getAttribute('autocomplete')).toBe('one-time-code')
  const near = await Promise.all([-1, 0, 1, 2].map(codeOf))
  const wrong = ['123456', '234567', '345678', '456789', '567890'].find((code) => !near.includes(code))
  await other.getByLabel('动态验证码').fill(wrong ?? expect.unreachable())
  await send(other, '继续')
  await other.getByRole('alert').getByText('二次验证码不正确').waitFor()
  // A time step is accepted once; the next one is valid half a minute early.
  await other.getByLabel('动态验证码').fill(await codeOf(1))
  await send(other, '继续')
  await inside(other, person.nickname)

  const third = await openSignedOut()
  await signIn(third, person.username)
  await third.getByRole('button', { name: '手机不在身边' }).click()
  await third.getByLabel('恢复码').fill(recovery[0] ?? '')
  await send(third, '继续')
  await inside(third, person.nickname)
})
