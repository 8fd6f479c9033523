import type { Page } from 'playwright-core'
import { beforeEach, test } from 'vitest'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { alarmRow, clearDesks, detail, queue, recordAt } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

// Checks the desk with the keyboard alone.

const { site, world, visit } = browserTest({ language: 'en', theme: 'light' })
beforeEach(() => clearDesks(site()))

const made = (room: string, minutes: number) => {
  const { id: schoolId, deptId } = world().east
  const firstAt = new Date(Date.now() - minutes * 60_000)
  const given = { deptId, schoolId, schoolName: EAST_SCHOOL, room, level: 2, firstAt, resetAt: new Date() }
  return makeRecord(site().db, given)
}
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const chosen = (page: Page, id: number | null) =>
  eventually(() => new URL(page.url()).searchParams.get('id')).toBe(id === null ? null : String(id))
const form = (page: Page, words: string) => page.getByRole('region', { name: words, exact: true })
const isIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector)
const focusIn = (page: Page, selector: string) => eventually(() => isIn(page, selector)).toBe(true)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
/** Presses Tab until the focused element has this name. */
const tabTo = async (page: Page, name: RegExp) => {
  for (let step = 0; step < 60; step += 1) {
    if (name.test(await focused(page)) && (await isIn(page, 'button'))) return
    await press(page, 'Tab')
  }
  throw new Error(`no Tab comes to ${name}`)
}
const opened = async (page: Page, words: string) => {
  await form(page, words).waitFor()
  await focusIn(page, '.desk-panel')
}
const done = async (page: Page, words: string) => {
  await page.getByText(`Done: ${words}`).waitFor()
  await form(page, words).waitFor({ state: 'detached' })
}

test('handles a case from the list to its end by keys alone', async () => {
  const first = await made('301室', 20)
  const second = await made('302室', 30)
  const page = await visit(world().east.staff.head, '/warn/desk')
  await alarmRow(page, '302室').waitFor()
  // The latest one is on top of the new ones, and selected at the start.
  await chosen(page, first.id)
  await press(page, 'j')
  await chosen(page, second.id)
  await press(page, 'ArrowUp')
  await chosen(page, first.id)
  await press(page, 'ArrowDown')
  await chosen(page, second.id)
  await press(page, 'k')
  await chosen(page, first.id)
  await press(page, 'n')
  await chosen(page, second.id)
  await press(page, 'n')
  await chosen(page, first.id)
  // The selected row has the focus too.
  await focusIn(page, `[data-id="${first.id}"] .desk-row-open`)
  await detail(page).getByRole('heading', { name: '301室' }).waitFor()

  await press(page, 'c')
  await alarmRow(page, '301室')
    .getByText(/^Claimed by me/)
    .waitFor()
  // It keeps its place and the focus until its group is left.
  const group = (name: string) => queue(page).getByRole('list', { name, exact: true }).getByRole('listitem')
  await eventually(() => group('New').count()).toBe(2)
  await focusIn(page, `[data-id="${first.id}"] .desk-row-open`)
  await press(page, 'g')
  await eventually(() => queue(page).getByRole('listitem').count()).toBe(1)
  await alarmRow(page, '301室').waitFor()
  await press(page, 'n')
  await chosen(page, second.id)
  await alarmRow(page, '302室').waitFor()
  await press(page, 'n')
  await chosen(page, second.id)
  // The desk must explain the rejected key, because no button is visible that could.
  await press(page, 'r')
  await page.getByText('Not possible in the state Unclaimed').first().waitFor()
  // The own one is above the new ones.
  await eventually(() => queue(page).getByRole('listitem').first().innerText()).toContain('301室')
  await eventually(() => group('Mine').count()).toBe(1)
  await press(page, 'k')
  await chosen(page, first.id)

  await press(page, 'v')
  await opened(page, 'Verify')
  await press(page, 'Space', 'ArrowDown', 'ArrowDown')
  await eventually(() => form(page, 'Verify').getByLabel('Person present, intent unknown').isChecked()).toBe(true)
  await press(page, '1')
  await eventually(() => form(page, 'Verify').getByLabel('Life in danger').isChecked()).toBe(true)
  await press(page, '3')
  await eventually(() => form(page, 'Verify').getByLabel('Person present, intent unknown').isChecked()).toBe(true)
  await press(page, 'Tab')
  await page.keyboard.type('cn jk? vdr')
  await eventually(() => form(page, 'Verify').getByLabel('Note').inputValue()).toBe('cn jk? vdr')
  await chosen(page, first.id)
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  await press(page, 'Tab', 'Enter')
  await done(page, 'Verify')
  await focusIn(page, '.desk-detail')

  await tabTo(page, /^Send/)
  await press(page, 'Enter')
  await opened(page, 'Send')
  await press(page, 'Escape')
  await form(page, 'Send').waitFor({ state: 'detached' })
  await eventually(() => focused(page)).toMatch(/^Send/)
  await chosen(page, first.id)
  await press(page, 'd')
  await opened(page, 'Send')
  // Nobody is free here, so nobody is selected in advance.
  await focusIn(page, 'input[type=checkbox]')
  await press(page, 'Space')
  await eventually(() => form(page, 'Send').getByRole('checkbox', { checked: true }).count()).toBe(1)
  await press(page, 'Enter')
  await done(page, 'Send')
  await alarmRow(page, '301室').getByText('In progress').waitFor()
  await focusIn(page, '.desk-detail')

  await tabTo(page, /^Arrive/)
  await press(page, 'Enter')
  await detail(page).getByRole('listitem').filter({ hasText: 'Arrive' }).first().waitFor()
  await press(page, 'r')
  await opened(page, 'Resolve')
  await press(page, 'Space', 'Tab')
  await page.keyboard.type('fig')
  const list = page.locator('.ant-select-dropdown:visible')
  await list.getByText('Fight FIGHT', { exact: true }).waitFor()
  // Esc closes an opened list, but not the form below it.
  await press(page, 'Escape')
  await list.waitFor({ state: 'hidden' })
  await opened(page, 'Resolve')
  await press(page, 'ArrowDown')
  await list.getByText('Fight FIGHT', { exact: true }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await eventually(() => form(page, 'Resolve').getByLabel('Cause').inputValue()).toBe('FIGHT')
  // Tab belongs to the list as long as the list is open.
  await list.waitFor({ state: 'hidden' })
  // Skips the button that clears the field.
  await press(page, 'Tab', 'Tab')
  await page.keyboard.type('已劝开')
  // Skips the attachments.
  await press(page, 'Tab', 'Tab', 'Enter')
  await done(page, 'Resolve')
  await focusIn(page, '.desk-detail')
  const ended = { state: 'RESOLVED', disposition: 'REAL_HANDLED', causeCode: 'FIGHT', note: '已劝开', validation: 2 }
  await eventually(() => recordAt(site(), '301室')).toMatchObject(ended)

  await press(page, 'm')
  await opened(page, 'Note')
  await page.keyboard.type('家长已知晓')
  await press(page, 'Tab', 'Tab', 'Enter')
  await done(page, 'Note')
  await press(page, 'Escape')
  await chosen(page, null)
})

test('ignores the keys of the desk in a dialog and in a field', async () => {
  const first = await made('303室', 20)
  await made('304室', 30)
  const page = await visit(world().east.staff.head, '/warn/desk')
  await alarmRow(page, '304室').waitFor()
  await chosen(page, first.id)
  await press(page, '?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await help.getByText('Next unclaimed').waitFor()
  await press(page, 'j', 'n', 'c', '/')
  await press(page, 'Escape')
  await help.waitFor({ state: 'detached' })
  await chosen(page, first.id)
  await press(page, 'Control+K')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.waitFor()
  await page.keyboard.type('cjn')
  await eventually(() => search.inputValue()).toBe('cjn')
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
  await eventually(() => focused(page)).toMatch(/^Filter$/)
  await chosen(page, first.id)
  await eventually(async () => (await recordAt(site(), '303室')).state).toBe('NEW')
  // The keys work again.
  await press(page, 'j')
  await detail(page).getByRole('heading', { name: '304室' }).waitFor()
  await press(page, 'c')
  await alarmRow(page, '304室')
    .getByText(/^Claimed by me/)
    .waitFor()
})
