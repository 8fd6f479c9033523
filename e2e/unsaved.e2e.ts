import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { endSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import type { MenuNode } from '../packages/contract/src/access/rights/menu-node.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { alarmRow, claim, detail, submitVerb, queue, verb } from './desk.ts'
import { setPreferences } from './appearance.ts'
import { ADMIN } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

// A form that is half filled in, and everything that happens around it.

const { site, world, visit, allow } = browserTest({ language: 'zh-cn', theme: 'light' })

const typed = (page: Page) => page.getByRole('dialog').getByLabel('用户名称')
const begun = async (chosen: Parameters<typeof setPreferences>[1] = {}) => {
  const page = await visit(world().admin, '/system/user')
  await setPreferences(page, chosen)
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
const path = (page: Page) => eventually(() => new URL(page.url()).pathname)
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
    .execute((trx) => emitEvents(trx, { type: 'permission.changed', userId: world().admin.id }))
}
const changed = (menus: MenuNode[], change: (menu: MenuNode) => MenuNode | undefined): MenuNode[] =>
  menus.flatMap((menu) => {
    const one = change(menu)
    return one ? [{ ...one, children: one.children && changed(one.children, change) }] : []
  })
const sheet = async (page: Page, room: string) => {
  await alarmRow(page, room).locator('.desk-row-open').click()
  await detail(page).getByRole('heading', { name: room }).waitFor()
}
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

test('locking covers what is half filled in, in every tab, where nobody gets at it, and loses nothing of it', async () => {
  allow(/auth\/(un)?lock|get-permission-info/)
  const page = await visit(world().admin, '/system/role')
  await setPreferences(page)
  await open(page, '用户管理')
  await path(page).toBe('/system/user')
  await button(page, '新增').click()
  await typed(page).fill('half.typed')
  const other = await page.context().newPage()
  await other.goto('/system/role')
  await button(other, '新增').click()
  await other.getByRole('dialog').getByLabel('角色名称').fill('half.named')
  await page.bringToFront()
  await page.keyboard.press('Alt+l')
  await page.getByRole('dialog', { name: '锁定屏幕' }).getByLabel('锁屏密码').press('Enter')
  for (const one of [page, other]) {
    await one.locator('.lock-screen').waitFor()
    await eventually(() => one.getByRole('dialog').count()).toBe(0)
    await eventually(() => one.locator('.layout').count()).toBe(0)
    await eventually(() => one.evaluate(() => document.body.innerText)).not.toMatch(/half|用户管理|角色/)
    await one.keyboard.press('Control+K')
    await eventually(() => one.getByRole('dialog').count()).toBe(0)
  }
  // Nor does the way back through the pages lead away from it.
  await page.evaluate(() => history.back())
  await button(page, '点击解锁').click()
  const list = page.waitForRequest('**/system/user/page*')
  await page.getByLabel('锁屏密码或登录密码').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
  await list
  await path(page).toBe('/system/user')
  await eventually(() => other.getByRole('dialog').getByLabel('角色名称').inputValue()).toBe('half.named')
  await open(page, '角色管理')
  await button(question(page), '取消').click()
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
})

test.each([true, false])('menus that change, come and go leave it alone, with tags: %s', async (tagsView) => {
  const page = await begun({ tagsView })
  const entry = (name: string) => page.locator('.layout-header').getByRole('menuitem', { name })
  await entry('学校').waitFor()
  await giving(page, (menus) => changed(menus, (menu) => (menu.name === '学校' ? { ...menu, name: '校园' } : menu)))
  await entry('校园').waitFor()
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
  for (const there of [false, true]) {
    await page.unrouteAll({ behavior: 'wait' })
    await giving(page, (menus) => changed(menus, (menu) => (menu.name === '学校' && !there ? undefined : menu)))
    await entry(there ? '学校' : '校园').waitFor({ state: there ? 'visible' : 'detached' })
    await eventually(() => typed(page).inputValue()).toBe('half.typed')
  }
  await open(page, '角色管理')
  if (tagsView) await path(page).toBe('/system/role')
  else await question(page).waitFor()
})

test('the tab of a screen that is no more allowed is closed with all it held; those of others stay as they are', async () => {
  const page = await begun({ tagsView: true })
  await open(page, '角色管理')
  await path(page).toBe('/system/role')
  await eventually(() => tags(page).allInnerTexts()).toEqual(['首页', '用户管理', '角色管理'])
  const lost = (name: string) =>
    giving(page, (menus) => changed(menus, (menu) => (menu.name === name ? undefined : menu)))
  await lost('角色管理')
  await path(page).toBe('/404')
  await eventually(() => tags(page).allInnerTexts()).toEqual(['首页', '用户管理'])
  await tags(page).getByRole('link', { name: '用户管理' }).click()
  await eventually(() => typed(page).inputValue()).toBe('half.typed')
  await page.unrouteAll({ behavior: 'wait' })
  await lost('用户管理')
  await path(page).toBe('/404')
  await eventually(() => tags(page).allInnerTexts()).toEqual(['首页', '角色管理'])
  await eventually(() => page.locator('.ant-drawer').count()).toBe(0)
})

test('a page that is not kept behind its tag asks before it is left', async () => {
  const page = await visit(world().admin, '/system/user')
  await setPreferences(page, { tagsView: true })
  const notKept = (menu: MenuNode) => (menu.name === '用户管理' ? { ...menu, keepAlive: false } : menu)
  await giving(page, (menus) => changed(menus, notKept))
  await page.reload()
  await button(page, '新增').click()
  await typed(page).fill('half.typed')
  await open(page, '角色管理')
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await path(page).toBe('/system/user')
  await eventually(() => typed(page).inputValue()).toBe('half.typed')

  // Whoever agreed is not asked again on the way out.
  await tags(page).filter({ hasText: '用户管理' }).getByRole('button').dispatchEvent('click')
  await button(question(page), '确定').click()
  await path(page).toBe('/dashboard')
  await eventually(() => tags(page).allInnerTexts()).toEqual(['首页'])
})

test('one question at a time stands before the router, whatever menus came and however often it was locked', async () => {
  const page = await visit(world().admin, '/system/user')
  const warned: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warned.push(message.text())
  })
  const entry = (name: string) => page.locator('.layout-header').getByRole('menuitem', { name })
  await entry('学校').waitFor()
  await giving(page, (menus) => changed(menus, (menu) => (menu.name === '学校' ? { ...menu, name: '校园' } : menu)))
  await entry('校园').waitFor()
  await page.keyboard.press('Alt+l')
  await page.getByRole('dialog', { name: '锁定屏幕' }).getByLabel('锁屏密码').press('Enter')
  await button(page, '点击解锁').click()
  await page.getByLabel('锁屏密码或登录密码').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await entry('校园').waitFor()
  await open(page, '角色管理')
  await path(page).toBe('/system/role')
  expect(warned).toEqual([])
})

test('another tab changes the language at once, and turns the tags on once nothing is half done', async () => {
  const page = await begun()
  const other = await page.context().newPage()
  await other.goto('/profile')
  await other.locator('#content').waitFor()
  await other.evaluate(() => localStorage.setItem('language', 'en'))
  const field = page.getByRole('dialog').getByLabel('User name')
  await eventually(() => field.inputValue()).toBe('half.typed')
  await other.evaluate(() => localStorage.setItem('tagsView', 'true'))
  await eventually(() => page.evaluate(() => localStorage.getItem('tagsView'))).toBe('true')
  await page.bringToFront()
  await eventually(() => field.inputValue()).toBe('half.typed')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard what you changed?' }).getByRole('button', { name: 'OK' }).click()
  await page.getByRole('menuitem', { name: 'Schools' }).first().getByRole('link').dispatchEvent('click')
  await page.getByRole('navigation', { name: 'Open pages' }).waitFor()
})

test('leaving the desk with a half-typed report asks first, and without one, or once it is sent, does not', async () => {
  const { id: schoolId, deptId } = world().east
  await makeRecord(site().db, { deptId, schoolId, room: '301室' })
  const page = await visit(world().east.staff.safety, '/desk')
  await setPreferences(page)
  await claim(page, '301室')
  await verb(page, '派人').click()
  await open(page, '警情记录')
  await path(page).toBe('/warn/record')
  await open(page, '接警台')
  await path(page).toBe('/desk')
  await alarmRow(page, '301室').click()
  await verb(page, '派人').click()
  await page.getByLabel('派出人员').fill('保安')
  await open(page, '警情记录')
  await button(question(page), '取消').click()
  await path(page).toBe('/desk')
  await button(page.getByRole('region', { name: '派人', exact: true }), '派人').click()
  await page.getByText('已完成：派人').waitFor()
  await open(page, '警情记录')
  await path(page).toBe('/warn/record')
})

test('a way out of a form of the desk asks first, and an alarm that comes in between costs nothing that was typed', async () => {
  const { id: schoolId, deptId, staff } = world().east
  const ours = { deptId, schoolId, ownerId: staff.safety.id, state: 'HANDLING', level: 2 } as const
  await makeRecord(site().db, { ...ours, room: '302室' })
  await makeRecord(site().db, { ...ours, room: '303室' })
  const page = await visit(staff.safety, '/desk')
  await setPreferences(page)
  const form = (words: string) => page.getByRole('region', { name: words, exact: true })
  const note = form('备注').getByRole('textbox')
  await sheet(page, '302室')
  await verb(page, '备注').click()
  await note.fill('家长在校门口')
  await page.keyboard.press('Escape')
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await eventually(() => note.inputValue()).toBe('家长在校门口')

  await sheet(page, '303室')
  await verb(page, '核实').click()
  await form('核实').getByRole('textbox').fill('监控未见异常')
  await sheet(page, '302室')
  await verb(page, '备注').click()
  await eventually(() => note.inputValue()).toBe('家长在校门口')
  await open(page, '警情记录')
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await button(form('备注'), '取消').click()
  await button(question(page), '确定').click()
  await form('备注').waitFor({ state: 'detached' })
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^备注/)
  await verb(page, '备注').click()
  await eventually(() => note.inputValue()).toBe('')
  await note.fill('已离开')
  await button(form('备注'), '备注').click()
  await page.getByText('已完成：备注').waitFor()

  // The other one is still there.
  await open(page, '警情记录')
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await sheet(page, '303室')
  await verb(page, '核实').click()
  await eventually(() => form('核实').getByRole('textbox').inputValue()).toBe('监控未见异常')
  await page.keyboard.press('Escape')
  await button(question(page), '确定').click()
  await form('核实').waitFor({ state: 'detached' })
  await open(page, '警情记录')
  await path(page).toBe('/warn/record')
})

test('what was typed before a record changed says so when it is taken up again, also where it cannot be done any more', async () => {
  const { id: schoolId, deptId, staff } = world().east
  const ours = { deptId, schoolId, ownerId: staff.safety.id, state: 'HANDLING', level: 2 } as const
  await makeRecord(site().db, { ...ours, room: '306室' })
  await makeRecord(site().db, { ...ours, room: '307室' })
  const page = await visit(staff.safety, '/desk')
  // The same person at another place: only the owner escalates.
  const other = await visit(staff.safety, '/desk')
  const form = (words: string) => page.getByRole('region', { name: words, exact: true })
  await sheet(page, '306室')
  await verb(page, '备注').click()
  await form('备注').getByRole('textbox').fill('家长在校门口')
  await verb(page, '转警方').click()
  await form('转警方').getByLabel('理由').fill('有人持械')
  await sheet(page, '307室')
  await sheet(other, '306室')
  await submitVerb(other, '转警方', (asked) => asked.getByLabel('理由').fill('警方接手'))

  await alarmRow(page, '306室').getByText('警方处置中').waitFor()
  await sheet(page, '306室')
  await verb(page, '转警方').click()
  await eventually(() => form('转警方').getByLabel('理由').inputValue()).toBe('有人持械')
  await form('转警方').getByText('您填写期间，此警情已被他人改动').waitFor()
  await eventually(() => form('转警方').locator('[type=submit]').isDisabled()).toBe(true)
  await button(form('转警方'), '取消').click()
  await button(question(page), '确定').click()
  await verb(page, '转警方').waitFor({ state: 'detached' })

  await verb(page, '备注').click()
  await eventually(() => form('备注').getByRole('textbox').inputValue()).toBe('家长在校门口')
  await form('备注').getByRole('listitem').filter({ hasText: ': 处置中 → 警方处置中' }).waitFor()
  await button(form('备注'), '知道了，按最新情况继续').click()
  await button(form('备注'), '备注').click()
  await page.getByText('已完成：备注').waitFor()
})

test('where something unsent lies is told, and led to, also when its alarm has left the list', async () => {
  const { id: schoolId, deptId, staff } = world().east
  const ours = { deptId, schoolId, ownerId: staff.safety.id, state: 'HANDLING', level: 3, resetAt: new Date() } as const
  await makeRecord(site().db, { ...ours, room: '308室' })
  await makeRecord(site().db, { ...ours, room: '309室' })
  const page = await visit(staff.safety, '/desk')
  const other = await visit(staff.safety, '/desk')
  const note = page.getByRole('region', { name: '备注', exact: true }).getByRole('textbox')
  const told = button(queue(page), '备注 · 308室')
  await sheet(page, '308室')
  await verb(page, '备注').click()
  await note.fill('家长在校门口')
  await sheet(page, '309室')
  await told.waitFor()
  await sheet(other, '308室')
  await submitVerb(other, '标记误报', async (form) => {
    await form.getByText('误触', { exact: true }).click()
    await form.getByLabel('说明').fill('书包碰到')
  })
  await alarmRow(page, '308室').waitFor({ state: 'detached' })
  await told.click()
  await eventually(() => note.inputValue()).toBe('家长在校门口')
  await told.waitFor({ state: 'detached' })
})

test('an act that fails after its record was left is told all the same', async () => {
  allow(/status of 500/)
  const { id: schoolId, deptId, staff } = world().east
  const ours = { deptId, schoolId, ownerId: staff.safety.id, state: 'HANDLING', level: 2 } as const
  const { no } = await makeRecord(site().db, { ...ours, room: '304室' })
  await makeRecord(site().db, { ...ours, room: '305室' })
  const page = await visit(staff.safety, '/desk')
  await sheet(page, '304室')
  await verb(page, '备注').click()
  let fail: (() => void) | undefined
  const gone = new Promise<void>((resolve) => {
    fail = resolve
  })
  await page.route('**/warn/record/note', async (route) => {
    await gone
    await route.fulfill({ status: 500, json: { code: 500, msg: '系统异常', data: null } })
  })
  const form = page.getByRole('region', { name: '备注', exact: true })
  await form.getByRole('textbox').fill('家长已到')
  await button(form, '备注').click()
  await sheet(page, '305室')
  // Who looks again meanwhile finds it on its way, and cannot send it twice.
  await sheet(page, '304室')
  await verb(page, '备注').click()
  await form.getByRole('textbox').waitFor()
  await eventually(() => form.getByRole('textbox').inputValue()).toBe('家长已到')
  await eventually(() => form.getByRole('textbox').isDisabled()).toBe(true)
  await sheet(page, '305室')
  fail?.()
  await page.locator('.ant-notification').getByText(`备注 · ${no}`).waitFor()
  await sheet(page, '304室')
  await verb(page, '备注').click()
  await eventually(() => form.getByRole('textbox').isEnabled()).toBe(true)
  await eventually(() => form.getByRole('textbox').inputValue()).toBe('家长已到')
})
