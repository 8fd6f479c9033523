import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'

const { world, visit } = browserTest({ language: 'en', theme: 'dark' })

type Message = { className: string; ms: number }

/**
 * Runs in the page: records for each message of this class whether it began to disappear well before or well after its
 * time. Timers of the page measure it: they keep their order on a busy machine, a clock does not.
 */
const timeIt = ({ className, ms }: Message): void => {
  const shown = new Map<Element, { early: boolean; late: boolean }>()
  const stood: unknown[] = []
  const gone = new WeakSet<Element>()
  Object.assign(window, { stood })
  const look = () => {
    for (const element of document.querySelectorAll(`.${className}`)) {
      if (shown.has(element) || gone.has(element)) continue
      const state = { early: true, late: false }
      shown.set(element, state)
      setTimeout(() => Object.assign(state, { early: false }), ms - 150)
      setTimeout(() => Object.assign(state, { late: true }), ms + 1000)
    }
    for (const [element, state] of shown) {
      if (element.isConnected && !/-leave/.test(element.className)) continue
      stood.push({ ...state })
      shown.delete(element)
      gone.add(element)
    }
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['class'],
  })
}
// `timeIt` sets it.
const stood = (page: Page) => page.evaluate(() => (window as unknown as { stood: unknown[] }).stood)

/** Opens a page whose list of schools answers with this error. */
const refused = async (envelope: object, message: Message, query = '') => {
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByRole('heading').or(page.getByText('校长 east')).first().waitFor()
  await page.route('**/admin-api/school/school/page**', (route) => route.fulfill({ json: envelope }))
  await page.evaluate(timeIt, message)
  await openInside(page, `/school/list${query}`)
  return page
}

/** The time of SPEC 9. */
const lastsAsLong = (page: Page) => eventually(() => stood(page)).toEqual([{ early: false, late: false }])

test('shows a toast for 3 s in the middle, 16 px below the top', async () => {
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

test('shows a notification for 4.5 s at the top right, 16 px below the top', async () => {
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

test('stacks several readable notifications with gaps of 16 px', async () => {
  const page = await visit(world().east.staff.head, '/profile')
  await page.getByText('Live', { exact: true }).waitFor()
  let requestCount = 0
  await page.route('**/admin-api/school/school/page**', (route) =>
    route.fulfill({ json: { code: 1003, msg: `名称 ${(requestCount += 1)} 已存在`, data: null } }),
  )
  await openInside(page, '/school/list')
  const shown = page.locator('.ant-notification-notice')
  await shown.first().waitFor()
  /** Another one appears each time, while the first ones disappear. */
  const gaps = async () => {
    await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
    return shown.evaluateAll((all) => {
      const boxes = all
        .map((element) => element.getBoundingClientRect())
        .toSorted((rect, other) => rect.top - other.top)
      return boxes.map(({ top }, at) => Math.round(top - (boxes[at - 1]?.bottom ?? 0)))
    })
  }
  await eventually(gaps).toEqual([16, 16, 16, 16, 16])
})
