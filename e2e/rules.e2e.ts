import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, selectOption, isMissing, row, runRowAction } from './page-actions.ts'

const { site, world, visit, allow } = browserTest({ language: 'en', theme: 'dark' })
const RULES = '/warn/list'

const rulesNamed = (name: string) => site().db.selectFrom('warnRule').selectAll().where('name', '=', name).execute()

const form = (page: Page) => page.getByRole('dialog').filter({ has: page.getByLabel('Codes', { exact: true }) })
const save = (page: Page) => button(form(page), 'Save').click()

const openNew = async (page: Page) => {
  await button(page, 'New').click()
  await form(page).waitFor()
}

const fillIn = async (page: Page, name: string, code: string) => {
  await form(page).getByLabel('Rule name').fill(name)
  await form(page).getByLabel('Codes', { exact: true }).fill(code)
  await form(page).getByLabel('Codes', { exact: true }).press('Enter')
  await form(page).getByLabel('Rule name').click()
}

const find = async (page: Page, name: string) => {
  await page.getByRole('textbox', { name: 'Rule name' }).fill(name)
  await button(page, 'Search').click()
}

test('rejects bad input and a taken name at their fields, and creates, finds, changes and deletes a rule', async () => {
  allow(/rule\/create/)
  const page = await visit(world().admin, RULES)
  await openNew(page)
  await save(page)
  await isMissing(form(page), 'Rule name')
  await isMissing(form(page), 'Codes')

  await fillIn(page, '坏规则', 'lower case')
  await form(page).getByLabel('Priority').fill('5000')
  await save(page)
  await form(page)
    .getByText('Codes, item 1: enter 2 to 30 capital letters, digits or underscores, such as PANIC')
    .waitFor()
  await form(page).getByText('Priority may not be more than 1000').waitFor()

  await selectOption(page, form(page).getByLabel('Condition'), 'Repeated within')
  await form(page).getByLabel('Priority').fill('100')
  await button(form(page), 'Cancel').click()
  await button(page.getByRole('dialog', { name: 'Discard what you changed?' }), 'OK').click()
  await form(page).waitFor({ state: 'hidden' })
  await eventually(() => rulesNamed('坏规则')).toEqual([])

  await openNew(page)
  await fillIn(page, '紧急报警', 'PANIC')
  await save(page)
  await page.getByText('The name of the rule already exists').first().waitFor()
  await eventually(() => form(page).getByLabel('Rule name').inputValue()).toBe('紧急报警')
  await eventually(() => rulesNamed('紧急报警')).toHaveLength(1)
  await button(form(page), 'Cancel').click()
  await button(page.getByRole('dialog', { name: 'Discard what you changed?' }), 'OK').click()
  await form(page).waitFor({ state: 'hidden' })

  const name = '宿舍夜间报警'
  await openNew(page)
  await fillIn(page, name, 'NIGHT_PRESS')
  await selectOption(page, form(page).getByLabel('Condition'), 'Repeated within')
  await save(page)
  await form(page).getByText('Enter the number of signals and the time').first().waitFor()
  await form(page).getByLabel('Repeats').fill('2')
  await form(page).getByLabel('Within (s)', { exact: true }).fill('10')
  await save(page)
  await page.getByText('Create Success').waitFor()

  await find(page, name)
  await row(page, name).getByText('Level 1').waitFor()
  await eventually(() => rulesNamed(name)).toMatchObject([
    { condition: 'REPEAT', repeatCount: 2, withinSec: 10, level: 1 },
  ])

  await runRowAction(page, name, 'Edit')
  await selectOption(page, form(page).getByLabel('Level', { exact: true }), 'Level 3')
  await save(page)
  await page.getByText('Update Success').waitFor()
  await row(page, name).getByText('Level 3').waitFor()

  await runRowAction(page, name, 'Delete')
  await button(page.getByRole('dialog'), 'OK').click()
  await page.getByText('Deleted successfully').waitFor()
  await page.getByText('Nothing matches the filter').waitFor()
  await eventually(() => rulesNamed(name)).toEqual([])
})

test('marks rows during a refetch, and overwrites a rule changed by another user only on request', async () => {
  allow(/rule\/update/)
  const page = await visit(world().admin, RULES)
  await row(page, 'Emergency alarm').first().waitFor()
  const rows = page.locator('.list-rows')
  await eventually(() => rows.getAttribute('aria-busy')).toBe('false')
  const answer = Promise.withResolvers<void>()
  await page.route('**/warn/rule/page*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await find(page, '医疗急救')
  await eventually(() => rows.getAttribute('aria-busy')).toBe('true')
  await eventually(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(0.6)
  answer.resolve()
  await row(page, 'Emergency alarm').first().waitFor({ state: 'hidden' })
  await eventually(() => rows.getAttribute('aria-busy')).toBe('false')
  await eventually(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBe(1)
  await page.unrouteAll({ behavior: 'wait' })

  await runRowAction(page, 'Medical help', 'Edit')
  await form(page).getByLabel('Priority').fill('300')
  await site()
    .db.updateTable('warnRule')
    .set((eb) => ({ priority: 200, version: eb('version', '+', 1) }))
    .where('name', '=', '医疗急救')
    .execute()
  await save(page)
  await form(page).getByText('Changed by both of you: Priority.').waitFor()
  await eventually(() => form(page).getByRole('spinbutton', { name: 'Theirs: Priority' }).inputValue()).toBe('200')
  await eventually(() => rulesNamed('医疗急救')).toMatchObject([{ priority: 200 }])
  await button(form(page), 'Save mine').click()
  await eventually(() => rulesNamed('医疗急救')).toMatchObject([{ priority: 300 }])
  await form(page).waitFor({ state: 'hidden' })

  // Fields that appear with the choice of the other user show the values of the other user.
  await find(page, '手动火警')
  await runRowAction(page, 'Manual fire alarm', 'Edit')
  await form(page).getByLabel('Priority').fill('400')
  await site()
    .db.updateTable('warnRule')
    .set((eb) => ({ condition: 'REPEAT', repeatCount: 3, withinSec: 60, version: eb('version', '+', 1) }))
    .where('name', '=', '手动火警')
    .execute()
  await save(page)
  await form(page)
    .getByText('What you had not touched now shows what was saved: Condition, Repeats, Within (s).')
    .waitFor()
  await save(page)
  await form(page).waitFor({ state: 'hidden' })
  const both = { priority: 400, condition: 'REPEAT', repeatCount: 3, withinSec: 60 }
  await eventually(() => rulesNamed('手动火警')).toMatchObject([both])
})

test('shows no edit buttons when the user may only read rules, and no menu when the user may not read them', async () => {
  const head = await visit(world().east.staff.head, RULES)
  await row(head, 'Emergency alarm').first().waitFor()
  for (const words of ['New', 'Edit', 'Delete']) await eventually(() => button(head, words).count()).toBe(0)
  const colour = (of: Locator) => of.evaluate((element) => getComputedStyle(element).color)
  const usual = await colour(head.getByRole('textbox', { name: 'Rule name' }))
  await row(head, 'Emergency alarm').first().getByRole('cell').nth(3).click()
  const read = form(head).getByLabel('Rule name')
  await eventually(async () => [await read.isEditable(), await colour(read)]).toEqual([false, usual])

  const guard = await visit(world().east.staff.guard)
  await guard.getByRole('menu').getByText('Alarms', { exact: true }).first().hover()
  await guard.getByRole('link', { name: 'Alarm records' }).waitFor()
  await eventually(() => guard.getByRole('link', { name: 'Alarm rules' }).count()).toBe(0)
  await guard.goto(RULES)
  await guard.getByText('Sorry, the page you visited does not exist.').waitFor()
  await eventually(() => new URL(guard.url()).pathname).toBe('/404')
})
