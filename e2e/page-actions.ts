import type { Locator, Page } from 'playwright-core'
import { byLanguage } from './setup/browser-test.ts'

/**
 * Returns a button by its label: antd puts a space between two Chinese characters, and the name of an icon before them.
 * Skips a loading button, because it ignores clicks.
 */
export const button = (on: Page | Locator, words: string): Locator =>
  on.getByRole('button', { name: new RegExp(`^(?!loading\\s)(.*\\s)?${[...words].join('\\s*')}$`) })

/** Returns the row of a list with this text. */
export const row = (on: Page | Locator, text: string): Locator => on.getByRole('row').filter({ hasText: text })

/** Chooses an option of a select; antd renders the options outside of the field. */
export const selectOption = async (page: Page, field: Locator, words: string): Promise<void> => {
  await field.click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(words, { exact: true }).click()
}

/** A dialog after its opening animation: before, it takes no click. */
export const SETTLED = '.ant-modal:visible:not(.ant-zoom-appear)'

export const drawer = (page: Page) => page.locator('.ant-drawer-content-wrapper:visible')
export const save = (page: Page, words = byLanguage('保存', 'Save')) => button(drawer(page), words).click()
/** Waits until the drawer is closed, saved or not. */
export const closed = (page: Page) => drawer(page).waitFor({ state: 'hidden' })
/** The validation errors of the form. */
export const formErrors = (page: Page) => drawer(page).locator('.ant-form-item-explain-error')
/** Waits for the error of a missing value at the field with this label. */
export const isMissing = (on: Page | Locator, label: string) =>
  on
    .locator(`.ant-form-item:has(label[title="${label}"]) .ant-form-item-explain-error`)
    .getByText(byLanguage('该项为必填项', 'This is required'), { exact: true })
    .waitFor()
/** The dialog must have finished opening, else the click misses. */
export const confirmDialog = (page: Page, words = byLanguage('确定', 'OK')) =>
  button(page.locator(SETTLED), words).click()

/** Opens a row by its name, which is a button or a link of its own. */
export const openRow = (page: Page, text: string): Promise<void> =>
  row(page, text).first().locator('.first-column').locator('a, button').first().click()

/** Opens the menu of a row. */
export const openRowMenu = async (page: Page, text: string): Promise<Locator> => {
  await row(page, text).first().locator('[aria-haspopup=menu]').click()
  return page.locator('.ant-dropdown:visible')
}

/** Runs an action of a row: its next verb, or one of its menu. */
export const runRowAction = async (page: Page, text: string, words: string): Promise<void> => {
  const found = row(page, text).first()
  await found.waitFor()
  const verb = button(found, words)
  if ((await verb.count()) > 0) return verb.first().click()
  await (await openRowMenu(page, text)).getByText(words, { exact: true }).click()
}

/** Waits until the menu of a row shows this action as impossible. */
export const rejectsRowAction = async (page: Page, text: string, words: string): Promise<void> => {
  const menu = await openRowMenu(page, text)
  await menu.locator('.ant-dropdown-menu-item-disabled').getByText(words).waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
}
