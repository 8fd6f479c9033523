import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { soon, stage } from './stage/stage.ts'

const { world, visit } = stage()

/** Runs in the page: notes how long each message of this class stands, from its coming to the start of its going. */
const timeIt = (name: string): void => {
  const began = new Map<Element, number>()
  const stood: number[] = []
  const gone = new WeakSet<Element>()
  Object.assign(window, { stood })
  const look = () => {
    for (const one of document.querySelectorAll(`.${name}`))
      if (!began.has(one) && !gone.has(one)) began.set(one, performance.now())
    for (const [one, since] of began) {
      if (one.isConnected && !/-leave/.test(one.className)) continue
      stood.push(performance.now() - since)
      began.delete(one)
      gone.add(one)
    }
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['class'],
  })
}
// `timeIt` put it there.
const stood = (page: Page) => page.evaluate(() => (window as unknown as { stood: number[] }).stood)

/** A page whose list of schools is refused in this way. */
const refused = async (envelope: object, name: string, query = '') => {
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByRole('heading').or(page.getByText('校长 east')).first().waitFor()
  await page.route('**/admin-api/school/school/page**', (route) => route.fulfill({ json: envelope }))
  await page.addInitScript(timeIt, name)
  await page.goto(`/school${query}`)
  return page
}

/** SPEC 9's time, on a machine that may be busy. */
const lasts = async (page: Page, ms: number) => {
  await soon(async () => (await stood(page)).length).toBe(1)
  const [time = 0] = await stood(page)
  expect(time).toBeGreaterThan(ms - 150)
  expect(time).toBeLessThan(ms + 1000)
}

test('a toast stands for 3 s, 16 px below the top, in the middle', async () => {
  const page = await refused({ code: 500, msg: 'stack', data: null }, 'ant-message-notice')
  const toast = page.locator('.ant-message-notice').filter({ hasText: '服务器错误,请联系管理员!' })
  await toast.waitFor()
  await soon(async () => (await toast.boundingBox())?.y).toBe(16)
  const box = await toast.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(720, 0)
  expect(await page.locator('.ant-notification-notice').count()).toBe(0)
  await lasts(page, 3000)
})

test('a notification stands for 4.5 s at the top right, 16 px below the top', async () => {
  const page = await refused({ code: 1003, msg: '名称已存在', data: null }, 'ant-notification-notice')
  const shown = page.locator('.ant-notification-notice').filter({ hasText: '名称已存在' })
  await shown.waitFor()
  await soon(async () => (await shown.boundingBox())?.y).toBe(16)
  const box = await shown.boundingBox()
  expect(1440 - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThanOrEqual(24)
  expect(await page.locator('.ant-message-notice').count()).toBe(0)
  await lasts(page, 4500)
})
