import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { unscoped } from '../apps/server/src/db/scope.ts'
import type { E2eServer } from './setup/e2e-server.ts'
import { playingSounds } from './setup/browser.ts'
import { byLanguage, eventually } from './setup/browser-test.ts'

// Actions of a user at the alarm desk.

export const queue = (page: Page): Locator => page.getByRole('region', { name: byLanguage('警情队列', 'Alarm queue') })
export const detail = (page: Page): Locator =>
  page.getByRole('region', { name: byLanguage('警情详情', 'Alarm details') })

/** Returns the alarm of this room in the list. */
export const alarmRow = (page: Page, room: string): Locator =>
  queue(page).getByRole('listitem').filter({ hasText: room })

/** Deletes all records, as at the beginning of a quiet shift. */
export const clearDesks = ({ db }: E2eServer) =>
  unscoped(db, 'e2e').updateTable('warnRecord').set({ state: 'CLOSED' }).where('open', '=', true).execute()

/** Starts the shift with its sound test, and waits until the test tone is over, unless alarms already ring. */
export const startShift = async (page: Page, { ringing = false } = {}): Promise<void> => {
  await page.getByText(byLanguage('实时', 'Live'), { exact: true }).waitFor()
  await page.getByRole('button', { name: byLanguage('上岗并试听', 'Start shift and test sound') }).click()
  await page.getByText(byLanguage('声音正常', 'Sound works')).first().waitFor()
  if (!ringing) await eventually(() => playingSounds(page)).toBe(0)
}

export const rings = (page: Page) => eventually(() => playingSounds(page)).toBeGreaterThan(0)
export const isQuiet = (page: Page) => eventually(() => playingSounds(page)).toBe(0)

/** Returns the button of a verb beside the open record; its key follows the label. */
export const verb = (page: Page, words: string): Locator =>
  page
    .getByRole('toolbar', { name: byLanguage('可执行的操作', 'Actions') })
    .getByRole('button', { name: new RegExp(`^${[...words].join('\\s*')}\\s*[A-Z]?$`) })

/** Claims the alarm of this room from the list. */
export const claim = (page: Page, room: string): Promise<void> =>
  alarmRow(page, room)
    .getByRole('button', { name: byLanguage(/^接\s*警$/, /^Claim$/) })
    .click()

/** Clicks a verb that is not allowed now, to see the reason. */
export const clickDisabledVerb = (page: Page, words: string): Promise<void> => verb(page, words).click({ force: true })

/** Opens the form of a verb, lets `fillIn` fill it, submits it and waits for the success message. */
export const submitVerb = async (
  page: Page,
  words: string,
  fillIn: (form: Locator) => Promise<void>,
): Promise<void> => {
  await verb(page, words).click()
  const form = page.getByRole('region', { name: words, exact: true })
  await fillIn(form)
  await form.getByRole('button', { name: new RegExp(`${[...words].join('\\s*')}$`) }).click()
  await page.getByText(`${byLanguage('已完成：', 'Done: ')}${words}`).waitFor()
}

/** Returns the latest record of this room from the database. */
export const recordAt = ({ db }: E2eServer, room: string) =>
  unscoped(db, 'e2e')
    .selectFrom('warnRecord')
    .selectAll()
    .where('room', '=', room)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

/** Returns the time that the open record shows for a milestone, or nothing. */
export const milestoneTime = async (page: Page, name: string): Promise<string> => {
  const cell = detail(page).getByRole('row').filter({ hasText: name }).getByRole('cell').first()
  return cell.innerText()
}

export const showsMilestones = async (page: Page, names: readonly string[]): Promise<void> => {
  for (const name of names) await eventually(() => milestoneTime(page, name)).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  expect(names.length).toBeGreaterThan(0)
}
