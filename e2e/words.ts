import type { Locator, Page } from 'playwright-core'

/** A button by its words: the kit puts a blank between two Chinese characters, and an icon's name before them. */
export const button = (on: Page | Locator, words: string): Locator =>
  on.getByRole('button', { name: new RegExp(`(^|\\s)${[...words].join('\\s*')}$`) })

/** The row of a list that shows this text. */
export const row = (on: Page | Locator, text: string): Locator => on.getByRole('row').filter({ hasText: text })

/** Chooses from an opened list of choices; the kit draws it outside of the field. */
export const choose = async (page: Page, field: Locator, words: string): Promise<void> => {
  await field.click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(words, { exact: true }).click()
}

/** A dialog that has come to rest: while it grows it takes no click. */
export const SETTLED = '.ant-modal:visible:not(.ant-zoom-appear)'
