import type { Page } from 'playwright-core'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { linesOf } from '../apps/server/test/job-fixture.ts'
import { REGION } from './setup/e2e-server.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, closed, drawer, row, confirmDialog, SETTLED } from './page-actions.ts'

const { visit, world, all } = browserTest({ language: 'en', theme: 'dark' })

const choose = async (page: Page, format: 'Excel' | 'csv') => {
  await button(page, 'Export').click()
  await page.getByRole('menuitem', { name: format }).click()
  await page.locator(SETTLED).waitFor()
}
const start = async (page: Page, format: 'Excel' | 'csv' = 'Excel') => {
  await choose(page, format)
  await confirmDialog(page)
}
/** Returns the lines of the file, the headings first. */
const saving = async (page: Page, act: () => Promise<void>) => {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return linesOf(new Uint8Array(await readFile(await file.path())))
}
const tried = { type: 'LOGIN', result: 'BAD_PASSWORD', userAgent: 'x', traceId: 't' } as const

test('exports the login log as a workbook with progress, and stops when the user cancels', async () => {
  const usernames = ['leaving.one', 'leaving.two', 'leaving.three']
  await all()
    .insertInto('loginLog')
    .values(usernames.map((username) => ({ ...tried, username, ip: '10.1.2.3' })))
    .execute()
  const page = await visit(world().admin, '/system/login-log?username=leaving')
  await row(page, 'leaving.one').waitFor()
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  const slowTo = (bytesPerSec: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: bytesPerSec,
      uploadThroughput: -1,
    })
  const saved: string[] = []
  page.on('download', (file) => saved.push(file.suggestedFilename()))
  // Only the file is slow: parts of the page that the dialog needs would take as long.
  await choose(page, 'Excel')
  await slowTo(400)
  await confirmDialog(page)
  const shown = page.getByRole('dialog', { name: 'Exporting' })
  await shown.getByText(/ received$/).waitFor()
  await button(shown, 'Cancel').click()
  await shown.waitFor({ state: 'hidden' })
  await eventually(() => page.getByText(/Network anomaly|Export finished/).count()).toBe(0)

  await slowTo(-1)
  const [heads, ...lines] = await saving(page, () => start(page))
  await page.getByText('Export finished').waitFor()
  expect(saved).toEqual(['Sign-ins.xlsx'])
  expect(heads?.slice(0, 5)).toEqual(['Id', 'Time', 'Type', 'Method', 'User name'])
  expect(lines.map((cells) => cells[4]).toSorted()).toEqual(usernames.toSorted())
  const audited = all().selectFrom('auditLog').select('after').where('action', '=', 'system:login-log:export')
  // The cancelled export had read its rows too, so it is audited as well.
  const after = { filter: { username: 'leaving', format: 'xlsx', lang: 'en' }, rows: 3 }
  expect(await audited.execute()).toEqual([{ after }, { after }])
})

test('writes a login log beyond the limit in the background, with regions', async () => {
  for (let part = 0; part < 10; part += 1)
    await all()
      .insertInto('loginLog')
      .values(
        Array.from({ length: 5001 }, (_, at) => ({ ...tried, username: `crowd.${part}.${at}`, ip: REGION.address })),
      )
      .execute()
  const page = await visit(world().admin, '/system/login-log?username=crowd')
  await row(page, 'crowd.9.').first().waitFor()
  await start(page, 'csv')
  await button(page.locator('.ant-modal:visible'), 'In the background').click()
  await page.getByText('The export goes on in the background').waitFor()
  await eventually(() =>
    all().selectFrom('job').select('state').where('state', '=', 'DONE').where('fileId', 'is not', null).execute(),
  ).toHaveLength(1)
  await page.getByRole('button', { name: /^Jobs/ }).click()
  const lines = await saving(page, () => page.getByRole('link', { name: 'Download Export · Sign-ins' }).click())
  expect(lines).toHaveLength(50_011)
  expect(lines.slice(1).every((cells) => cells.includes(REGION.name))).toBe(true)
  await page.keyboard.press('Escape')
  await closed(page)

  // The bell reports it as well, in the language that the server has stored for the user.
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notices, \d+ unread$/ })
    .click()
  await page.getByRole('menuitem', { name: /任务已完成：Sign-ins/ }).click()
  await drawer(page).getByText('后台任务“Sign-ins”已完成，共 50010 行。').waitFor()
  const again = await saving(page, () => page.getByRole('link', { name: 'Download Export · Sign-ins' }).click())
  expect(again).toHaveLength(50_011)
})
