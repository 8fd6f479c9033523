import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openSession } from '../../apps/server/src/areas/access/sign-in/session.ts'
import { unscoped } from '../../apps/server/src/db/scope.ts'
import { type Fleet, type FleetOptions, startFleet } from '../../tools/simulator/fleet.ts'
import { countSounds, saveScreenshots, sharedBrowser, recordTroubles } from './browser.ts'
import { startE2eServer, type E2eServer } from './e2e-server.ts'
import { makeE2eFixture, makeEmptyFixture, type Person } from './e2e-fixture.ts'

/** Timeout of one condition: two cores with 90 % taken by other processes need this long for two seconds of work. */
const PATIENCE_MS = 60_000

/** Polls until the assertion holds or the timeout is over. */
export const eventually = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: PATIENCE_MS, interval: 100 })

/**
 * The appearance for users who chose nothing else. Each file names its own, so that the tests cover both languages and
 * both themes.
 */
export type Appearance = { language: 'zh-cn' | 'en'; theme: 'light' | 'dark' }

let currentLanguage: Appearance['language'] = 'zh-cn'
/** Returns the text in the language of this file. */
export const byLanguage = <T>(zh: T, en: T): T => (currentLanguage === 'en' ? en : zh)

/** Variables of the environment of the server beside the usual ones. */
type ServerVariables = () => Promise<Record<string, string>>

type MakeWorld<World> = (...server: Parameters<typeof makeE2eFixture>) => Promise<World>

type TestSetup<World> = { site: E2eServer; world: World; browser: Browser; look: Appearance }
/** What one test has opened, recorded and allowed. */
type TestState = { contexts: BrowserContext[]; fleets: Fleet[]; troubles: string[]; allowed: RegExp[] }

const openServerWithData = async <World>(variables: ServerVariables, makeWorld: MakeWorld<World>) => {
  const site = await startE2eServer(await variables())
  return { site, world: await makeWorld(site.db, site.masterKey) }
}

const openTestSetup = async <World>(
  look: Appearance,
  variables: ServerVariables,
  makeWorld: MakeWorld<World>,
): Promise<TestSetup<World>> => {
  const [server, browser] = await Promise.all([openServerWithData(variables, makeWorld), sharedBrowser()])
  return { ...server, browser, look }
}

/** Runs in the page before its own scripts. */
const presetLanguage = (language: string): void => {
  // An empty page has no storage.
  if (location.protocol === 'http:') localStorage['language'] ??= language
}

const open = async ({ site, browser, look }: TestSetup<unknown>, state: TestState, options: BrowserContextOptions) => {
  const usual = {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: look.theme,
    viewport: { width: 1440, height: 900 },
    // An animated element is still there, and in another place, when a test looks for the next one.
    reducedMotion: 'reduce',
  } as const
  const context = await browser.newContext({ baseURL: site.url, ...usual, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  state.contexts.push(context)
  recordTroubles(context, state.troubles)
  await context.addInitScript(countSounds)
  if (look.language !== 'zh-cn') await context.addInitScript(presetLanguage, look.language)
  return context.newPage()
}

const signedInAs = async ({ db, url }: E2eServer, { id }: Person) => {
  const tokens = await openSession(db, id, { ip: '127.0.0.1', userAgent: 'e2e', traceId: 'e2e' })
  const stored = { ACCESS_TOKEN: tokens.accessToken, REFRESH_TOKEN: tokens.refreshToken, TENANT_ID: '1' }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin: url, localStorage }] }
}

type ConnectOptions = Pick<FleetOptions, 'devices' | 'onReceipt' | 'updateFailure'>

const connect = async (site: E2eServer, state: TestState, options: ConnectOptions) => {
  const fleet = startFleet({ mqtt: site.mqtt, reconnect: { baseMs: 200, capMs: 1000 }, ...options })
  state.fleets.push(fleet)
  await fleet.connected()
  return fleet
}

/**
 * A page may have open requests when it closes: route handlers of the test must not fail then. Pages closed by the test
 * have none.
 */
const closeContext = async (context: BrowserContext) => {
  const open = [context, ...context.pages()]
  await Promise.allSettled(open.map((tab) => tab.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

const endTest = async ({ contexts, fleets, troubles, allowed }: TestState, title: string, failed: boolean) => {
  await saveScreenshots(contexts, title, failed)
  await Promise.all(fleets.splice(0).map((fleet) => fleet.stop()))
  await Promise.all(contexts.splice(0).map(closeContext))
  const named = allowed.splice(0)
  return troubles.splice(0).filter((text) => !named.some((pattern) => pattern.test(text)))
}

/**
 * One server for all tests of a file. A test starts without open pages, and fails when a page reports an
 * error that the test did not allow.
 */
const openBrowserTest = <World>(look: Appearance, variables: ServerVariables, makeWorld: MakeWorld<World>) => {
  const state: TestState = { contexts: [], fleets: [], troubles: [], allowed: [] }
  let setup: TestSetup<World> | undefined
  currentLanguage = look.language
  const at = (): TestSetup<World> => {
    if (!setup) throw new Error('the server starts before the first test, not while tests are defined')
    return setup
  }
  beforeAll(async () => {
    setup = await openTestSetup(look, variables, makeWorld)
  })
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    const unexpected = await endTest(state, task.name, failed)
    if (failed) console.log(at().site.log())
    expect(unexpected).toEqual([])
  })
  afterAll(async () => {
    await setup?.site.close()
  })
  return {
    site: () => at().site,
    world: () => at().world,
    /** All tables, without visibility. */
    all: () => unscoped(at().site.db, 'e2e'),
    /** Opens a page in a new browser context without a session. */
    openSignedOut: (options: BrowserContextOptions = {}): Promise<Page> => open(at(), state, options),
    /** Opens `path` in a new browser context with a session of this user. */
    visit: async (person: Person, path = '/', options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await open(at(), state, { storageState: await signedInAs(at().site, person), ...options })
      await page.goto(path)
      return page
    },
    /** Connects these devices. */
    devices: (options: ConnectOptions) => connect(at().site, state, options),
    /** Error messages that this test provokes. */
    allow: (...patterns: RegExp[]) => void state.allowed.push(...patterns),
  }
}

const noVariables: ServerVariables = () => Promise.resolve({})

/** With two schools and their people. */
export const browserTest = (look: Appearance, variables = noVariables) =>
  openBrowserTest(look, variables, makeE2eFixture)

/** With the administrator alone. */
export const emptyBrowserTest = (look: Appearance) => openBrowserTest(look, noVariables, makeEmptyFixture)
