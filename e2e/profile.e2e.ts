import { afterAll, beforeAll, test } from 'vitest'
import { makeUser } from '../apps/server/seed/make.ts'
import { openPost } from './settings.ts'
import { prefer } from './look.ts'
import { soon, stage } from './stage/stage.ts'
import { button, closed, drawer, row, save, SETTLED } from './words.ts'

const { site, world, visit, allow, all } = stage({ language: 'zh-cn', theme: 'light' })
const password = 'quiet-otter-58-river'

let post: Awaited<ReturnType<typeof openPost>>
beforeAll(async () => {
  post = await openPost(site())
})
afterAll(() => post.close())

const someone = async (username: string) => {
  const { deptId } = world().east
  const nickname = `本人 ${username}`
  const { id } = await makeUser(site().db, { username, nickname, roles: ['safety_officer'], deptId, password })
  return { id, username, nickname }
}

test('a number and an address become one’s own by a code that was sent there', async () => {
  allow(/update-(mobile|email)/)
  const page = await visit(await someone('own.contact'), '/profile')
  await page.getByRole('tab', { name: '安全设置' }).click()
  const bind = async (which: string, label: string, contact: string) => {
    await page.getByRole('button', { name: `${which} 修改` }).click()
    const dialog = page.getByRole('dialog', { name: which })
    await dialog.getByLabel(label).fill('not one')
    await button(dialog, '获取验证码').click()
    await dialog.locator('.ant-form-item-explain-error').first().waitFor()
    await dialog.getByLabel(label).fill(contact)
    const code = await post.codeTo(contact, () => button(dialog, '获取验证码').click())
    await button(dialog, '60 秒')
      .or(dialog.getByRole('button', { name: /^5\d 秒$/ }))
      .waitFor()
    await dialog.getByLabel('验证码').fill(code === '111111' ? '222222' : '111111')
    await button(dialog, '绑定').click()
    await page.getByText('验证码错误或已失效').first().waitFor()
    await dialog.getByLabel('验证码').fill(code)
    await button(dialog, '绑定').click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(contact, { exact: true }).waitFor()
  }
  await bind('绑定手机', '手机号码', '13900020001')
  await bind('绑定邮箱', '邮箱', 'own@school.test')
})

test('what one types about oneself stays while an administrator changes the account', async () => {
  const person = await someone('own.typed')
  const page = await visit(person, '/profile')
  const own = page.getByRole('tabpanel', { name: '基本信息' })
  await own.getByLabel('用户昵称').fill('自己改的')
  const admin = await visit(world().admin, `/system/user?username=${person.username}`)
  await button(row(admin, person.username), '编辑').click()
  await drawer(admin).getByText('女', { exact: true }).click()
  await save(admin)
  await closed(admin)
  await own.getByText('已换成最新的：用户性别。').waitFor()
  await soon(() => own.getByRole('radio', { name: '女' }).isChecked()).toBe(true)
  await soon(() => own.getByLabel('用户昵称').inputValue()).toBe('自己改的')
  await button(own, '保存').click()
  await page.getByText('修改成功').waitFor()
  await own.getByText('已换成最新的').waitFor({ state: 'hidden' })
  const kept = all().selectFrom('users').select(['nickname', 'sex']).where('id', '=', person.id)
  await soon(() => kept.executeTakeFirst()).toEqual({ nickname: '自己改的', sex: 'FEMALE' })
})

test('own sessions are listed, one is signed out from here, and its browser hears so', async () => {
  allow(/401|A0230/)
  const person = await someone('own.sessions')
  const other = await visit(person, '/profile')
  await other.getByText(person.username, { exact: true }).first().waitFor()
  const page = await visit(person, '/profile')
  await page.getByRole('tab', { name: '登录设备' }).click()
  await page.getByText('当前设备').waitFor()
  await page.getByRole('button', { name: '退出 e2e' }).click()
  await button(page.locator(SETTLED), '确定').click()
  await page.getByText('该设备已退出登录').waitFor()
  await soon(() => new URL(other.url()).pathname).toBe('/login')
  await soon(() => page.getByRole('button', { name: '退出其他所有设备' }).count()).toBe(0)

  const [second, third] = [await visit(person, '/profile'), await visit(person, '/profile')]
  await third.getByText(person.username, { exact: true }).first().waitFor()
  await page.reload()
  await page.getByRole('tab', { name: '登录设备' }).click()
  await page.getByRole('button', { name: '退出其他所有设备' }).click()
  await button(page.locator(SETTLED), '确定').click()
  await page.getByText('已退出 2 个设备').waitFor()
  for (const gone of [second, third]) await soon(() => new URL(gone.url()).pathname).toBe('/login')
})

test('a wrong password is said at its field, and what does not come is asked for again', async () => {
  allow(/enrol-second-factor/, /sign-in-options/)
  const person = await someone('own.factor')
  const page = await visit(person, '/profile')
  await page.getByRole('tab', { name: '安全设置' }).click()
  await button(page, '启用二次验证').click()
  const dialog = page.getByRole('dialog', { name: '启用二次验证' })
  await dialog.getByLabel('登录密码').fill('not-the-password')
  await button(dialog, '下一步').click()
  await dialog.locator('.ant-form-item-explain-error').getByText('密码不正确').waitFor()
  await soon(() => dialog.getByLabel('登录密码').inputValue()).toBe('not-the-password')

  const options = '**/sign-in-options'
  await page.route(options, (route) => route.fulfill({ json: { code: 500, msg: 'stack', data: null } }))
  await page.reload()
  await page.locator('#content').getByText('服务器错误,请联系管理员!').waitFor()
  await page.unroute(options)
  await button(page, '重试').click()
  await page.getByRole('tab', { name: '安全设置' }).waitFor()
})

test('on a phone the profile fits, says how the console looks, and leads to its settings', async () => {
  const page = await visit(await someone('own.phone'), '/profile', { viewport: { width: 390, height: 844 } })
  await page.getByText('实时', { exact: true }).waitFor()
  for (const tab of ['修改密码', '安全设置', '登录设备', '界面偏好']) {
    const named = page.getByRole('tab', { name: tab })
    await named.scrollIntoViewIfNeeded()
    await named.click()
    await soon(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  await button(page, '修改界面设置').click()
  await page.getByRole('dialog').getByText('主题颜色').waitFor()
})

test('on a phone the tabs that do not fit are told of by those that fade away', async () => {
  const page = await visit(world().lead, '/profile', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await prefer(page, { language: 'en' })
  const tabs = page.getByRole('tablist')
  const fading = () =>
    tabs.locator('.ant-tabs-nav-wrap').evaluate((wrap) => {
      const style = getComputedStyle(wrap)
      const [left, right] = ['left', 'right'].map((side) => style.getPropertyValue(`--fade-${side}`))
      return { fades: style.maskImage.startsWith('linear-gradient'), left, right }
    })
  await page.getByRole('tab', { name: 'My data' }).waitFor()
  await soon(fading).toEqual({ fades: true, left: '', right: '56px' })
  await page.getByRole('tab', { name: 'Appearance' }).focus()
  await soon(fading).toEqual({ fades: true, left: '56px', right: '' })
})
