import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Route, WebSocketRoute } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { playingSounds } from './setup/browser.ts'
import { alarmRow, clearDesks, rings, startShift } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'

const { site, world, visit, devices, allow } = browserTest({ language: 'en', theme: 'light' })
beforeEach(() => clearDesks(site()))

const DEAF = /^\s*Not live since .*: new alarms may not appear$/

test('a server that dies is seen on the screen at once; when it is back the desk reads again and rings', async () => {
  allow(/WebSocket connection/, /ERR_CONNECTION_REFUSED/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/)
  const page = await visit(world().east.staff.safety, '/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().east.devices })
  await site().kill()
  await page.getByRole('alert').getByText(DEAF).waitFor()
  await page
    .getByRole('status')
    .getByText(/^Not live/)
    .waitFor()
  // The desk says it with the age of its queue, and the frame not once more.
  await eventually(() =>
    page
      .getByRole('alert')
      .getByText(/Not live since/)
      .filter({ visible: true })
      .count(),
  ).toBe(1)
  // A desk that cannot hear must not look quiet.
  for (const words of [/Live since/, 'No open alarms']) await eventually(() => page.getByText(words).count()).toBe(0)

  fleet.press('EAST-0001')
  await site().start()
  await page.getByText('Live', { exact: true }).waitFor()
  await alarmRow(page, '101室').waitFor()
  await rings(page)
  await eventually(() => page.getByText(/Not live since/).count()).toBe(0)
})

test('a desk that is back is not quiet before its queue has been read again, and says when that fails', async () => {
  allow(/ERR_FAILED/)
  const page = await visit(world().east.staff.safety, 'about:blank')
  const sockets = new Set<WebSocketRoute>()
  let cut = false
  await page.routeWebSocket('**/infra/ws', (socket) => {
    if (cut) return void socket.close()
    sockets.add(socket)
    socket.connectToServer()
  })
  await page.goto('/desk')
  await startShift(page)
  await page.getByText(/Live since/).waitFor()
  cut = true
  for (const socket of sockets) await socket.close()
  await page.getByRole('alert').getByText(DEAF).waitFor()
  // What the desk asks from now on stays without an answer until the test gives one.
  const asked: Route[] = []
  await page.route('**/warn/record/desk*', (route) => void asked.push(route))
  cut = false
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.getByText('Live', { exact: true }).waitFor()
  const warning = page.locator('.desk-deaf')
  const saysNothingFalse = async () => {
    for (const words of [/Live since/, 'No open alarms']) await eventually(() => page.getByText(words).count()).toBe(0)
  }
  await eventually(() => warning.innerText()).toMatch(/Reconnected, loading missed alarms.*Loaded/s)
  await saysNothingFalse()

  // Cut off by the return, the reading of before may never have been asked for.
  await eventually(async () => {
    for (const route of asked.splice(0)) await route.abort().catch(() => undefined)
    return warning.innerText()
  }).toContain('The queue could not be loaded')
  await saysNothingFalse()

  await page.unroute('**/warn/record/desk*')
  for (const route of asked.splice(0)) await route.continue().catch(() => undefined)
  await page.getByText('No open alarms').waitFor()
  await page.getByText(/Live since/).waitFor()
  await eventually(() => warning.count()).toBe(0)
})

test('a cable that is pulled is noticed without a word from the network, and nothing is missed afterwards', async () => {
  allow(/ERR_INTERNET_DISCONNECTED/, /WebSocket connection/)
  const page = await visit(world().west.staff.safety, '/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().west.devices })
  await page.context().setOffline(true)
  fleet.press('WEST-0001')
  // No beat for 25 s is how a page knows.
  await page.getByRole('alert').getByText(DEAF).waitFor({ timeout: 40_000 })
  await eventually(() => alarmRow(page, '101室').count()).toBe(0)
  await eventually(() => playingSounds(page)).toBe(0)

  await page.context().setOffline(false)
  await page.getByText('Live', { exact: true }).waitFor()
  await alarmRow(page, '101室').waitFor()
  await rings(page)
})

type Process = { pid: number; name: string; parent: number }

const running = (pid: string): Process[] => {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === undefined ? [] : [{ pid: Number(pid), name, parent: Number(parent) }]
  } catch {
    // It ended while it was looked at.
    return []
  }
}

/** The processes of the browser that this test opened: children of this one, and theirs, in whatever order numbered. */
const browserProcesses = (): number[] => {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? running(name) : []))
  const under = (parent: number): Process[] =>
    all.filter((child) => child.parent === parent).flatMap((child) => [child, ...under(child.pid)])
  return under(process.pid).flatMap(({ pid, name }) => (name.startsWith('chrom') ? [pid] : []))
}

const isPage = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')

test('a computer that slept trusts nothing it heard before: it connects and reads anew, and rings', async () => {
  const page = await visit(world().west.staff.safety, '/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().west.devices })
  const again = page.waitForEvent('websocket')
  const asleep = browserProcesses()
  expect(asleep.some(isPage)).toBe(true)
  try {
    for (const pid of asleep) process.kill(pid, 'SIGSTOP')
    fleet.press('WEST-0001')
    await pause(12_000)
  } finally {
    for (const pid of asleep) process.kill(pid, 'SIGCONT')
  }
  await again
  await alarmRow(page, '101室').waitFor()
  await rings(page)
  await page.getByText('Live', { exact: true }).waitFor()
})
