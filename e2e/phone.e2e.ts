import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { alarmRow, claim, clearDesks, detail, submitVerb, queue, recordAt, rings, startShift, verb } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

const { site, world, visit, devices, allow } = browserTest({ language: 'zh-cn', theme: 'light' })
beforeEach(() => clearDesks(site()))

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** Nothing may hang over the edge, or the page would slide away under the thumb. */
const fits = (page: Page) =>
  eventually(() =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)

const choose = async (page: Page, menu: string, words: string) => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: words }).click()
}

test('a guard with a phone hears an alarm, takes it, goes there and reports', async () => {
  const page = await visit(world().east.staff.head, '/desk', phone)
  await startShift(page)
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0001')
  await alarmRow(page, '101室').waitFor()
  await rings(page)
  await fits(page)
  await eventually(() => detail(page).isVisible()).toBe(false)

  await alarmRow(page, '101室').getByRole('button', { name: '101室' }).tap()
  await detail(page).getByRole('heading', { name: /101室/ }).waitFor()
  await eventually(() => queue(page).isVisible()).toBe(false)
  await fits(page)
  await detail(page).getByRole('button', { name: '返回列表' }).tap()
  await claim(page, '101室')
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('CLAIMED')
  // Who takes an alarm is led to it.
  await detail(page).getByRole('heading', { name: /101室/ }).waitFor()

  await submitVerb(page, '核实', (form) => form.getByText('现场有人，意图不明').tap())
  await submitVerb(page, '派人', (form) => form.getByLabel('派出人员').fill('本人'))
  await verb(page, '到场').tap()
  fleet.event('EAST-0001', 'MANUAL_RESET')
  await eventually(async () => (await recordAt(site(), '101室')).resetAt).not.toBe(null)
  await submitVerb(page, '处置完成', async (form) => {
    await form.getByText('属实，已处置').tap()
    await form.getByLabel('说明', { exact: true }).fill('误会一场，已解释')
  })
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('RESOLVED')
  await fits(page)
})

test('on a phone a record that cannot be read has a way back to the list', async () => {
  allow(/record\/get/)
  const page = await visit(world().east.staff.head, '/desk?id=999999', phone)
  await detail(page).getByText('警情不存在').waitFor()
  await detail(page).getByRole('button', { name: '返回列表' }).tap()
  await queue(page).waitFor()
  await eventually(() => detail(page).isVisible()).toBe(false)
})

test('lists become cards on a phone, and the menu waits in a drawer', async () => {
  const page = await visit(world().east.staff.head, '/school', phone)
  await page.getByText(world().east.name).first().waitFor()
  await eventually(() => page.getByRole('table').count()).toBe(0)
  // Cards have no spacing to choose.
  await eventually(() => page.getByRole('button', { name: '行距' }).count()).toBe(0)
  await fits(page)
  await page.getByRole('button', { name: '菜单', exact: true }).tap()
  await page.getByRole('dialog').getByText('接警台').tap()
  await eventually(() => new URL(page.url()).pathname).toBe('/desk')
})

test('on a phone the menu of the user has what the header has no room for', async () => {
  const page = await visit(world().east.staff.head, '/profile', phone)
  const user = page.getByRole('button', { name: world().east.staff.head.nickname })
  const entry = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await user.tap()
  await entry('小型').tap()
  await page.getByText('切换布局大小成功！').waitFor()
  await page.locator('#content .ant-btn-sm').first().waitFor()
  await user.tap()
  await entry('默认').tap()
  await eventually(() => page.locator('#content .ant-btn-sm').count()).toBe(0)
  await user.tap()
  await entry('全屏').tap()
  await eventually(() => page.evaluate(() => document.fullscreenElement === document.documentElement)).toBe(true)
  await user.tap()
  await entry('退出全屏').tap()
  await eventually(() => page.evaluate(() => document.fullscreenElement)).toBe(null)

  await page.addInitScript(() => Object.defineProperty(document, 'fullscreenEnabled', { value: false }))
  await page.reload()
  await user.tap()
  await entry('小型').waitFor()
  await eventually(() => entry('全屏').count()).toBe(0)
})

test('on a phone a list that is refused says so once, in its place', async () => {
  const page = await visit(world().admin, '/profile', phone)
  for (const [call, address] of [
    ['system/user/page', '/system/user'],
    ['system/dept/list', '/system/dept'],
  ]) {
    const refusal = { code: 1003, msg: '目前不能列出', data: null }
    await page.route(`**/admin-api/${call}**`, (route) => route.fulfill({ json: refusal }))
    await page.goto(String(address))
    await page.locator('#content').getByText('目前不能列出').waitFor()
    await button(page.locator('#content'), '重试').tap()
    await page.locator('#content').getByText('目前不能列出').waitFor()
    await eventually(() => page.locator('.ant-message-notice, .ant-notification-notice').count()).toBe(0)
  }
})

test('the desk is dark for who works at night, and stays so', async () => {
  const page = await visit(world().east.staff.head, '/desk')
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0002')
  await alarmRow(page, '102室').waitFor()
  const brightness = () =>
    page.evaluate(() => {
      const [red = 0, green = 0, blue = 0] = getComputedStyle(document.querySelector('.layout-header') ?? document.body)
        .backgroundColor.match(/\d+/g)
        ?.map(Number) ?? [255, 255, 255]
      return red + green + blue
    })
  await eventually(brightness).toBeGreaterThan(600)
  await choose(page, '主题', '深色')
  await eventually(brightness).toBeLessThan(200)
  await page.reload()
  await alarmRow(page, '102室').waitFor()
  await eventually(brightness).toBeLessThan(200)
})

test('the whole desk speaks English to who reads no Chinese', async () => {
  const page = await visit(world().east.staff.head, '/desk')
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0003')
  await alarmRow(page, '103室').getByRole('button', { name: '103室' }).click()
  await choose(page, '语言', 'English')
  await page.getByText('Switch Language Successful!').waitFor()
  await page.getByRole('link', { name: 'Alarm desk' }).waitFor()
  await page.getByRole('region', { name: 'Alarm queue' }).getByText('Unclaimed', { exact: true }).waitFor()
  // What people named stays as they named it: the school, its rooms, the rule.
  const own = [world().east.name, '教学楼', '层', '室', '校长', '紧急报警', '校警联', '中文']
  const text = await page.locator('.layout').innerText()
  const chinese = own.reduce((rest, name) => rest.replaceAll(name, ''), text).match(/[\u4e00-\u9fff]+/g)
  expect(chinese).toBe(null)
})
