import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openSession } from '../apps/server/src/areas/system/auth/session.ts'
import { program } from '../apps/server/test/programs.ts'
import { type Fleet, type FleetOptions, startFleet } from '../tools/simulator/fleet.ts'
import { openSite, type Site } from './site.ts'
import { makeWorld, type Person, type World } from './world.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = () => chromium.launch({ executablePath: program('chromium'), headless: true, args: flags })

/** Whatever a page complains about; a test that provokes one says so by `allow`. */
const watch = (context: BrowserContext, troubles: string[]) => {
  context.on('weberror', (error) => troubles.push(`uncaught: ${error.error().message}`))
  // Violations of the content security policy are console errors, and so are failed loads.
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`${message.text()} ${message.location().url}`)
  })
}

/** Lets a test see whether the page makes a sound: it counts the sources that play in a running context. */
const listenIn = () => {
  const playing = new Set<AudioScheduledSourceNode>()
  const { start, stop } = AudioBufferSourceNode.prototype
  AudioBufferSourceNode.prototype.start = function (...when) {
    playing.add(this)
    this.addEventListener('ended', () => playing.delete(this))
    start.apply(this, when)
  }
  AudioBufferSourceNode.prototype.stop = function (...when) {
    playing.delete(this)
    stop.apply(this, when)
  }
  Object.assign(window, { heard: () => [...playing].filter(({ context }) => context.state === 'running').length })
}

/** How many sounds come out of the page at this moment. */
export const heard = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { heard: () => number }).heard())

/** Looks again and again until it is so, or the patience of a busy machine is over. */
export const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 20_000, interval: 100 })

export type Stage = {
  site: () => Site
  world: () => World
  /** A browser of its own with a page of it, nobody signed in. */
  stranger: (options?: BrowserContextOptions) => Promise<Page>
  /** A person's signed-in browser, at `path`. */
  visit: (person: Person, path?: string, options?: BrowserContextOptions) => Promise<Page>
  /** These devices, connected. */
  devices: (options: Pick<FleetOptions, 'devices' | 'onReceipt'>) => Promise<Fleet>
  /** Complaints that this test provokes. */
  allow: (...patterns: RegExp[]) => void
}

const signedInAs = async ({ db, url }: Site, { id }: Person) => {
  const tokens = await openSession(db, id, { ip: '127.0.0.1', userAgent: 'e2e', traceId: 'e2e' })
  const kept = { ACCESS_TOKEN: tokens.accessToken, REFRESH_TOKEN: tokens.refreshToken, TENANT_ID: '1' }
  return {
    cookies: [],
    origins: [{ origin: url, localStorage: Object.entries(kept).map(([name, value]) => ({ name, value })) }],
  }
}

/** Of every open page: always when the test failed, else when SHOTS names a folder. */
const photograph = async (contexts: readonly BrowserContext[], title: string, failed: boolean) => {
  const folder = process.env['SHOTS'] ?? (failed ? join(tmpdir(), 'tocsin-shots') : undefined)
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const pages = contexts.flatMap((context) => context.pages())
  for (const [at, page] of pages.entries()) {
    const path = join(folder, `${title.replaceAll(/[^\w\u4e00-\u9fff]+/g, '-').slice(0, 60)}-${at + 1}.png`)
    await page.screenshot({ path, timeout: 5000 }).catch(() => undefined)
    if (failed) console.log(`${page.url()} as it failed: ${path}`)
  }
}

/** A site with its world and one browser for all tests of a file; every test begins without open pages. */
export const stage = (): Stage => {
  let site: Site
  let world: World
  let browser: Browser
  const contexts: BrowserContext[] = []
  const fleets: Fleet[] = []
  const troubles: string[] = []
  const allowed: RegExp[] = []

  beforeAll(async () => {
    site = await openSite()
    world = await makeWorld(site.db, site.masterKey)
    browser = await openBrowser()
  })
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    await photograph(contexts, task.name, failed)
    for (const fleet of fleets.splice(0)) await fleet.stop()
    for (const context of contexts.splice(0)) await context.close()
    if (failed) console.log(site.log())
    const unexpected = troubles.splice(0).filter((text) => !allowed.some((pattern) => pattern.test(text)))
    allowed.length = 0
    expect(unexpected).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const open = async (options: BrowserContextOptions) => {
    const given = { baseURL: site.url, locale: 'zh-CN', timezoneId: 'Asia/Shanghai', viewport: { width: 1440, height: 900 }, ...options }
    const context = await browser.newContext(given)
    context.setDefaultTimeout(20_000)
    contexts.push(context)
    watch(context, troubles)
    await context.addInitScript(listenIn)
    return context.newPage()
  }
  return {
    site: () => site,
    world: () => world,
    stranger: (options = {}) => open(options),
    visit: async (person, path = '/', options = {}) => {
      const page = await open({ storageState: await signedInAs(site, person), ...options })
      await page.goto(path)
      return page
    },
    devices: async (options) => {
      const fleet = startFleet({ mqtt: site.mqtt, heartbeatSec: 30, reconnect: { baseMs: 200, capMs: 1000 }, ...options })
      fleets.push(fleet)
      await fleet.connected()
      return fleet
    },
    allow: (...patterns) => void allowed.push(...patterns),
  }
}
