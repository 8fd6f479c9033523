import { localStamp } from '@tocsin/contract/time-zone'
import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import { randomBytes } from 'node:crypto'
import type { Locator, Route } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import type { Credential } from '../tools/simulator/fleet-file.ts'
import type { Receipt } from '../tools/simulator/outbox.ts'
import { follow, openInside } from './appearance.ts'
import {
  alarmRow,
  clickDisabledVerb,
  claim,
  clearDesks,
  detail,
  isQuiet,
  submitVerb,
  queue,
  recordAt,
  rings,
  showsMilestones,
  startShift,
  verb,
} from './desk.ts'
import { playingSounds } from './setup/browser.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { button, row } from './page-actions.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

const { site, world, visit, devices, all, allow } = browserTest({ language: 'zh-cn', theme: 'dark' })
beforeEach(() => clearDesks(site()))

test('rings only at the desks of the school and of its police when a button is pressed', async () => {
  const school = await visit(world().east.staff.safety, '/warn/desk')
  const police = await visit(world().station, '/warn/desk')
  const other = await visit(world().west.staff.safety, '/warn/desk')
  await Promise.all([school, police, other].map((page) => startShift(page)))
  const fleet = await devices({ devices: [...world().east.devices, ...world().west.devices] })

  fleet.press('EAST-0001')
  for (const page of [school, police]) {
    await alarmRow(page, '101室').getByText('待接警').waitFor()
    await alarmRow(page, '101室').getByText(EAST_SCHOOL).waitFor()
    await page.getByText('1 起警情待接警').waitFor()
    await rings(page)
    await eventually(() => page.title()).toContain('【1 起待接警】')
  }
  // Signals are ordered: once the later press is displayed, an earlier one would be displayed as well.
  fleet.press('WEST-0002')
  await alarmRow(other, '102室').waitFor()
  await eventually(() => queue(other).getByRole('listitem').count()).toBe(1)
  await eventually(() => queue(school).getByRole('listitem').count()).toBe(1)
})

test('claims, verifies, dispatches, resolves, and closes an alarm by a second person', async () => {
  const stages: Receipt['stage'][] = []
  const fleet = await devices({ devices: world().east.devices, onReceipt: ({ stage }) => stages.push(stage) })
  const page = await visit(world().east.staff.safety, '/warn/desk')
  await startShift(page)
  fleet.press('EAST-0002')
  await alarmRow(page, '102室').waitFor()
  await rings(page)
  // The page reports with its next heartbeat what it displayed and sounded.
  await eventually(async () => (await recordAt(site(), '102室')).soundedAt).not.toBe(null)

  await claim(page, '102室')
  await alarmRow(page, '102室').getByText('已接警', { exact: true }).waitFor()
  await alarmRow(page, '102室')
    .getByText(/我 已接警/)
    .waitFor()
  await eventually(() => stages).toContain('claimed')
  await eventually(() => verb(page, '处置完成').getAttribute('aria-disabled')).toBe('true')

  await submitVerb(page, '核实', async (form) => {
    await form.getByText('现场有人，意图不明').click()
    await form.getByLabel('说明').fill('监控可见两名陌生人')
  })
  await submitVerb(page, '派人', (form) =>
    form.getByRole('checkbox', { name: new RegExp(world().east.staff.guard.nickname) }).check(),
  )
  await alarmRow(page, '102室').getByText('处置中').waitFor()
  await verb(page, '到场').click()
  await eventually(() => stages).toEqual(['accepted', 'claimed', 'dispatched', 'onsite'])

  // GB 50394: a person must reset the device by hand before the alarm can end.
  await clickDisabledVerb(page, '处置完成')
  await page.getByText('紧急报警须先在设备上手动复位').first().waitFor()
  fleet.event('EAST-0002', 'MANUAL_RESET')
  await eventually(() => verb(page, '处置完成').getAttribute('aria-disabled')).not.toBe('true')
  await submitVerb(page, '处置完成', async (form) => {
    await form.getByText('属实，已处置').click()
    await form.getByLabel('说明').fill('已劝离，家长接回')
  })
  await eventually(() => stages).toContain('closed')

  await detail(page).getByText('待审核').first().waitFor()
  await clickDisabledVerb(page, '结案')
  await page.getByText('须由另一人确认').first().waitFor()
  await eventually(async () => (await recordAt(site(), '102室')).state).toBe('RESOLVED')

  const second = await visit(world().east.staff.head, '/warn/desk')
  await second.getByText('待审核 1').click()
  await alarmRow(second, '102室').click()
  await submitVerb(second, '结案', (form) => form.getByLabel('说明').fill('记录完整'))
  await eventually(async () => (await recordAt(site(), '102室')).state).toBe('CLOSED')
  await detail(second).getByText('已结案').first().waitFor()

  await showsMilestones(second, ['接收时间', '显示时间', '响铃时间', '接警时间', '核实时间', '派人时间', '到场时间'])
  await showsMilestones(second, ['处置完成时间', '结案时间'])
  for (const entry of ['接警', '核实', '派人', '到场', '处置完成', '结案'])
    await detail(second).getByRole('listitem').filter({ hasText: entry }).first().waitFor()
  await detail(second).getByText('监控可见两名陌生人').first().waitFor()
})

test('shows duress to the responding officer and to the station that claims the alarm', async () => {
  const { id: schoolId, deptId } = world().east
  const person = { username: 'officer.east', nickname: '民警 陈' }
  const station = all().selectFrom('users').select('deptId').where('id', '=', world().station.id)
  const police = (await station.executeTakeFirstOrThrow()).deptId
  const { id } = await makeUser(site().db, { ...person, roles: ['officer'], deptId: police })
  await makeRecord(site().db, { deptId, schoolId, room: '303室', duress: true })
  for (const item of [world().station, { id, ...person }]) {
    const page = await visit(item, '/warn/desk')
    await alarmRow(page, '303室').getByText('胁迫').waitFor()
  }
})

test('counts a second press on a claimed alarm, and shows a press that arrives while the queue is loaded for the first time', async () => {
  const fleet = await devices({ devices: world().east.devices })
  const page = await visit(world().east.staff.guard, '/warn/desk')
  await startShift(page)
  fleet.press('EAST-0004')
  await alarmRow(page, '保安室').waitFor()
  fleet.press('EAST-0004')
  await alarmRow(page, '保安室').getByText('×2').waitFor()
  await eventually(() => alarmRow(page, '保安室').count()).toBe(1)

  await claim(page, '保安室')
  await alarmRow(page, '保安室').getByText('已接警', { exact: true }).waitFor()
  await detail(page).getByText('信号（2）').waitFor()
  // The detail must not lag behind the queue when one of its requests never gets an answer.
  await page.route('**/warn/record/get?*', () => {}, { times: 1 })
  fleet.press('EAST-0004')
  await alarmRow(page, '保安室').getByText('×3').waitFor()
  await alarmRow(page, '保安室').getByText('已接警', { exact: true }).waitFor()
  await eventually(() => alarmRow(page, '保安室').count()).toBe(1)
  await detail(page).getByText('信号（3）').waitFor()

  const released = Promise.withResolvers<void>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => String(payload).includes('alarm.raised') && released.resolve()),
  )
  const answerOfBefore = async (route: Route) => {
    const response = await route.fetch()
    await page.getByText('实时', { exact: true }).waitFor()
    fleet.press('EAST-0001')
    await released.promise
    await route.fulfill({ response })
  }
  await page.route('**/warn/record/desk', answerOfBefore, { times: 1 })
  await page.reload()
  await alarmRow(page, '101室').waitFor()
})

test('keeps ringing on another screen until somebody claims the alarm', async () => {
  const fleet = await devices({ devices: world().west.devices })
  const page = await visit(world().west.staff.safety, '/warn/desk')
  await startShift(page)
  fleet.press('WEST-0004', { mode: 'TEST' })
  await alarmRow(page, '保安室').waitFor()
  fleet.press('WEST-0003')
  await alarmRow(page, '103室').waitFor()
  await follow(page, '学校', '学校')
  const banner = page.getByRole('alert').filter({ hasText: '2 起警情待接警' })
  // The banner names the real alarm, although the test alarm came first.
  await banner.getByText('103室').waitFor()
  await rings(page)
  // The banner stays visible when the page is scrolled.
  await page.locator('.layout').evaluate((frame: HTMLElement) => {
    frame.style.minHeight = '400vh'
    scrollTo(0, 1500)
  })
  await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  await eventually(async () => (await banner.boundingBox())?.y).toBeGreaterThanOrEqual(0)

  await button(banner, '去接警台').click()
  await claim(page, '103室')
  await claim(page, '保安室')
  await page.getByText('没有待接警警情').waitFor()
  await isQuiet(page)
  await eventually(() => playingSounds(page)).toBe(0)
})

test('warns when a desk makes no sound, and marks a test alarm while it rings like a real one', async () => {
  const fleet = await devices({ devices: world().west.devices })
  const page = await visit(world().west.staff.head, '/warn/desk')
  const silent = page.getByRole('alert').getByText('声音未开启：有警情时本席不会响铃')
  await silent.waitFor()
  // Simulates a browser that blocks sound.
  await page.evaluate(() => {
    Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended', configurable: true })
  })
  await page.getByRole('button', { name: '上岗并试听' }).click()
  const blocked = page.getByRole('alert').getByText('声音被浏览器或系统停止')
  await blocked.waitFor()
  // In one step: the page checks its sound each second, and removes the button as soon as the sound works again.
  await button(page, '恢复声音并试听').evaluate((element: HTMLElement) => {
    Reflect.deleteProperty(AudioContext.prototype, 'state')
    element.click()
  })
  await page.getByText('声音正常').first().waitFor()
  await blocked.waitFor({ state: 'detached' })
  await isQuiet(page)
  const volume = page.getByRole('slider', { name: '音量' })
  const before = Number(await volume.getAttribute('aria-valuenow'))
  await volume.press('ArrowLeft')
  await eventually(async () => Number(await volume.getAttribute('aria-valuenow'))).toBeLessThan(before)
  const icon = () => page.locator('link[rel~=icon]').getAttribute('href')
  await eventually(() => icon()).toBe('/favicon.svg')

  fleet.press('WEST-0004', { mode: 'TEST' })
  await queue(page).getByText('测试 · 由设备上报，请核实').waitFor()
  await alarmRow(page, '保安室').click()
  await detail(page).getByText('测试 · 由设备上报，请核实').waitFor()
  await rings(page)
  await eventually(icon).toMatch(/^data:image\/svg\+xml,.*%3E1%3C/)

  await page.reload()
  await page.getByRole('alert').getByText('页面已重新载入，声音已停止').waitFor()
  await startShift(page, { ringing: true })
  await rings(page)
})

test('rings for a message that cannot be parsed, and shows the raw message and the error', async () => {
  const page = await visit(world().east.staff.safety, '/warn/desk')
  await startShift(page)
  const [, , { secret, ...address }] = world().east.devices as [Credential, Credential, Credential]
  const path = '/device-api/v1/alarms'
  const body = Buffer.from('{"eventId":"newer-firmware-0001","help":!')
  const nonce = randomBytes(16).toString('base64url')
  const headers = signedHeaders(httpKey(secret), address, Date.now(), { method: 'POST', path, nonce, body })
  const answer = await fetch(`${site().url}${path}`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ stage: 'accepted', eventId: 'newer-firmware-0001' })
  await alarmRow(page, '103室').getByText('无法解析的报警').waitFor()
  await rings(page)
  const shown = async (place: Locator) => {
    for (const words of ['不是 JSON', body.toString()]) await place.getByText(words).first().waitFor()
  }
  await alarmRow(page, '103室').locator('.desk-row-open').click()
  await shown(detail(page))
  const { id, no } = await recordAt(site(), '103室')
  await openInside(page, `/warn/record?record=${id}`)
  await page.getByRole('dialog').getByText(no).first().waitFor()
  await shown(page.getByRole('dialog'))
})

test('shows the server time in any time zone, reports a missing record once, shows the age of a record when a refetch fails, and hides a record that is no longer visible', async () => {
  allow(/record\/get/)
  const { east, west } = world()
  const { no, firstAt } = await makeRecord(site().db, { deptId: east.deptId, schoolId: east.id })
  const page = await visit(east.staff.head, '/warn/record', { timezoneId: 'Pacific/Kiritimati' })
  await row(page, no).getByText(localStamp(firstAt)).waitFor()

  await openInside(page, '/warn/record?record=999999999')
  await page.getByRole('dialog').getByText('警情不存在').waitFor()
  await eventually(() => page.getByText('警情不存在').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  const { id } = await makeRecord(site().db, { deptId: east.deptId, schoolId: east.id, schoolName: EAST_SCHOOL })
  await openInside(page, `/warn/record?record=${id}`)
  const sheet = page.getByRole('dialog')
  await sheet.getByText(EAST_SCHOOL).waitFor()
  const fleet = await devices({ devices: east.devices })

  await page.route('**/warn/record/get**', (route) =>
    route.fulfill({ status: 503, json: { code: 503, msg: '', data: null } }),
  )
  // Any event makes the page refetch.
  fleet.press('EAST-0001')
  await sheet.getByText(/^刷新失败，显示的是/).waitFor()
  await eventually(() => sheet.getByText(EAST_SCHOOL).count()).toBe(1)

  await page.unroute('**/warn/record/get**')
  const elsewhere = { schoolId: west.id, deptId: west.deptId }
  await all().updateTable('warnRecord').set(elsewhere).where('id', '=', id).execute()
  fleet.press('EAST-0002')
  await sheet.getByText('警情不存在').waitFor()
  await eventually(() => sheet.getByText(EAST_SCHOOL).count()).toBe(0)
})
