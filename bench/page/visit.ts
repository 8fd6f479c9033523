import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'

/** The presets of Chromium's developer tools. */
export const profiles = {
  plain: {},
  'cpu 4x': { cpu: 4 },
  'fast 3G': { latencyMs: 562.5, bytesPerSecond: (1.44 * 1024 * 1024) / 8 },
} as const satisfies Record<string, { cpu?: number; latencyMs?: number; bytesPerSecond?: number }>
export type Profile = keyof typeof profiles

/** The page to open, and what is on it once it is usable. */
export type PageTarget = { url: string; ready: string; token?: string }

/** Milliseconds after the navigation began; bytes on the wire before that moment. */
export type Load = { ready: number; paint: number; blocked: number; script: number; bytes: number }

/** Runs in the page before its own scripts. */
const observe = (ready: string): void => {
  const seen = { paint: 0, blocked: 0, ready: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.paint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocked += duration - 50
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelector(ready)?.getClientRects().length) seen.ready = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const throttle = async (session: CDPSession, profile: Profile) => {
  const { cpu, latencyMs, bytesPerSecond }: { cpu?: number; latencyMs?: number; bytesPerSecond?: number } =
    profiles[profile]
  if (cpu) await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (latencyMs && bytesPerSecond) {
    const speed = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond / 2 }
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: latencyMs, ...speed })
  }
}

/** Counts transferred bytes, except what is prefetched for another page. */
const count = async (session: CDPSession) => {
  const kinds = new Map<string, string>()
  const sums = { script: 0, bytes: 0 }
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    kinds.set(requestId, request.headers['Sec-Purpose'] === 'prefetch' ? 'Prefetch' : (type ?? 'Other'))
  })
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (kinds.get(requestId) !== 'Prefetch') kinds.set(requestId, type)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind === 'Prefetch' || kind === undefined) return
    sums.bytes += encodedDataLength
    if (kind === 'Script') sums.script += encodedDataLength
  })
  await session.send('Network.enable')
  return sums
}

/** A fresh browser context: nothing cached or stored but the session. */
export const freshPage = async (browser: Browser, { token, ready }: PageTarget): Promise<[Page, BrowserContext]> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  if (token) {
    await context.addInitScript(
      (kept) => {
        for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value)
      },
      { ACCESS_TOKEN: token, TENANT_ID: '1' },
    )
  }
  await context.addInitScript(observe, ready)
  return [await context.newPage(), context]
}

type Seen = { seen: { paint: number; blocked: number; ready: number } }
const seenOn = (page: Page) => page.evaluate(() => (window as unknown as Seen).seen)

/** Visits the page once with an empty cache. */
export const load = async (browser: Browser, target: PageTarget, profile: Profile): Promise<Load> => {
  const [page, context] = await freshPage(browser, target)
  const session = await context.newCDPSession(page)
  const sums = await count(session)
  await throttle(session, profile)
  await page.goto(target.url, { timeout: 120_000 })
  await page.waitForFunction(() => (window as unknown as Seen).seen.ready > 0, undefined, { timeout: 120_000 })
  const { script, bytes } = sums
  // The browser reports the largest paint and late long tasks a little afterwards.
  await page.waitForTimeout(1000)
  const seen = await seenOn(page)
  await context.close()
  return { ...seen, script: script / 1024, bytes: bytes / 1024 }
}

/** From the click on a menu entry to the frame that shows the rows of its table, in ms. */
export const clickToRows = async (page: Page, entry: string, rows: string): Promise<number> => {
  await page.evaluate((wanted) => {
    const took = new Promise<number>((resolve) => {
      const clicked = ({ timeStamp }: Event) => {
        const look = () => {
          if (document.querySelector(wanted)?.getClientRects().length) resolve(performance.now() - timeStamp)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }
      document.addEventListener('click', clicked, { capture: true, once: true })
    })
    Object.assign(window, { took })
  }, rows)
  const link = page.getByRole('menuitem', { name: entry, exact: true })
  await link.hover()
  await page.waitForTimeout(100)
  await link.click()
  return page.evaluate(() => (window as unknown as { took: Promise<number> }).took)
}
