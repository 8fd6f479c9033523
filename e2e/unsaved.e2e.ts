import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { announce } from '../apps/server/src/db/event.ts'
import { endSession } from '../apps/server/src/areas/system/auth/session.ts'
import type { MenuNode } from '../packages/contract/src/system/rights/menu-node.ts'
import { makeRecord } from '../apps/server/seed/make-record.ts'
import { alarm, claim, verb } from './desk.ts'
import { prefer } from './look.ts'
import { soon, stage } from './stage/stage.ts'
import { button } from './words.ts'

// A form that is half filled in, and everything that happens around it.

const { site, world, visit, allow } = stage()

const typed = (page: Page) => page.getByRole('dialog').getByLabel('用户名称')
const begun = async (chosen: Parameters<typeof prefer>[1] = {}) => {
  const page = await visit(world().admin, '/system/user')
  await prefer(page, chosen)
  await button(page, '新增').click()
  await typed(page).fill('half.typed')
  return page
}
const open = async (page: Page, name: string) => {
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: '搜索' }).getByRole('combobox').fill(name)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
}
const path = (page: Page) => soon(() => new URL(page.url()).pathname)
const question = (page: Page) => page.getByRole('dialog', { name: '有未保存的修改，确定放弃？' })
/** Questions of the browser itself, each answered with "stay". */
const staying = (page: Page) => {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  return asked
}
/** From now on the server gives this person other menus. */
const giving = async (page: Page, change: (menus: MenuNode[]) => MenuNode[]) => {
  await page.route('**/get-permission-info', async (route) => {
    const answer = await route.fetch().catch(() => undefined)
    // The page went while it was asked.
    if (!answer) return
    const json = (await answer.json()) as { data: { menus: MenuNode[] } }
    await route.fulfill({ response: answer, json: { ...json, data: { ...json.data, menus: change(json.data.menus) } } })
  })
  await site()
    .db.transaction()
    .execute((trx) => announce(trx, { type: 'permission.changed', userId: world().admin.id }))
}
const changed = (menus: MenuNode[], change: (menu: MenuNode) => MenuNode | undefined): MenuNode[] =>
  menus.flatMap((menu) => {
    const one = change(menu)
    return one ? [{ ...one, children: one.children && changed(one.children, change) }] : []
  })
const tags = (page: Page) => page.getByRole('navigation', { name: '标签栏' }).getByRole('listitem')
const sessionsOf = async (userId: number) =>
  (await site().db.selectFrom('session').select('id').where('userId', '=', userId).execute()).map(({ id }) => id)

test('signing out says that something is not saved, and then takes everything off the screen without asking twice', async () => {
  const page = await begun({ tagsView: true })
  await open(page, '角色管理')
  await path(page).toBe('/system/role')
  const asked = staying(page)
  await page.getByRole('button', { name: world().admin.nickname }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  const leaving = page.getByRole('dialog', { name: '是否退出本系统？' })
  await leaving.getByText('有未保存的修改，确定放弃？').waitFor()
  await button(leaving, '确定').click()
  await path(page).toBe('/login')
  expect(asked).toEqual([])
})

test('a session that was ended leaves nothing on the screen, whatever is half done there', async () => {
  allow(/status of 401/)
  const page = await begun()
  const asked = staying(page)
  const ids = await sessionsOf(world().admin.id)
  await site()
    .db.transaction()
    .execute((trx) => endSession(trx, ids, 'KICKED'))
  await path(page).toBe('/login')
  expect(asked).toEqual([])
})

test('locking asks first, for behind the lock nothing stays', async () => {
  allow(/auth\/lock|get-permission-info/)
  const page = await begun()
  const lock = async () => {
    await page.keyboard.press('Alt+l')
    await page.getByRole('dialog', { name: '锁定屏幕' }).getByLabel('锁屏密码').press('Enter')
  }
  await lock()
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await soon(() => typed(page).inputValue()).toBe('half.typed')
  await lock()
  await button(question(page), '确定').click()
  await page.locator('.lock-screen').waitFor()
})

test.each([true, false])('menus that change leave it alone, with tags: %s', async (tagsView) => {
  const page = await begun({ tagsView })
  await giving(page, (menus) => changed(menus, (menu) => (menu.name === '学校' ? { ...menu, name: '校园' } : menu)))
  await page.getByText('校园', { exact: true }).first().waitFor()
  expect(await typed(page).inputValue()).toBe('half.typed')
})

test('the tab of a screen that is no more allowed is closed with all it held; those of others stay as they are', async () => {
  const page = await begun({ tagsView: true })
  await open(page, '角色管理')
  await path(page).toBe('/system/role')
  await soon(() => tags(page).allInnerTexts()).toEqual(['首页', '用户管理', '角色管理'])
  const lost = (name: string) =>
    giving(page, (menus) => changed(menus, (menu) => (menu.name === name ? undefined : menu)))
  await lost('角色管理')
  await path(page).toBe('/404')
  await soon(() => tags(page).allInnerTexts()).toEqual(['首页', '用户管理'])
  await tags(page).getByRole('link', { name: '用户管理' }).click()
  await soon(() => typed(page).inputValue()).toBe('half.typed')
  await page.unrouteAll({ behavior: 'wait' })
  await lost('用户管理')
  await path(page).toBe('/404')
  await soon(() => tags(page).allInnerTexts()).toEqual(['首页', '角色管理'])
  expect(await page.locator('.ant-drawer').count()).toBe(0)
})

test('a page that is not kept behind its tag asks before it is left', async () => {
  const page = await visit(world().admin, '/system/user')
  await prefer(page, { tagsView: true })
  const notKept = (menu: MenuNode) => (menu.name === '用户管理' ? { ...menu, keepAlive: false } : menu)
  await giving(page, (menus) => changed(menus, notKept))
  await page.reload()
  await button(page, '新增').click()
  await typed(page).fill('half.typed')
  await open(page, '角色管理')
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await path(page).toBe('/system/user')
  expect(await typed(page).inputValue()).toBe('half.typed')
})

test('another tab changes the language at once, and turns the tags on once nothing is half done', async () => {
  const page = await begun()
  const other = await page.context().newPage()
  await other.goto('/profile')
  await other.locator('#content').waitFor()
  await other.evaluate(() => localStorage.setItem('language', 'en'))
  const field = page.getByRole('dialog').getByLabel('User name')
  await soon(() => field.inputValue()).toBe('half.typed')
  await other.evaluate(() => localStorage.setItem('tagsView', 'true'))
  await soon(() => page.evaluate(() => localStorage.getItem('tagsView'))).toBe('true')
  await page.bringToFront()
  expect(await field.inputValue()).toBe('half.typed')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard what you changed?' }).getByRole('button', { name: 'OK' }).click()
  await page.getByRole('menuitem', { name: 'Schools' }).first().getByRole('link').dispatchEvent('click')
  await page.getByRole('navigation', { name: 'Open pages' }).waitFor()
})

test('leaving the desk with a half-typed report asks first, and without one, or once it is sent, does not', async () => {
  const { id: schoolId, deptId } = world().east
  await makeRecord(site().db, { deptId, schoolId, room: '301室' })
  const page = await visit(world().east.staff.safety, '/desk')
  await prefer(page)
  await claim(page, '301室')
  await verb(page, '派出').click()
  await open(page, '预警记录')
  await path(page).toBe('/warn/record')
  await open(page, '接警台')
  await path(page).toBe('/desk')
  await alarm(page, '301室').click()
  await verb(page, '派出').click()
  await page.getByLabel('派出人员').fill('保安')
  await open(page, '预警记录')
  await button(question(page), '取消').click()
  await path(page).toBe('/desk')
  await button(page.getByRole('region', { name: '派出', exact: true }), '派出').click()
  await page.getByText('已完成：派出').waitFor()
  await open(page, '预警记录')
  await path(page).toBe('/warn/record')
})
