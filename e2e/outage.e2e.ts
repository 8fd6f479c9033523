import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { heard } from './stage/browser.ts'
import { alarm, clearDesks, rings, startShift } from './desk.ts'
import { soon, stage } from './stage/stage.ts'

const { site, world, visit, devices, allow } = stage({ language: 'en', theme: 'light' })
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
  await soon(() =>
    page
      .getByRole('alert')
      .getByText(/Not live since/)
      .filter({ visible: true })
      .count(),
  ).toBe(1)
  // A desk that cannot hear must not look quiet.
  for (const words of [/Live since/, 'No open alarms']) await soon(() => page.getByText(words).count()).toBe(0)

  fleet.press('EAST-0001')
  await site().start()
  await page.getByText('Live', { exact: true }).waitFor()
  await alarm(page, '101室').waitFor()
  await rings(page)
  await soon(() => page.getByText(/Not live since/).count()).toBe(0)
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
  await soon(() => alarm(page, '101室').count()).toBe(0)
  await soon(() => heard(page)).toBe(0)

  await page.context().setOffline(false)
  await page.getByText('Live', { exact: true }).waitFor()
  await alarm(page, '101室').waitFor()
  await rings(page)
})

/** The processes of the browser that this test opened: children of this one, and theirs. */
const browserProcesses = (): number[] => {
  const family = new Set([process.pid])
  const found: number[] = []
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
  for (const pid of pids.sort((a, b) => a - b)) {
    try {
      const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      if (!family.has(Number(parent))) continue
      family.add(pid)
      if (name.startsWith('chrom')) found.push(pid)
    } catch {
      // It ended while it was looked at.
    }
  }
  return found
}

test('a computer that slept trusts nothing it heard before: it connects and reads anew, and rings', async () => {
  const page = await visit(world().west.staff.safety, '/desk')
  await startShift(page)
  const fleet = await devices({ devices: world().west.devices })
  const again = page.waitForEvent('websocket')
  const asleep = browserProcesses()
  expect(asleep.length).toBeGreaterThan(1)
  try {
    for (const pid of asleep) process.kill(pid, 'SIGSTOP')
    fleet.press('WEST-0001')
    await pause(12_000)
  } finally {
    for (const pid of asleep) process.kill(pid, 'SIGCONT')
  }
  await again
  await alarm(page, '101室').waitFor()
  await rings(page)
  await page.getByText('Live', { exact: true }).waitFor()
})
