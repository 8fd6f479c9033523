import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { alarmRow, claim, clearDesks, detail, submitVerb, queue, recordAt, rings, startShift, verb } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { button } from './page-actions.ts'

const { site, world, visit, devices, allow } = browserTest({ language: 'zh-cn', theme: 'light' })
beforeEach(() => clearDesks(site()))

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** No content may overflow horizontally, or the page would scroll sideways. */
const fits = (page: Page) =>
  eventually(() =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)

const choose = async (page: Page, menu: string, words: string) => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: words }).click()
}

test("rings a guard's phone, and lets the guard claim, go and report", async () => {
  const page = await visit(world().east.staff.head, '/warn/desk', phone)
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
  // A claim opens the record.
  await detail(page).getByRole('heading', { name: /101室/ }).waitFor()

  await submitVerb(page, '核实', (form) => form.getByText('现场有人，意图不明').tap())
  await submitVerb(page, '派人', (form) => form.getByRole('checkbox').first().check())
  await verb(page, '到场').tap()
  fleet.event('EAST-0001', 'MANUAL_RESET')
  await eventually(async () => (await recordAt(site(), '101室')).condition).toBe('RECOVERED')
  await submitVerb(page, '处置完成', async (form) => {
    await form.getByText('属实，已处置').tap()
    await form.getByLabel('说明', { exact: true }).fill('误会一场，已解释')
  })
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('RESOLVED')
  await fits(page)
})

test('offers a way back to the list when a record fails to load on a phone', async () => {
  allow(/record\/get/)
  const page = await visit(world().east.staff.head, '/warn/desk?id=999999', phone)
  await detail(page).getByText('警情不存在').waitFor()
  await detail(page).getByRole('button', { name: '返回列表' }).tap()
  await queue(page).waitFor()
  await eventually(() => detail(page).isVisible()).toBe(false)
})

test('shows lists as cards on a phone, and the menu in a drawer', async () => {
  const page = await visit(world().east.staff.head, '/school/list', phone)
  await page.getByText(world().east.name).first().waitFor()
  await eventually(() => page.getByRole('table').count()).toBe(0)
  // Cards have no density setting.
  await eventually(() => page.getByRole('button', { name: '行距' }).count()).toBe(0)
  await fits(page)
  await page.getByRole('button', { name: '菜单', exact: true }).tap()
  await page.getByRole('dialog').getByRole('menuitem', { name: '接警', exact: true }).tap()
  await page.getByRole('dialog').getByText('接警台').tap()
  await eventually(() => new URL(page.url()).pathname).toBe('/warn/desk')
})

test('moves tools without room in the header into the user menu on a phone', async () => {
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

test('reports a rejected list once, in its place, on a phone', async () => {
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

test('keeps the desk dark after a reload, and translates it into English', async () => {
  const page = await visit(world().east.staff.head, '/warn/desk')
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

  fleet.press('EAST-0003')
  await alarmRow(page, '103室').getByRole('button', { name: '103室' }).click()
  await choose(page, '语言', 'English')
  await page.getByText('Switch Language Successful!').waitFor()
  await page.getByRole('menuitem', { name: 'Alarms', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Alarm queue' }).getByText('Unclaimed', { exact: true }).first().waitFor()
  // Names that users gave stay as they are: the school, its rooms, the rule.
  const own = [world().east.name, '东湖派出所', '教学楼', '层', '室', '校长', '紧急报警', '校警联', '中文']
  const text = await page.locator('.layout').innerText()
  const chinese = own.reduce((rest, name) => rest.replaceAll(name, ''), text).match(/[\u4e00-\u9fff]+/g)
  expect(chinese).toBe(null)
})

// What the story of one alarm does not show.
test('claims an unowned alarm by one tap, and sends the steps later that were taken offline', async () => {
  const { guard } = world().east.staff
  const { id: schoolId, deptId } = world().east
  const room = '306室'
  await makeRecord(site().db, { deptId, schoolId, schoolName: EAST_SCHOOL, room, level: 2, class: 'INTRUSION' })
  const mobile = await visit(guard, '/m/tasks', phone)
  await mobile.getByRole('button', { name: `接警，我去现场 ${room}` }).tap()
  await mobile.getByRole('button', { name: '我到了' }).waitFor()
  await eventually(() => recordAt(site(), room)).toMatchObject({ state: 'HANDLING', ownerId: guard.id })

  allow(/ERR_INTERNET_DISCONNECTED/)
  await mobile.context().setOffline(true)
  await mobile.getByRole('button', { name: '我到了' }).tap()
  await mobile.getByText(/1 步未发送/).waitFor()
  await mobile.getByRole('button', { name: /^完\s*成$/ }).waitFor()
  expect((await recordAt(site(), room)).onSiteAt).toBe(null)
  await mobile.context().setOffline(false)
  await eventually(async () => (await recordAt(site(), room)).onSiteAt).not.toBe(null)
  await mobile.getByText(/1 步未发送/).waitFor({ state: 'hidden' })
})
