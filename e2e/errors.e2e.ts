import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually, browserTest } from './setup/browser-test.ts'

const { world, visit } = browserTest({ language: 'en', theme: 'dark' })

type Message = { className: string; ms: number }

/**
 * Runs in the page: notes for each message of this class whether it began to go well before its time, or well after.
 * The page's own timers tell it: they keep their order on a machine that is busy, which a clock does not.
 */
const timeIt = ({ className, ms }: Message): void => {
  const shown = new Map<Element, { early: boolean; late: boolean }>()
  const stood: unknown[] = []
  const gone = new WeakSet<Element>()
  Object.assign(window, { stood })
  const look = () => {
    for (const one of document.querySelectorAll(`.${className}`)) {
      if (shown.has(one) || gone.has(one)) continue
      const state = { early: true, late: false }
      shown.set(one, state)
      setTimeout(() => Object.assign(state, { early: false }), ms - 150)
      setTimeout(() => Object.assign(state, { late: true }), ms + 1000)
    }
    for (const [one, state] of shown) {
      if (one.isConnected && !/-leave/.test(one.className)) continue
      stood.push({ ...state })
      shown.delete(one)
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
const stood = (page: Page) => page.evaluate(() => (window as unknown as { stood: unknown[] }).stood)

/** A page whose list of schools is refused in this way. */
const refused = async (envelope: object, message: Message, query = '') => {
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByRole('heading').or(page.getByText('校长 east')).first().waitFor()
  await page.route('**/admin-api/school/school/page**', (route) => route.fulfill({ json: envelope }))
  await page.addInitScript(timeIt, message)
  await page.goto(`/school${query}`)
  return page
}

/** SPEC 9's time. */
const lastsAsLong = (page: Page) => eventually(() => stood(page)).toEqual([{ early: false, late: false }])

test('a toast stands for 3 s, 16 px below the top, in the middle', async () => {
  const page = await refused(
    { code: 500, msg: 'stack', data: null },
    {
      className: 'ant-message-notice',
      ms: 3000,
    },
  )
  const toast = page
    .locator('.ant-message-notice')
    .filter({ hasText: 'Server error, please contact the administrator' })
  await toast.waitFor()
  await eventually(async () => {
    const box = await toast.boundingBox()
    return box && { y: box.y, middle: Math.round(box.x + box.width / 2) }
  }).toEqual({ y: 16, middle: 720 })
  await eventually(() => page.locator('.ant-notification-notice').count()).toBe(0)
  await lastsAsLong(page)
})

test('a notification stands for 4.5 s at the top right, 16 px below the top', async () => {
  const page = await refused(
    { code: 1003, msg: '名称已存在', data: null },
    {
      className: 'ant-notification-notice',
      ms: 4500,
    },
  )
  const shown = page.locator('.ant-notification-notice').filter({ hasText: '名称已存在' })
  await shown.waitFor()
  await eventually(async () => {
    const box = await shown.boundingBox()
    return box && { y: box.y, atTheRight: 1440 - box.x - box.width <= 24 }
  }).toEqual({ y: 16, atTheRight: true })
  await eventually(() => page.locator('.ant-message-notice').count()).toBe(0)
  await lastsAsLong(page)
})

test('several notifications stand 16 px below each other, each to be read', async () => {
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByText('Live', { exact: true }).waitFor()
  let asked = 0
  await page.route('**/admin-api/school/school/page**', (route) =>
    route.fulfill({ json: { code: 1003, msg: `名称 ${(asked += 1)} 已存在`, data: null } }),
  )
  await page.goto('/school')
  const shown = page.locator('.ant-notification-notice')
  await shown.first().waitFor()
  /** One more is said each time, as the first ones go. */
  const gaps = async () => {
    await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
    return shown.evaluateAll((all) => {
      const boxes = all.map((one) => one.getBoundingClientRect()).toSorted((one, other) => one.top - other.top)
      return boxes.map(({ top }, at) => Math.round(top - (boxes[at - 1]?.bottom ?? 0)))
    })
  }
  await eventually(gaps).toEqual([16, 16, 16, 16, 16])
})
