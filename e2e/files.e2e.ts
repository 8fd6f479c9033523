import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPrefix } from '../apps/server/test/kill-leftovers.ts'
import { openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, row, runRowAction, openRow } from './page-actions.ts'

const { world, visit, allow, all } = browserTest({ language: 'en', theme: 'dark' })

let folder: string
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `${testPrefix}e2e-files-`))
  const plain = { create: { width: 900, height: 600, channels: 3 as const, background: 'teal' } }
  await sharp(plain).jpeg().toFile(at('现场照片.jpg'))
  const red = { create: { width: 200, height: 400, channels: 3 as const, background: 'red' } }
  const halves = { create: { ...red.create, width: 400, background: 'teal' } }
  await sharp(halves)
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toFile(at('两半.png'))
  writeFileSync(at('值班表.txt'), '张三 08:00\n')
  writeFileSync(at('program.exe'), 'MZ')
  writeFileSync(at('empty.txt'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stored = () => all().selectFrom('file').select(['name', 'purpose', 'ownerId']).orderBy('id').execute()

const dialog = (page: Page) => page.locator('.ant-modal:visible')
const choose = (page: Page, files: string[]) => dialog(page).locator('input[type=file]').setInputFiles(files.map(at))
const line = (page: Page, name: string) => dialog(page).getByRole('listitem').filter({ hasText: name })

const FILES = '/system/file'

test('uploads files, retries and cancels, explains rejected files, refreshes an expired token; finds, previews, downloads and deletes a picture', async () => {
  allow(/infra\/file\/create/)
  const page = await visit(world().admin, FILES)
  await button(page, 'Upload files').first().click()

  await page.route('**/infra/file/create', (route) => route.abort('connectionreset'), { times: 1 })
  await choose(page, ['现场照片.jpg'])
  await line(page, '现场照片.jpg').getByText('Network anomaly').waitFor()
  await eventually(() => stored()).toEqual([])
  await button(page, 'Try 现场照片.jpg again').click()
  await line(page, '现场照片.jpg').getByRole('link').waitFor()

  await choose(page, ['值班表.txt', 'program.exe', 'empty.txt'])
  await line(page, '值班表.txt').getByRole('link').waitFor()
  await line(page, 'program.exe').getByText('File: not one of the types').waitFor()
  await line(page, 'empty.txt').getByText('File is empty').waitFor()
  await button(page, 'Remove program.exe').click()
  await line(page, 'program.exe').waitFor({ state: 'hidden' })
  await eventually(async () => (await stored()).map(({ name, purpose }) => [name, purpose])).toEqual([
    ['现场照片.jpg', 'LIBRARY'],
    ['值班表.txt', 'LIBRARY'],
  ])
  await button(dialog(page), 'Done').click()
  await row(page, '值班表.txt').waitFor()

  const before = (await stored()).length
  await page.route('**/infra/file/create', () => new Promise(() => {}))
  await button(page, 'Upload files').first().click()
  await choose(page, ['值班表.txt'])
  await button(page, 'Cancel 值班表.txt').click()
  await line(page, '值班表.txt').waitFor({ state: 'hidden' })
  await eventually(async () => (await stored()).length).toBe(before)
  await page.unroute('**/infra/file/create')
  await page.evaluate(() => localStorage.setItem('ACCESS_TOKEN', 'expired-token'))
  await choose(page, ['值班表.txt'])
  await line(page, '值班表.txt').getByRole('link').waitFor()
  await button(dialog(page), 'Done').click()
  await dialog(page).waitFor({ state: 'hidden' })

  await row(page, '值班表.txt').first().waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('照片')
  await button(page, 'Search').click()
  await row(page, '值班表.txt').first().waitFor({ state: 'hidden' })
  await openRow(page, '现场照片.jpg')
  const shown = dialog(page).getByRole('img', { name: '现场照片.jpg' })
  await shown.waitFor()
  await eventually(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(900)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'hidden' })

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(row(page, '现场照片.jpg'), 'Download').click(),
  ])
  expect(download.suggestedFilename()).toBe('现场照片.jpg')

  await runRowAction(page, '现场照片.jpg', 'Delete')
  await button(dialog(page), 'OK').click()
  await page.getByText('Deleted successfully').waitFor()
  await row(page, '现场照片.jpg').waitFor({ state: 'hidden' })
})

test('crops the own picture by keys, displays it everywhere at once, and removes it', async () => {
  const person = world().station
  const page = await visit(person, '/profile')
  await page.locator('.avatar-editor input[type=file]').setInputFiles(at('现场照片.jpg'))
  await dialog(page).getByRole('slider', { name: 'Zoom' }).focus()
  for (let i = 0; i < 5; i += 1) await page.keyboard.press('ArrowRight')
  await eventually(() => dialog(page).getByRole('slider').getAttribute('aria-valuenow')).toBe('1.5')
  await button(dialog(page), 'Turn').click()
  await button(dialog(page), 'Save').click()
  await dialog(page).waitFor({ state: 'hidden' })
  const faces = page.locator('.face img')
  await eventually(() => faces.count()).toBe(2)
  for (const face of await faces.all())
    await eventually(() => face.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256)
  await eventually(async () => (await stored()).filter(({ purpose }) => purpose === 'AVATAR')).toMatchObject([
    { ownerId: person.id },
  ])

  const [user] = await all().selectFrom('users').select('username').where('id', '=', person.id).execute()
  const list = await visit(world().admin, `/system/user?username=${user?.username}`)
  await eventually(() => row(list, person.nickname).locator('.face img').count()).toBe(1)

  await button(page, 'Remove picture').click()
  await button(dialog(page), 'OK').click()
  await eventually(() => faces.count()).toBe(0)
})

test('stores the own picture flipped and rotated as in the preview', async () => {
  const page = await visit(world().operator, '/profile')
  await page.locator('.avatar-editor input[type=file]').setInputFiles(at('两半.png'))
  const preview = dialog(page).getByRole('img', { name: 'As it will be shown' })
  const isRed = (point: readonly number[]) =>
    preview.evaluate(
      (canvas, [left = 0, top = 0]) =>
        ((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(left, top, 1, 1).data[0] ?? 0) > 200,
      point,
    )
  const [left, right, top, bottom] = [
    [8, 48],
    [88, 48],
    [48, 8],
    [48, 88],
  ] as const
  await eventually(() => isRed(left)).toBe(true)
  for (const [act, red, other] of [
    ['Flip', right, left],
    ['Turn', bottom, top],
    // A flip exchanges left and right only.
    ['Flip', bottom, top],
    ['Turn', left, right],
    ['Flip', right, left],
  ] as const) {
    await button(dialog(page), act).click()
    await eventually(async () => [await isRed(red), await isRed(other)]).toEqual([true, false])
  }
  await button(dialog(page), 'Save').click()
  await dialog(page).waitFor({ state: 'hidden' })
  const face = page.locator('.avatar-editor .face img')
  const shown = () =>
    face.evaluate((image) => {
      const canvas = document.createElement('canvas')
      const context = canvas.getContext('2d')
      context?.drawImage(image as HTMLImageElement, 0, 0, 100, 100)
      return [10, 90].map((x) => (context?.getImageData(x, 50, 1, 1).data[0] ?? 0) > 200)
    })
  await eventually(shown).toEqual([false, true])
})

test('uploads files and changes the picture on a phone', async () => {
  const page = await visit(world().admin, FILES, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await button(page, 'Upload files').first().click()
  await choose(page, ['现场照片.jpg'])
  await line(page, '现场照片.jpg').getByRole('link').waitFor()
  await button(dialog(page), 'Done').click()
  await page.getByText('现场照片.jpg').first().waitFor()
  await openInside(page, '/profile')
  await page.locator('.avatar-editor input[type=file]').setInputFiles(at('现场照片.jpg'))
  // The circle fills the frame, although the dialog was animated while it opened.
  const circle = dialog(page).getByTestId('cropper')
  await eventually(async () => (await circle.boundingBox())?.width).toBeGreaterThan(200)
  await button(dialog(page), 'Save').click()
  await eventually(() => page.locator('.face img').count()).toBeGreaterThan(0)
})
