import type { Page } from 'playwright-core'
import type { AllTablesDb } from '../apps/server/src/db/db.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, selectOption, closed, drawer, save, confirmDialog, runRowAction } from './page-actions.ts'

export const NOTICES = '/system/notice'
export const MY_NOTICES_PATH = '/myNotice'

export const editor = (page: Page) => drawer(page).getByRole('textbox', { name: '通知内容' })

export const tool = (page: Page, words: string) =>
  drawer(page).getByRole('toolbar').getByRole('button', { name: words })

export const noticeNamed = (db: AllTablesDb, title: string) =>
  db.selectFrom('notice').selectAll().where('title', '=', title).executeTakeFirstOrThrow()

/** Opens the form of a new notice and fills the required fields. */
export const begin = async (page: Page, title: string, level = '普通') => {
  await button(page, '新增').first().click()
  await drawer(page).getByLabel('通知标题').fill(title)
  await selectOption(page, drawer(page).getByRole('combobox', { name: '通知类型' }), '工作通知')
  await drawer(page).getByText(level, { exact: true }).click()
}

export const toDept = async (page: Page, name: string) => {
  await drawer(page).getByLabel('指定部门', { exact: true }).last().click()
  await page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true }).click()
  await page.keyboard.press('Escape')
}

export const publish = async (page: Page, title: string) => {
  await runRowAction(page, title, '发布')
  await confirmDialog(page)
  await page.getByText('发布成功').waitFor()
}

/** Creates a notice to the first school and publishes it. */
export const publishToEastSchool = async (page: Page, title: string, text: string) => {
  await begin(page, title)
  await toDept(page, EAST_SCHOOL)
  await editor(page).fill(text)
  await save(page)
  await closed(page)
  await publish(page, title)
}
