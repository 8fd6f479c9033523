import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { endSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import type { MenuNode } from '../packages/contract/src/access/rights/menu-node.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { alarmRow, claim, detail, submitVerb, queue, verb } from './desk.ts'
import { follow, setPreferences } from './appearance.ts'
import { ADMIN } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button } from './page-actions.ts'

// A half-filled form during navigation, locking, sign-out and menu changes.

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
/** Dismisses each dialog of the browser itself, and returns their types. */
const staying = (page: Page) => {
  const items: string[] = []
  page.on('dialog', (dialog) => {
    items.push(dialog.type())
    void dialog.dismiss()
  })
  return items
}
/** From now on the server sends this user changed menus. */
const giving = async (page: Page, change: (menus: MenuNode[]) => MenuNode[]) => {
  await page.route('**/get-permission-info', async (route) => {
    const answer = await route.fetch().catch(() => undefined)
    // The page was closed during the request.
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
    const result = change(menu)
    return result ? [{ ...result, children: result.children && changed(result.children, change) }] : []
  })
const sheet = async (page: Page, room: string) => {
  await alarmRow(page, room).locator('.desk-row-open').click()
  await detail(page).getByRole('heading', { name: room }).waitFor()
}
const tags = (page: Page) => page.getByRole('navigation', { name: '标签栏' }).getByRole('listitem')
const sessionsOf = async (userId: number) =>
  (await site().db.selectFrom('session').select('id').where('userId', '=', userId).execute()).map(({ id }) => id)

test('warns once of unsaved input when signing out, then removes everything from the screen', async () => {
  const page = await begun({ tagsView: true })
  await open(page, '角色管理')
  await path(page).toBe('/system/role')
  const result = staying(page)
  await page.getByRole('button', { name: world().admin.nickname }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  const leaving = page.getByRole('dialog', { name: '是否退出本系统？' })
  await leaving.getByText('有未保存的修改，确定放弃？').waitFor()
  await button(leaving, '确定').click()
  await path(page).toBe('/login')
  expect(result).toEqual([])
})

test('removes half-filled forms from the screen when the session was ended', async () => {
  allow(/status of 401/)
  const page = await begun()
  const result = staying(page)
  const ids = await sessionsOf(world().admin.id)
  await site()
    .db.transaction()
    .execute((trx) => endSession(trx, ids, 'KICKED'))
  await path(page).toBe('/login')
  expect(result).toEqual([])
})

test('covers a half-filled form in every tab while locked, keeps it, and has one navigation blocker', async () => {
  allow(/auth\/(un)?lock|get-permission-info/)
  const page = await visit(world().admin, '/system/role')
  await setPreferences(page)
  // A second navigation blocker would be a warning, also after menu changes and locking.
  const warned: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warned.push(message.text())
  })
  const entry = (name: string) => page.locator('.layout-header').getByRole('menuitem', { name })
  await entry('学校').waitFor()
  await giving(page, (menus) => changed(menus, (menu) => (menu.name === '学校' ? { ...menu, name: '校园' } : menu)))
  await entry('校园').waitFor()
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
  for (const tab of [page, other]) {
    await tab.locator('.lock-screen').waitFor()
    await eventually(() => tab.getByRole('dialog').count()).toBe(0)
    await eventually(() => tab.locator('.layout').count()).toBe(0)
    await eventually(() => tab.evaluate(() => document.body.innerText)).not.toMatch(/half|用户管理|角色/)
    await tab.keyboard.press('Control+K')
    await eventually(() => tab.getByRole('dialog').count()).toBe(0)
  }
  // Going back in the browser does not leave the page either.
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
  expect(warned).toEqual([])
})

test.each([true, false])(
  'keeps a half-filled form when menus change, appear and disappear, with tags: %s',
  async (tagsView) => {
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
  },
)

test('closes the tab of a page that is no longer allowed, and keeps the others unchanged', async () => {
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

test('asks before leaving a page that is not kept alive behind its tag', async () => {
  const page = await visit(world().admin, '/system/user')
  const notKept = (menu: MenuNode) => (menu.name === '用户管理' ? { ...menu, keepAlive: false } : menu)
  await giving(page, (menus) => changed(menus, notKept))
  await setPreferences(page, { tagsView: true })
  await button(page, '新增').click()
  await typed(page).fill('half.typed')
  await open(page, '角色管理')
  await button(question(page), '取消').click()
  await question(page).waitFor({ state: 'hidden' })
  await path(page).toBe('/system/user')
  await eventually(() => typed(page).inputValue()).toBe('half.typed')

  // A confirmed discard is not asked about again.
  await tags(page).filter({ hasText: '用户管理' }).getByRole('button').dispatchEvent('click')
  await button(question(page), '确定').click()
  await path(page).toBe('/dashboard')
  await eventually(() => tags(page).allInnerTexts()).toEqual(['首页'])
})

test('changes the language at once from another tab, and enables tags when no form is half filled', async () => {
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
  await follow(page, 'Schools', 'Schools')
  await page.getByRole('navigation', { name: 'Open pages' }).waitFor()
})

/** Desks that are open learn of the record by its event. */
const enterRecord = async (draft: Parameters<typeof makeRecord>[1]) => {
  const record = await makeRecord(site().db, draft)
  const { id: schoolId, deptId } = world().east
  await emitEvents(site().db, { type: 'alarm.changed', ref: record.id, deptId, schoolId })
  return record
}

test('asks before leaving the desk or a form with input, and reports a failed verb after its record was left', async () => {
  allow(/status of 500/)
  const { id: schoolId, deptId, staff } = world().east
  const ours = { deptId, schoolId, ownerId: staff.safety.id, state: 'HANDLING', level: 2 } as const
  await enterRecord({ deptId, schoolId, room: '301室' })
  const page = await visit(staff.safety, '/warn/desk')
  await setPreferences(page)
  await claim(page, '301室')
  await verb(page, '派人').click()
  await open(page, '警情记录')
  await path(page).toBe('/warn/record')
  await open(page, '接警台')
  await path(page).toBe('/warn/desk')
  await alarmRow(page, '301室').click()
  await verb(page, '派人').click()
  await page.getByRole('checkbox', { name: /保安 east/ }).check()
  await open(page, '警情记录')
  await button(question(page), '取消').click()
  await path(page).toBe('/warn/desk')
  await button(page.getByRole('region', { name: '派人', exact: true }), '派人').click()
  await page.getByText('已完成：派人').waitFor()
  await open(page, '警情记录')
  await path(page).toBe('/warn/record')

  await enterRecord({ ...ours, room: '302室' })
  await enterRecord({ ...ours, room: '303室' })
  await open(page, '接警台')
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

  // The other draft is still there.
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

  const { no } = await enterRecord({ ...ours, room: '304室' })
  await enterRecord({ ...ours, room: '305室' })
  await open(page, '接警台')
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
  await note.fill('家长已到')
  await button(form('备注'), '备注').click()
  await sheet(page, '305室')
  // On return the form shows the pending request, and cannot be submitted twice.
  await sheet(page, '304室')
  await verb(page, '备注').click()
  await note.waitFor()
  await eventually(() => note.inputValue()).toBe('家长已到')
  await eventually(() => note.isDisabled()).toBe(true)
  await sheet(page, '305室')
  fail?.()
  await page.locator('.ant-notification').getByText(`备注 · ${no}`).waitFor()
  await sheet(page, '304室')
  await verb(page, '备注').click()
  await eventually(() => note.isEnabled()).toBe(true)
  await eventually(() => note.inputValue()).toBe('家长已到')
})

test('points out that the record changed since the input was typed, and lists an unsent draft with a link', async () => {
  const { id: schoolId, deptId, staff } = world().east
  const ours = { deptId, schoolId, ownerId: staff.safety.id, state: 'HANDLING', level: 2 } as const
  await enterRecord({ ...ours, room: '306室' })
  await enterRecord({ ...ours, room: '307室' })
  const page = await visit(staff.safety, '/warn/desk')
  // The same user in another browser: only the owner escalates.
  const other = await visit(staff.safety, '/warn/desk')
  const form = (words: string) => page.getByRole('region', { name: words, exact: true })
  await sheet(page, '306室')
  await verb(page, '备注').click()
  await form('备注').getByRole('textbox').fill('家长在校门口')
  await verb(page, '转警方').click()
  await form('转警方').getByLabel('理由').fill('有人持械')
  await sheet(page, '307室')
  await sheet(other, '306室')
  await submitVerb(other, '转警方', (request) => request.getByLabel('理由').fill('警方接手'))

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

  const quiet = { ...ours, level: 3, resetAt: new Date() } as const
  await enterRecord({ ...quiet, room: '308室' })
  await enterRecord({ ...quiet, room: '309室' })
  const note = page.getByRole('region', { name: '备注', exact: true }).getByRole('textbox')
  const message = button(queue(page), '备注 · 308室')
  await sheet(page, '308室')
  await verb(page, '备注').click()
  await note.fill('家长在校门口')
  await sheet(page, '309室')
  await message.waitFor()
  await sheet(other, '308室')
  await submitVerb(other, '标记误报', async (request) => {
    await request.getByText('误触', { exact: true }).click()
    await request.getByLabel('说明').fill('书包碰到')
  })
  await alarmRow(page, '308室').waitFor({ state: 'detached' })
  await message.click()
  await eventually(() => note.inputValue()).toBe('家长在校门口')
  await message.waitFor({ state: 'detached' })
})
