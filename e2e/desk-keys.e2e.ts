import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { makeRecord } from '../apps/server/seed/make-record.ts'
import { alarm, clearDesks, detail, recordAt } from './desk.ts'
import { soon, stage } from './stage/stage.ts'
import { EAST } from './stage/world.ts'

// The desk for whoever never takes his hands from the keys.

const { site, world, visit } = stage()
beforeEach(() => clearDesks(site()))

const made = (room: string, minutes: number) => {
  const { id: schoolId, deptId } = world().east
  const firstAt = new Date(Date.now() - minutes * 60_000)
  const given = { deptId, schoolId, schoolName: EAST, room, level: 2, firstAt, resetAt: new Date() }
  return makeRecord(site().db, given)
}
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const chosen = (page: Page, id: number | null) =>
  soon(() => new URL(page.url()).searchParams.get('id')).toBe(id === null ? null : String(id))
const isIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector)
const focusIn = (page: Page, selector: string) => soon(() => isIn(page, selector)).toBe(true)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

test('under a dialog and in a field the keys of the desk are silent', async () => {
  const first = await made('303室', 30)
  await made('304室', 20)
  const page = await visit(world().east.staff.head, '/desk')
  await alarm(page, '304室').waitFor()
  await press(page, 'j')
  await chosen(page, first.id)
  await press(page, '?')
  const help = page.getByRole('dialog', { name: '键盘操作' })
  await help.getByText('下一条待认领').waitFor()
  await press(page, 'j', 'n', 'c', '/')
  await press(page, 'Escape')
  await help.waitFor({ state: 'detached' })
  await chosen(page, first.id)
  await press(page, 'Control+K')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.waitFor()
  await page.keyboard.type('cjn')
  await soon(() => search.inputValue()).toBe('cjn')
  await press(page, 'Escape')
  await search.waitFor({ state: 'hidden' })
  await chosen(page, first.id)

  await press(page, '/')
  await focusIn(page, '.desk-choices')
  await page.keyboard.type('jnc')
  const list = page.locator('.ant-select-dropdown:visible')
  await list.waitFor()
  await press(page, 'Escape')
  await list.waitFor({ state: 'hidden' })
  await focusIn(page, '.desk-choices')
  await press(page, 'Escape')
  await page.locator('.desk-choices').waitFor({ state: 'hidden' })
  await soon(() => focused(page)).toMatch(/^筛\s*选$/)
  await chosen(page, first.id)
  expect((await recordAt(site(), '303室')).state).toBe('NEW')
  // And they work again.
  await press(page, 'j')
  await detail(page).getByRole('heading', { name: '304室' }).waitFor()
  await press(page, 'c')
  await alarm(page, '304室')
    .getByText(/已由 我 认领/)
    .waitFor()
})
