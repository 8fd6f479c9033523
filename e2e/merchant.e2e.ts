import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, drawer, row, save, SETTLED, openRow } from './page-actions.ts'

const { world, visit, allow, all } = browserTest({ language: 'en', theme: 'dark' })

const MERCHANTS = '/system/merchant-user'

const create = async (page: Page, username: string, nickname: string) => {
  await button(page, 'New').first().click()
  await drawer(page).getByLabel('User name', { exact: true }).fill(username)
  await drawer(page).getByLabel('Name', { exact: true }).fill(nickname)
}

const handOver = async (page: Page) => {
  // The dialog must have finished opening, else the click misses.
  await button(page.locator(SETTLED), 'I have noted it').click()
  await page.locator('.ant-modal:visible').waitFor({ state: 'hidden' })
}

const download = async (page: Page) => {
  await button(page, 'Export').click()
  await page.getByRole('menuitem', { name: 'csv' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page.locator(SETTLED), 'OK').click()])
  expect(file.suggestedFilename()).toBe('School accounts.csv')
  return readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
}

test("creates, lists and exports accounts of the head's own school with masked contacts", async () => {
  allow(/merchant-user\/create/)
  const page = await visit(world().east.staff.head, MERCHANTS)
  await page.getByText('There are no school accounts yet').waitFor()
  await create(page, 'guard.east', '张敏')
  await drawer(page).getByText(EAST_SCHOOL, { exact: true }).waitFor()
  await drawer(page).getByLabel('Mobile', { exact: true }).fill('12')
  await save(page)
  await drawer(page).getByText('Mobile: enter a mobile number of 11 digits, such as 13800138000').waitFor()
  await drawer(page).getByLabel('Mobile', { exact: true }).fill('13900020003')
  await save(page)
  await drawer(page).locator('.ant-form-item-explain-error').getByText('User account already exists').waitFor()
  await drawer(page).getByLabel('User name', { exact: true }).fill('zhang.min')
  await drawer(page).getByLabel('Job title').fill('德育主任')
  const password = await drawer(page).getByLabel('Password', { exact: true }).inputValue()
  await save(page)
  await page.locator('.ant-modal:visible').getByText(password).waitFor()
  await handOver(page)
  await row(page, 'zhang.min').getByText('139****0003').waitFor()
  const made = await all()
    .selectFrom('users')
    .innerJoin('merchantProfile', 'merchantProfile.userId', 'users.id')
    .select(['users.type', 'users.deptId', 'users.mustChangePassword', 'merchantProfile.schoolId'])
    .where('username', '=', 'zhang.min')
    .execute()
  const { id: schoolId, deptId } = world().east
  expect(made).toEqual([{ type: 'SCHOOL', deptId, mustChangePassword: true, schoolId }])

  await create(page, 'li.qiang', '李强')
  await save(page)
  await handOver(page)
  await page.getByRole('textbox', { name: 'User name' }).fill('zhang')
  await button(page, 'Search').click()
  await row(page, 'li.qiang').waitFor({ state: 'hidden' })
  const lines = await download(page)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('"zhang.min","张敏"')
  expect(lines[1]).toContain('"139****0003"')
  await openRow(page, 'zhang.min')
  await drawer(page).getByText('德育主任').waitFor()
  const audited = await all()
    .selectFrom('auditLog')
    .select('username')
    .where('action', '=', 'bully:merchant-user:export')
    .execute()
  expect(audited).toEqual([{ username: 'head.east' }])
})

test('shows a bureau the accounts and schools of its own district only', async () => {
  const bureau = await visit(world().bureau, `${MERCHANTS}?schoolId=${world().east.id}`)
  await row(bureau, 'zhang.min').getByText(EAST_SCHOOL).waitFor()
  await button(bureau, 'New').first().click()
  await drawer(bureau).getByRole('combobox', { name: 'School' }).click()
  await eventually(() => bureau.locator('.ant-select-dropdown:visible').getByTitle(WEST_SCHOOL).count()).toBe(0)
})
