import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { soon, stage } from './stage/stage.ts'
import { button } from './words.ts'

const { world, visit } = stage()

/** From now on the server has another build, as far as this page can tell. */
const publish = (page: Page, entry: string) =>
  page.route('**/', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback()
    return route.fulfill({
      contentType: 'text/html',
      body: `<script type="module" crossorigin src="/assets/${entry}.js"></script>`,
    })
  })
const offer = (page: Page) => page.getByRole('status').filter({ hasText: '系统已有新版本' })

test('a newer version is offered when the person looks again, and taken only when he says so', async () => {
  const page = await visit(world().east.staff.head, '/school', {})
  await page.clock.install()
  await page.reload()
  await page.getByText('实时', { exact: true }).waitFor()
  await page.evaluate(() => Object.assign(window, { before: true }))
  const look = async () => {
    await page.clock.fastForward(61_000)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  }
  const isSamePage = () => page.evaluate(() => 'before' in window)

  await look()
  await page.getByText('实时', { exact: true }).waitFor()
  expect(await offer(page).count()).toBe(0)

  await publish(page, 'index-two')
  await page.getByLabel('关键字').or(page.getByRole('textbox')).first().fill('写了一半')
  await look()
  await offer(page).waitFor()
  expect(await isSamePage()).toBe(true)
  expect(await page.getByRole('textbox').first().inputValue()).toBe('写了一半')

  await button(offer(page), '稍后').click()
  await offer(page).waitFor({ state: 'hidden' })
  await look()
  await page.waitForTimeout(300)
  expect(await offer(page).count()).toBe(0)

  await page.unroute('**/')
  await publish(page, 'index-three')
  await look()
  await button(offer(page), '重新加载').click()
  await soon(isSamePage).toBe(false)
})
