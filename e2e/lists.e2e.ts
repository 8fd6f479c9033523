import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeRecord, type RecordDraft } from '../apps/server/seed/record-fixtures.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, selectOption, row, runRowAction, openRow } from './page-actions.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'

const { site, world, visit, allow, devices, all } = browserTest({ language: 'en', theme: 'dark' })

const recordAt = (school: 'east' | 'west', given: Partial<RecordDraft> = {}) => {
  const { id: schoolId, deptId, name } = world()[school]
  return makeRecord(site().db, { deptId, schoolId, schoolName: name, placePath: '教学楼 / 1层 / 101室', ...given })
}

const total = (page: Page) => page.getByText(/^\d+ in total$/)
const textOf = (cell: Locator) => cell.allInnerTexts()

const exported = async (page: Page) => {
  await button(page, 'Export').click()
  await page.getByRole('menuitem', { name: 'csv' }).click()
  const coming = page.waitForEvent('download')
  await button(page.getByRole('dialog'), 'OK').click()
  const download = await coming
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('shows a device as not in service while its school has no police station, and rejected devices with the reason', async () => {
  const nobody = { productKey: 'nobody1', sn: 'STRANGE-0001', secret: randomBytes(32) }
  const forged = { productKey: 'e2ebutton1', sn: 'EAST-0001', secret: randomBytes(32) }
  await devices({ devices: [nobody, forged] })
  const page = await visit(world().maintainer, '/device/device?lifecycle=COMMISSIONING')
  const message = ['Commissioning', 'No police station']
  for (const words of message) await row(page, 'WEST-0001').getByText(words, { exact: true }).waitFor()
  await eventually(() => total(page).innerText()).toBe('4 in total')
  await openRow(page, 'WEST-0001')
  for (const words of message) await page.locator('.workflow-head').getByText(words, { exact: true }).waitFor()
  const counted = async (count: number) => {
    await page.goto('/dashboard')
    const figures = page.locator('.home-panel').filter({ hasText: 'Devices' }).locator('.home-value')
    await eventually(async () => (await textOf(figures)).reduce((sum, figure) => sum + Number(figure), 0)).toBe(count)
    await page.goto('/device/device?lifecycle=IN_SERVICE')
    await eventually(() => total(page).innerText()).toBe(`${count} in total`)
  }
  await counted(4)
  const station = (policeDeptId: number | null) =>
    all().updateTable('school').set({ policeDeptId }).where('id', '=', world().west.id).execute()
  await station(world().east.policeDeptId)
  await counted(8)
  await row(page, 'WEST-0001').getByText('In service', { exact: true }).waitFor()
  await eventually(() => page.getByText('No police station').count()).toBe(0)
  await station(null)

  await page.getByRole('tab', { name: 'Refused devices' }).click()
  await row(page, 'STRANGE-0001').getByText('Unknown serial number').waitFor()
  for (const words of ['Wrong secret', '127.0.0.1']) await row(page, 'EAST-0001').getByText(words).waitFor()

  await page.getByRole('menu').getByText('Devices').first().waitFor()
  for (const words of ['Alarm desk', 'Alarms'])
    await eventually(() => page.getByRole('menu').getByText(words).count()).toBe(0)
})

test('lists only visible schools, places and devices, and no rejected devices', async () => {
  const page = await visit(world().east.staff.head, '/school/list')
  await row(page, EAST_SCHOOL).first().waitFor()
  await eventually(() => row(page, WEST_SCHOOL).count()).toBe(0)
  // Drawn once: with measured column widths antd would draw the table again, and no column needs them.
  await eventually(() => page.locator('.ant-table-measure-row').count()).toBe(0)
  await runRowAction(page, EAST_SCHOOL, 'Places')
  await page.getByRole('tree').getByText('101室').waitFor()
  await page.getByRole('tree').getByText('保安室').waitFor()

  // The test above connected a device that only maintainers see.
  await page.goto('/device/device?tab=strangers')
  await row(page, 'EAST-0001').waitFor()
  await eventually(() => page.getByText('STRANGE-0001').count()).toBe(0)
  await eventually(() => page.getByText('WEST-000').count()).toBe(0)
  await total(page).waitFor()
  await eventually(() => total(page).innerText()).toBe('4 in total')
  const heading = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await eventually(() => heading('No.').count()).toBe(0)
  await button(page, 'Columns').click()
  for (const name of ['No.', 'Created']) await page.getByRole('checkbox', { name, exact: true }).check()
  await page.reload()
  for (const name of ['No.', 'Created']) await heading(name).waitFor()
  await eventually(() => textOf(page.locator('.ant-table-row td:first-child'))).toEqual(['1', '2', '3', '4'])
  await page.goto('/device/schoolDevice')
  await row(page, 'EAST-0004').getByText('保安室').waitFor()
  await eventually(() => page.getByText('WEST-000').count()).toBe(0)
})

test('keeps record filters in the address over reload and back, opens details, and adds a new record without a reload', async () => {
  const real = await recordAt('east', { class: 'VOICE', code: 'VOICE_HELP', level: 3 })
  const practice = await recordAt('east', { mode: 'DRILL', level: 2 })
  const page = await visit(world().east.staff.head, '/warn/record')
  await row(page, real.no).waitFor()
  await row(page, practice.no).waitFor()

  await selectOption(page, page.getByLabel('Class', { exact: true }), 'Voice help')
  await page.keyboard.press('Escape')
  await button(page, 'Search').click()
  await row(page, practice.no).waitFor({ state: 'hidden' })
  await row(page, real.no).waitFor()
  await page.reload()
  await row(page, real.no).waitFor()
  await eventually(() => row(page, practice.no).count()).toBe(0)
  await page.goBack()
  await row(page, practice.no).waitFor()

  await openRow(page, real.no)
  const detail = page.getByRole('dialog')
  await detail.getByText('Timeline').waitFor()
  for (const words of ['Level 3', 'Unclaimed', 'Voice help', EAST_SCHOOL])
    await detail.getByText(words, { exact: true }).first().waitFor()
  await eventually(() => new URL(page.url()).searchParams.get('record')).toBe(String(real.id))

  await page.goto('/warn/record?keyword=no-such-record')
  await page.getByText('Nothing matches the filter').waitFor()
  await button(page, 'Clear the filter').click()
  await row(page, real.no).waitFor()

  await page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor()
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0003')
  await row(page, '103室').first().waitFor()
})

test('exports the filtered rows into a file that spreadsheets open, and opens no record of another school', async () => {
  allow(/record\/get/)
  const ownRecord = await recordAt('east', { class: 'FIRE', code: 'FIRE_MANUAL', note: '=1+1' })
  const other = await recordAt('east', { class: 'MEDICAL', code: 'MEDICAL' })
  const foreign = await recordAt('west', { class: 'FIRE', code: 'FIRE_MANUAL' })
  const page = await visit(world().east.staff.head, '/warn/record?class=FIRE')
  await row(page, ownRecord.no).waitFor()
  const { name, text } = await exported(page)
  expect(name).toMatch(/^Alarm records.*\.csv$/)
  expect(text.codePointAt(0)).toBe(0xfeff)
  expect(text).toContain('Alarm no.')
  expect(text).toContain(ownRecord.no)
  for (const { no } of [other, foreign]) expect(text).not.toContain(no)
  // A formula is exported as text.
  expect(text).not.toMatch(/(^|,)"?=1\+1/m)

  // The address of a record of another school is answered as if the record did not exist.
  const hidden = await recordAt('west')
  await page.goto(`/warn/record?record=${hidden.id}`)
  const answer = page.getByRole('dialog').getByText('The alarm does not exist')
  await answer.waitFor()
  const message = await answer.innerText()
  await page.goto('/warn/record?record=999999')
  await answer.waitFor()
  await eventually(() => answer.innerText()).toBe(message)
  await eventually(() => page.getByText(hidden.no).count()).toBe(0)
})

test('searches the log by record and exports it', async () => {
  const record = await recordAt('east')
  await recordAt('east')
  const page = await visit(world().east.staff.head, '/warn/warnLog')
  await page.getByLabel('Alarm no., person or account').fill(record.no)
  await button(page, 'Search').click()
  await row(page, record.no).first().waitFor()
  await eventually(() => page.locator('tbody tr[data-row-key]').count()).toBe(1)
  await eventually(async () => (await textOf(page.locator('tbody tr[data-row-key]'))).join()).toContain('Transition')
  const { text } = await exported(page)
  expect(text.trim().split('\n')).toHaveLength(2)
})

test('hides the export button when the user lacks the permission', async () => {
  const guard = await visit(world().east.staff.guard, '/warn/record')
  await button(guard, 'Search').waitFor()
  await eventually(() => button(guard, 'Export').count()).toBe(0)
})
