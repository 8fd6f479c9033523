import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Route, WebSocketRoute } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { HEARTBEAT_TIMEOUT_MS } from '../packages/contract/src/live.ts'
import { playingSounds } from './setup/browser.ts'
import { alarmRow, clearDesks, rings, startShift } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'

const { site, world, visit, devices, all, allow } = browserTest({ language: 'en', theme: 'light' })
beforeEach(() => clearDesks(site()))

const DEAF = /^\s*Not live since .*: new alarms may not appear$/

test('shows a stopped server at once, and refetches and rings when it is back', async () => {
  allow(/WebSocket connection/, /ERR_CONNECTION_REFUSED/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/)
  const page = await visit(world().east.staff.safety, '/warn/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().east.devices })
  await site().kill()
  await page.getByRole('alert').getByText(DEAF).waitFor()
  await page
    .getByRole('status')
    .getByText(/^Not live/)
    .waitFor()
  // The desk displays the warning with the age of its queue, and the layout does not repeat it.
  await eventually(() =>
    page
      .getByRole('alert')
      .getByText(/Not live since/)
      .filter({ visible: true })
      .count(),
  ).toBe(1)
  // A disconnected desk must not look quiet.
  for (const words of [/Live since/, 'No open alarms']) await eventually(() => page.getByText(words).count()).toBe(0)

  fleet.press('EAST-0001')
  await site().start()
  await page.getByText('Live', { exact: true }).waitFor()
  await alarmRow(page, '101室').waitFor()
  await rings(page)
  await eventually(() => page.getByText(/Not live since/).count()).toBe(0)
})

test('says since when alarms cannot be stored while the disk is full, and shows the alarm when it has room again', async () => {
  const page = await visit(world().west.staff.safety, '/warn/desk')
  await page.getByText('Live', { exact: true }).waitFor()
  const fleet = await devices({ devices: world().west.devices })
  const band = page.getByRole('alert').getByText(/Alarms cannot be stored since .+ and do not appear here/)
  await eventually(() => band.count()).toBe(0)
  const owner = new pg.Client(site().owner)
  await owner.connect()
  try {
    await owner.query(`
      create function fail_as_full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger full_disk before insert on signal execute function fail_as_full_disk()`)
    fleet.press('WEST-0002')
    await band.waitFor()
    // The connection itself is good, and the page says both. The empty queue does not look quiet.
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Alarms cannot be stored' }).waitFor()
    await eventually(() => page.getByText('No open alarms').count()).toBe(0)
  } finally {
    await owner.query('drop trigger full_disk on signal; drop function fail_as_full_disk()')
    await owner.end()
  }
  await alarmRow(page, '102室').waitFor()
  await eventually(() => band.count()).toBe(0)
})

test('does not look quiet after a reconnect before the queue is refetched, and reports a failed refetch', async () => {
  allow(/ERR_FAILED/)
  const page = await visit(world().east.staff.safety, 'about:blank')
  const sockets = new Set<WebSocketRoute>()
  let cut = false
  await page.routeWebSocket('**/infra/ws', (socket) => {
    if (cut) return void socket.close()
    sockets.add(socket)
    socket.connectToServer()
  })
  await page.goto('/warn/desk')
  await startShift(page)
  await page.getByText(/Live since/).waitFor()
  cut = true
  for (const socket of sockets) await socket.close()
  await page.getByRole('alert').getByText(DEAF).waitFor()
  // From now on requests of the queue stay unanswered until the test answers them.
  const items: Route[] = []
  await page.route('**/warn/record/desk*', (route) => void items.push(route))
  cut = false
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.getByText('Live', { exact: true }).waitFor()
  const warning = page.locator('.desk-deaf')
  const saysNothingFalse = async () => {
    for (const words of [/Live since/, 'No open alarms']) await eventually(() => page.getByText(words).count()).toBe(0)
  }
  await eventually(() => warning.innerText()).toMatch(/Reconnected, loading missed alarms.*Loaded/s)
  await saysNothingFalse()

  // The reconnect aborts the earlier request, possibly before it was sent.
  await eventually(async () => {
    for (const route of items.splice(0)) await route.abort().catch(() => undefined)
    return warning.innerText()
  }).toContain('The queue could not be loaded')
  await saysNothingFalse()

  await page.unroute('**/warn/record/desk*')
  for (const route of items.splice(0)) await route.continue().catch(() => undefined)
  await page.getByText('No open alarms').waitFor()
  await page.getByText(/Live since/).waitFor()
  await eventually(() => warning.count()).toBe(0)
})

type SilenceTimer = { ms: number; end: () => void }
type Timed = Window & { silence: SilenceTimer }

/** Runs in the page before its own scripts: keeps the timer that the connection sets at each heartbeat. */
const keepSilenceTimer = (): void => {
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, message: { name?: string; ms?: number | null }) {
    if (message.name === 'silent' && typeof message.ms === 'number') {
      const end = () => postMessage.call(this, { ...message, ms: 0 })
      Object.assign(window, { silence: { ms: message.ms, end } })
    }
    postMessage.call(this, message)
  }
}

/** Runs in the page: ends the running timer now. @returns the time that it was set to. */
const endSilence = (): number => {
  const { silence } = window as unknown as Timed
  silence.end()
  return silence.ms
}

const openRecords = () => all().selectFrom('warnRecord').select('id').where('open', '=', true).execute()

test('detects a pulled cable without a network event, and misses nothing afterwards', async () => {
  allow(/ERR_INTERNET_DISCONNECTED/, /WebSocket connection/)
  const page = await visit(world().west.staff.safety, 'about:blank')
  await page.addInitScript(keepSilenceTimer)
  await page.goto('/warn/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().west.devices })
  await page.context().setOffline(true)
  fleet.press('WEST-0001')
  await eventually(async () => (await openRecords()).length).toBe(1)
  await eventually(() => alarmRow(page, '101室').count()).toBe(0)
  // The page reports a lost connection after this time without a heartbeat, which the test does not wait for.
  expect(await page.evaluate(endSilence)).toBe(HEARTBEAT_TIMEOUT_MS)
  await page.getByRole('alert').getByText(DEAF).waitFor()
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
    // The process ended during the check.
    return []
  }
}

/** Processes of the browser of this test: child processes of this one and their descendants, in any order of ids. */
const browserProcesses = (): number[] => {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? running(name) : []))
  const under = (parent: number): Process[] =>
    all.filter((child) => child.parent === parent).flatMap((child) => [child, ...under(child.pid)])
  return under(process.pid).flatMap(({ pid, name }) => (name.startsWith('chrom') ? [pid] : []))
}

const isPage = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')

test('reconnects, refetches and rings after the computer slept', async () => {
  const page = await visit(world().west.staff.safety, '/warn/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().west.devices })
  const reconnected = page.waitForEvent('websocket')
  const asleep = browserProcesses()
  expect(asleep.some(isPage)).toBe(true)
  try {
    for (const pid of asleep) process.kill(pid, 'SIGSTOP')
    fleet.press('WEST-0001')
    await pause(12_000)
  } finally {
    for (const pid of asleep) process.kill(pid, 'SIGCONT')
  }
  await reconnected
  await alarmRow(page, '101室').waitFor()
  await rings(page)
  await page.getByText('Live', { exact: true }).waitFor()
})
