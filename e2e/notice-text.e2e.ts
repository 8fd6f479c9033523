import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { begin, editor, MY_NOTICES_PATH, NOTICES, noticeNamed, publish, toDept, tool } from './notice.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'
import { closed, drawer, save, openRow } from './page-actions.ts'

const { world, visit, allow, all } = browserTest({ language: 'zh-cn', theme: 'dark' })

const hostile = [
  '<p>看得见</p><script>window.hit = 1</script><img src=x onerror="window.hit = 2">',
  '<a href="javascript:window.hit = 3">点我</a><iframe srcdoc="<script>parent.hit = 4</script>"></iframe>',
  '<svg onload="window.hit = 5"></svg><p style="position:fixed;inset:0" onmouseover="window.hit = 6">盖住</p>',
  '<img src="x"onerror=\'if (2 > 1) window.hit = 7\'><svg/onload=window.hit=8></svg><code>a onclick=b</code>',
  '<img src="https://collect.example.org/a.png"><form action="/x"><input name="password"></form>',
].join('')

const paste = (page: Page, html: string) =>
  editor(page).evaluate((element, text) => {
    const data = new DataTransfer()
    data.setData('text/html', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, html)

const harmless = async (page: Page) => {
  const shown = drawer(page)
  for (const tag of [
    'script',
    'iframe',
    '.rich form',
    '.rich svg',
    '.rich img',
    '.rich [style]',
    '.rich [onmouseover]',
  ])
    await eventually(() => shown.locator(tag).count()).toBe(0)
  await eventually(() => shown.locator('.rich a[href^="javascript"]').count()).toBe(0)
  await eventually(() => page.evaluate(() => 'hit' in window)).toBe(false)
}

test('neutralizes hostile HTML when it is pasted, when it is stored, and when stored text was never sanitized', async () => {
  const outside: string[] = []
  const page = await visit(world().admin, NOTICES)
  page.on('request', (request) => request.url().includes('example.org') && outside.push(request.url()))
  await begin(page, '粘贴')
  await drawer(page).getByText('全体', { exact: true }).click()
  await editor(page).click()
  await paste(page, hostile)
  await editor(page).getByText('看得见').waitFor()
  await harmless(page)
  await save(page)
  await closed(page)
  const { content } = await noticeNamed(all(), '粘贴')
  expect(content).toContain('<p>看得见</p>')
  expect(content).toContain('a onclick=b')
  expect(content).not.toMatch(/script|onerror|onload|style|iframe|<img|<form/)

  // Simulates unsanitized content from another source.
  await all().updateTable('notice').set({ content: hostile }).where('title', '=', '粘贴').execute()
  await openRow(page, '粘贴')
  await drawer(page).getByText('看得见').waitFor()
  await harmless(page)
  await page.keyboard.press('Escape')
  await publish(page, '粘贴')
  const { id } = await noticeNamed(all(), '粘贴')
  const userPage = await visit(world().east.staff.guard, `${MY_NOTICES_PATH}?id=${id}`)
  userPage.on('request', (request) => request.url().includes('example.org') && outside.push(request.url()))
  await drawer(userPage).getByText('看得见').waitFor()
  await harmless(userPage)
  await drawer(userPage).getByText('点我').click()
  await harmless(userPage)
  expect(outside).toEqual([])
})

/** A red square of 8 pixels. */
const square = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4IaKLFTEMLQkACg5CQQtxM6EAAAAASUVORK5CYII=',
  'base64',
)

test('sends a picture to the receiver through a personal link, and rejects a file that is no picture', async () => {
  const page = await visit(world().admin, NOTICES)
  await begin(page, '看图')
  await toDept(page, EAST_SCHOOL)
  await editor(page).fill('如图')
  const choose = async (name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), tool(page, '插入图片').click()])
    await chooser.setFiles({ name, mimeType: 'image/png', buffer })
  }
  allow(/file\/upload/)
  await choose('假.png', Buffer.from('<script>alert(1)</script>'))
  await page.locator('.ant-notification-notice, .ant-message-notice').first().waitFor()
  await eventually(() => editor(page).locator('img').count()).toBe(0)
  await choose('门.png', square)
  await editor(page).locator('img').waitFor()
  await save(page)
  await closed(page)
  const { id, content } = await noticeNamed(all(), '看图')
  expect(content).toMatch(/<img src="\/admin-api\/infra\/file\/\d+" alt="门.png" \/>/)
  await publish(page, '看图')
  const { guard } = world().east.staff
  const userPage = await visit(guard, `${MY_NOTICES_PATH}?id=${id}`)
  const picture = drawer(userPage).getByRole('img', { name: '门.png' })
  await picture.waitFor()
  await eventually(() => picture.getAttribute('src')).toContain(`u=${guard.id}&`)
  await eventually(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(8)
})
