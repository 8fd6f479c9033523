import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { program } from '../../apps/server/test/programs.ts'

/** Features that Playwright disables, repeated because the browser uses only the last list, … */
const unwanted = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  // Disables the pages of the browser behind its address bar, which use as much memory per window as the console.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
]

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${unwanted.join()}`,
]

export const openBrowser = (more: LaunchOptions = {}) =>
  chromium.launch({ executablePath: program('chromium'), headless: true, args: flags, ...more })

let shared: Promise<Browser> | undefined
/** The browser of all files of this process, which share no context. It ends with the process; after a crash, another one. */
export const sharedBrowser = async (): Promise<Browser> => {
  const browser = await (shared ??= openBrowser())
  if (browser.isConnected()) return browser
  shared = openBrowser()
  return shared
}

/** Records errors of all pages: exceptions, failed loads, violations of the content security policy. */
export const recordTroubles = (context: BrowserContext, troubles: string[]): void => {
  context.on('weberror', (error) => troubles.push(`uncaught: ${error.error().message}`))
  // The browser reports both other kinds as console errors.
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`${message.text()} ${message.location().url}`)
  })
}

/** Runs in the page before its own scripts: counts the sounds playing in a running context, and all started sounds. */
export const countSounds = (): void => {
  const playing = new Set<AudioScheduledSourceNode>()
  let begun = 0
  const { start, stop } = AudioBufferSourceNode.prototype
  AudioBufferSourceNode.prototype.start = function (...when) {
    begun += 1
    playing.add(this)
    this.addEventListener('ended', () => playing.delete(this))
    start.apply(this, when)
  }
  AudioBufferSourceNode.prototype.stop = function (...when) {
    playing.delete(this)
    stop.apply(this, when)
  }
  const soundsPlaying = () => [...playing].filter(({ context }) => context.state === 'running').length
  Object.assign(window, { soundsPlaying, begun: () => begun })
}

/** Returns how many sounds the page plays now. */
export const playingSounds = (page: Page): Promise<number> =>
  // `countSounds` sets it.
  page.evaluate(() => (window as unknown as { soundsPlaying: () => number }).soundsPlaying())

/** Returns how many sounds the page has started so far: a single sound may end before a test checks it. */
export const startedSounds = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { begun: () => number }).begun())

/** Saves a screenshot of every open page: always when the test failed, otherwise only when SHOTS names a folder. */
export const saveScreenshots = async (contexts: readonly BrowserContext[], title: string, failed: boolean) => {
  const folder = process.env['SHOTS'] ?? (failed ? join(tmpdir(), 'tocsin-shots') : undefined)
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const name = title.replaceAll(/[^\w\u4e00-\u9fff]+/g, '-').slice(0, 60)
  for (const [at, page] of contexts.flatMap((context) => context.pages()).entries()) {
    const path = join(folder, `${name}-${at + 1}.png`)
    await page.screenshot({ path, timeout: 5000 }).catch(() => undefined)
    if (failed) console.log(`${page.url()} as it failed: ${path}`)
  }
}
