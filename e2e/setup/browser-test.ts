import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openSession } from '../../apps/server/src/areas/access/sign-in/session.ts'
import { unscoped } from '../../apps/server/src/db/scope.ts'
import { type Fleet, type FleetOptions, startFleet } from '../../tools/simulator/fleet.ts'
import { countSounds, openBrowser, photograph, recordTroubles } from './browser.ts'
import { startE2eServer, type E2eServer } from './e2e-server.ts'
import { makeE2eFixture, type Person, type E2eFixture } from './e2e-fixture.ts'

/** For one thing to show. Two processors of which others take nine parts of ten need this long for what takes two seconds. */
const PATIENCE_MS = 60_000

/** Looks again and again until it is so, or that patience is over. */
export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: PATIENCE_MS, interval: 100 })

/**
 * How the console of a file is seen by who chose nothing else. Each file says its own, so that both languages and both
 * themes are looked at all the time.
 */
export type Appearance = { language: 'zh-cn' | 'en'; theme: 'light' | 'dark' }

let currentLanguage: Appearance['language'] = 'zh-cn'
/** Of two spellings that of the language this file looks at. */
export const byLanguage = <T>(zh: T, en: T): T => (currentLanguage === 'en' ? en : zh)

type TestSetup = { site: E2eServer; world: E2eFixture; browser: Browser; look: Appearance }
/** What one test has opened and provoked. */
type TestState = { contexts: BrowserContext[]; fleets: Fleet[]; troubles: string[]; allowed: RegExp[] }

const openServerWithData = async () => {
  const site = await startE2eServer()
  return { site, world: await makeE2eFixture(site.db, site.masterKey) }
}

const openTestSetup = async (look: Appearance): Promise<TestSetup> => {
  const [made, browser] = await Promise.all([openServerWithData(), openBrowser()])
  return { ...made, browser, look }
}

/** Runs in the page before its own scripts. */
const presetLanguage = (language: string): void => {
  // An empty page keeps nothing.
  if (location.protocol === 'http:') localStorage['language'] ??= language
}

const open = async ({ site, browser, look }: TestSetup, scene: TestState, options: BrowserContextOptions) => {
  const usual = {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: look.theme,
    viewport: { width: 1440, height: 900 },
    // What fades or slides is still there, and in another place, when a test looks for the next.
    reducedMotion: 'reduce',
  } as const
  const context = await browser.newContext({ baseURL: site.url, ...usual, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  scene.contexts.push(context)
  recordTroubles(context, scene.troubles)
  await context.addInitScript(countSounds)
  if (look.language !== 'zh-cn') await context.addInitScript(presetLanguage, look.language)
  return context.newPage()
}

const signedInAs = async ({ db, url }: E2eServer, { id }: Person) => {
  const tokens = await openSession(db, id, { ip: '127.0.0.1', userAgent: 'e2e', traceId: 'e2e' })
  const kept = { ACCESS_TOKEN: tokens.accessToken, REFRESH_TOKEN: tokens.refreshToken, TENANT_ID: '1' }
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: url, localStorage }] }
}

const connect = async (site: E2eServer, scene: TestState, options: Pick<FleetOptions, 'devices' | 'onReceipt'>) => {
  const fleet = startFleet({ mqtt: site.mqtt, reconnect: { baseMs: 200, capMs: 1000 }, ...options })
  scene.fleets.push(fleet)
  await fleet.connected()
  return fleet
}

/**
 * A page may be asking when it goes: what answers it in the server's place must not fail for that. What the test has
 * closed itself asks nothing any more.
 */
const closeContext = async (context: BrowserContext) => {
  const open = [context, ...context.pages()]
  await Promise.allSettled(open.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

const endTest = async ({ contexts, fleets, troubles, allowed }: TestState, title: string, failed: boolean) => {
  await photograph(contexts, title, failed)
  await Promise.all(fleets.splice(0).map((fleet) => fleet.stop()))
  await Promise.all(contexts.splice(0).map(closeContext))
  const named = allowed.splice(0)
  return troubles.splice(0).filter((text) => !named.some((pattern) => pattern.test(text)))
}

/**
 * A site with its world and one browser for all tests of a file; a test begins without open pages, and fails when a
 * page complains about something that the test did not name.
 */
export const browserTest = (look: Appearance) => {
  const scene: TestState = { contexts: [], fleets: [], troubles: [], allowed: [] }
  let house: TestSetup | undefined
  currentLanguage = look.language
  const at = (): TestSetup => {
    if (!house) throw new Error('the stage is set up before the first test, not while tests are defined')
    return house
  }
  beforeAll(async () => {
    house = await openTestSetup(look)
  })
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    const unexpected = await endTest(scene, task.name, failed)
    if (failed) console.log(at().site.log())
    expect(unexpected).toEqual([])
  })
  afterAll(async () => {
    await Promise.all([house?.browser.close(), house?.site.close()])
  })
  return {
    site: () => at().site,
    world: () => at().world,
    /** The tables, whoever may see them. */
    all: () => unscoped(at().site.db, 'e2e'),
    /** A browser of its own with a page of it, nobody signed in. */
    stranger: (options: BrowserContextOptions = {}): Promise<Page> => open(at(), scene, options),
    /** A person's signed-in browser, at `path`. */
    visit: async (person: Person, path = '/', options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await open(at(), scene, { storageState: await signedInAs(at().site, person), ...options })
      await page.goto(path)
      return page
    },
    /** These devices, connected. */
    devices: (options: Pick<FleetOptions, 'devices' | 'onReceipt'>) => connect(at().site, scene, options),
    /** Complaints that this test provokes. */
    allow: (...patterns: RegExp[]) => void scene.allowed.push(...patterns),
  }
}
