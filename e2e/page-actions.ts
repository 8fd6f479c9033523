import type { Locator, Page } from 'playwright-core'
import { byLanguage } from './setup/browser-test.ts'

/**
 * A button by its words: the kit puts a blank between two Chinese characters, and an icon's name before them. Not while
 * it turns: a press is lost then.
 */
export const button = (on: Page | Locator, words: string): Locator =>
  on.getByRole('button', { name: new RegExp(`^(?!loading\\s)(.*\\s)?${[...words].join('\\s*')}$`) })

/** The row of a list that shows this text. */
export const row = (on: Page | Locator, text: string): Locator => on.getByRole('row').filter({ hasText: text })

/** Chooses from an opened list of choices; the kit draws it outside of the field. */
export const selectOption = async (page: Page, field: Locator, words: string): Promise<void> => {
  await field.click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(words, { exact: true }).click()
}

/** A dialog that has come to rest: while it grows it takes no click. */
export const SETTLED = '.ant-modal:visible:not(.ant-zoom-appear)'

export const drawer = (page: Page) => page.locator('.ant-drawer-content-wrapper:visible')
export const save = (page: Page, words = byLanguage('保存', 'Save')) => button(drawer(page), words).click()
/** The drawer is gone: what was in it is saved, or given up. */
export const closed = (page: Page) => drawer(page).waitFor({ state: 'hidden' })
/** What is said at the fields of the form. */
export const formErrors = (page: Page) => drawer(page).locator('.ant-form-item-explain-error')
/** Beneath the field of this label it is said that it is missing. */
export const isMissing = (on: Page | Locator, label: string) =>
  on
    .locator(`.ant-form-item:has(label[title="${label}"]) .ant-form-item-explain-error`)
    .getByText(byLanguage('该项为必填项', 'This is required'), { exact: true })
    .waitFor()
/** Not while it still grows: the press would miss. */
export const confirmDialog = (page: Page, words = byLanguage('确定', 'OK')) =>
  button(page.locator(SETTLED), words).click()

/** Something of a row that waits under "more". */
export const openRowAction = async (page: Page, text: string, words: string) => {
  await button(row(page, text), byLanguage('更多', 'More')).click()
  await page.locator('.ant-dropdown:visible').getByText(words, { exact: true }).click()
}
