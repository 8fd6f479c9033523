import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { demoAccounts } from '../apps/server/seed/demo-data.ts'
import { type Demo, seedDemo } from '../apps/server/seed/demo.ts'
import { openSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import { repoRoot, readConfig } from '../apps/server/src/config.ts'
import { unscoped } from '../apps/server/src/db/scope.ts'
import { deriveKey } from '../apps/server/src/db/master-key.ts'
import { openLog } from '../apps/server/src/log.ts'
import { type RunningServer, startServer } from '../apps/server/src/server.ts'
import { testPrefix } from '../apps/server/test/kill-leftovers.ts'
import { type Fleet, startFleet } from '../tools/simulator/fleet.ts'
import { openBrowser } from './setup/browser.ts'
import { buildWhenStale } from './setup/build.ts'

// `node e2e/picture.ts` writes docs/desk.png: the desk of the demo data with a few alarms of different kinds.

const TARGET = join(repoRoot, 'docs/desk.png')
/** In this room the button is pressed twice; the operator claims the alarm. */
const ROOM = '203室'

const seeded = ({ db, database }: RunningServer): Promise<Demo> => {
  const key = (purpose: string) => deriveKey(database.masterKey, purpose)
  return seedDemo(db, { secrets: key('demo'), http: key('device-http-key') })
}

type DemoName = (typeof demoAccounts)[number]['username']

const signIn = async (
  { db }: RunningServer,
  username: DemoName,
): Promise<{ accessToken: string; refreshToken: string }> => {
  const all = unscoped(db, 'picture')
  const user = await all.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
  return openSession(db, user.id, { ip: '127.0.0.1', userAgent: 'picture', traceId: 'picture' })
}

const alarms = async (fleet: Fleet) => {
  const press = async (...given: Parameters<Fleet['press']>) => {
    fleet.press(...given)
    await pause(300)
  }
  await press('DEMO-S2-01')
  await press('DEMO-S3-12', { code: 'VOICE_ABUSE' })
  fleet.event('DEMO-S3-04', 'BATTERY_LOW')
  await press('DEMO-S2-10', { mode: 'TEST' })
  await press('DEMO-S1-08')
  await press('DEMO-S1-08')
  await press('DEMO-S1-05', { code: 'VOICE_HELP' })
  // The third press within a minute raises the alarm to the highest urgency.
  for (let n = 0; n < 3; n += 1) await press('DEMO-S2-09')
}

/** The station claims the alarm at the gate of the second school. */
const stationActs = async (running: RunningServer) => {
  const { accessToken } = await signIn(running, 'station')
  const act = async (verb: string, body: Record<string, unknown>) => {
    const response = await fetch(`${running.url}/admin-api/warn/record/${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: { version: number } }
    if (code !== 200) throw new Error(`${verb}: ${msg}`)
    return data
  }
  const { id } = await unscoped(running.db, 'picture')
    .selectFrom('warnRecord')
    .select('id')
    .where('placePath', 'like', '%南门%')
    .executeTakeFirstOrThrow()
  const { version } = await act('claim', { id })
  await act('dispatch', { id, version, guards: '民警 罗' })
}

const isSounded = async ({ db }: RunningServer): Promise<boolean> => {
  const found = unscoped(db, 'picture').selectFrom('warnRecord').select('id').where('room', '=', ROOM)
  return (await found.where('soundedAt', 'is not', null).execute()).length > 0
}

/** Actions of an operator within the first half minute. */
const operate = async (page: Page, running: RunningServer, fleet: Fleet) => {
  await page.goto('/warn/desk')
  await page.getByRole('button', { name: '上岗并试听' }).click()
  await page.getByText('声音正常').first().waitFor()
  await alarms(fleet)
  const row = page.getByRole('region', { name: '警情队列' }).getByRole('listitem').filter({ hasText: ROOM })
  await row.getByText('×2').waitFor()
  while (!(await isSounded(running))) await pause(100)
  await row.getByRole('button', { name: /^接\s*警$/ }).click()
  await page.getByRole('button', { name: /^核\s*实/ }).click()
  const form = page.getByRole('region', { name: '核实', exact: true })
  await form.getByText('现场有人，意图不明').click()
  await form.getByLabel('说明').fill('监控可见两名陌生人在门口')
  await form.getByRole('button', { name: /核\s*实$/ }).click()
  await stationActs(running)
  await page.getByText('已完成：核实').waitFor({ state: 'visible' })
  await page.getByText('已完成：核实').waitFor({ state: 'hidden' })
  await page.mouse.move(0, 0)
}

const paint = async (running: RunningServer) => {
  const { fleet: devices } = await seeded(running)
  const credentials = devices.map((device) => ({ ...device, secret: Buffer.from(device.secret, 'base64url') }))
  const fleet = startFleet({ devices: credentials, mqtt: `mqtt://127.0.0.1:${running.mqttPort}` })
  const browser = await openBrowser()
  try {
    await fleet.connected()
    const { accessToken, refreshToken } = await signIn(running, 'command')
    const stored = Object.entries({ ACCESS_TOKEN: accessToken, REFRESH_TOKEN: refreshToken, theme: 'light' })
    const localStorage = stored.map(([name, value]) => ({ name, value }))
    const context = await browser.newContext({
      baseURL: running.url,
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      viewport: { width: 1440, height: 900 },
      storageState: { cookies: [], origins: [{ origin: running.url, localStorage }] },
    })
    const page = await context.newPage()
    await operate(page, running, fleet)
    await page.screenshot({ path: TARGET })
  } finally {
    await browser.close()
    await fleet.stop()
  }
}

buildWhenStale()
const folder = mkdtempSync(join(tmpdir(), testPrefix))
const anyPort = '127.0.0.1:0'
const config = readConfig({
  TOCSIN_DATA: folder,
  TOCSIN_HTTP: anyPort,
  TOCSIN_MQTT: anyPort,
  TOCSIN_OPS: anyPort,
  TOCSIN_ADMIN_PASSWORD: randomBytes(12).toString('base64url'),
})
const running = await startServer(config, openLog('warn'), () => undefined)
try {
  await paint(running)
  console.log(`${TARGET} is painted.`)
} finally {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
}
