import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { makeRecord, type RecordDraft } from '../apps/server/seed/record-fixtures.ts'
import { alarmRow, claim, clearDesks, detail, submitVerb, queue, recordAt, verb } from './desk.ts'
import { openInside } from './appearance.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, selectOption } from './page-actions.ts'

// Filters of the desk, its signals in other tabs, and its display of missing data.

const { site, world, visit, all } = browserTest({ language: 'zh-cn', theme: 'light' })
beforeEach(() => clearDesks(site()))

const made = async (room: string, more: Partial<RecordDraft> = {}, school: 'east' | 'west' = 'east') => {
  const { id: schoolId, deptId } = world()[school]
  const schoolName = school === 'east' ? EAST_SCHOOL : WEST_SCHOOL
  const record = await makeRecord(site().db, { deptId, schoolId, schoolName, room, level: 2, ...more })
  await emitEvents(site().db, { type: 'alarm.changed', ref: record.id, deptId, schoolId })
  return record
}
const rooms = (page: Page) => eventually(async () => (await queue(page).locator('.desk-place').allInnerTexts()).sort())
const sheet = async (page: Page, room: string) => {
  await alarmRow(page, room).locator('.desk-row-open').click()
  await detail(page).getByRole('heading', { name: room }).waitFor()
}

test('filters by state, level, school and class, stores the filter, and explains an empty result; continues a long closed alarm in a new record', async () => {
  const owned = { state: 'HANDLING', ownerId: world().operator.id, claimedAt: new Date() } as const
  await made('501室', { level: 1 })
  await made('502室', owned)
  await made('503室', { class: 'VOICE', code: 'VOICE_HELP', level: 3 }, 'west')
  await made('504室', { class: 'DEVICE_HEALTH', code: 'LOW_BATTERY', level: 4 }, 'west')
  const page = await visit(world().lead, '/warn/desk')
  const all = ['501室', '502室', '503室', '504室']
  await rooms(page).toEqual(all)
  const filter = async (...chosen: [field: string, words: string][]) => {
    await button(page, '筛选').click()
    for (const [field, words] of chosen) {
      const label = page.locator('.desk-choices label').filter({ has: page.getByText(field, { exact: true }) })
      await selectOption(page, label.locator('.ant-select'), words)
      await page.keyboard.press('Escape')
      await page.locator('.ant-select-dropdown:visible').waitFor({ state: 'detached' })
      await page.locator('.desk-choices .ant-select-open').waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Escape')
    await page.locator('.desk-choices').waitFor({ state: 'hidden' })
  }
  const says = (n: number) => page.getByRole('status').getByText(`${n} 起被筛选隐藏`).waitFor()
  const showAll = async () => {
    await button(queue(page).getByRole('status'), '全部显示').click()
    await rooms(page).toEqual(all)
  }

  await filter(['状态', '处置中'])
  await rooms(page).toEqual(['502室'])
  await says(3)
  await showAll()
  await filter(['级别', '一级'], ['级别', '三级'])
  await rooms(page).toEqual(['501室', '503室'])
  await page.reload()
  await rooms(page).toEqual(['501室', '503室'])
  await says(2)
  await showAll()
  await filter(['学校', WEST_SCHOOL])
  await rooms(page).toEqual(['503室', '504室'])
  await filter(['类别', '设备异常'])
  await rooms(page).toEqual(['504室'])
  await says(3)
  // Filters combine; an empty result must not look like a quiet desk.
  await filter(['状态', '处置中'])
  await queue(page).getByRole('heading', { name: '4 起待处理警情全部被筛选隐藏' }).waitFor()
  await eventually(() => page.getByText('没有待处理警情').count()).toBe(0)
  await button(page.locator('.desk-quiet'), '全部显示').click()
  await rooms(page).toEqual(all)

  const week = 7 * 86_400_000
  const [at, closedAt] = [new Date(Date.now() - 2 * week), new Date(Date.now() - week - 60_000)]
  const old = await made('512室', {
    state: 'CLOSED',
    firstAt: at,
    receivedAt: at,
    resolvedAt: at,
    closedAt,
    resetAt: at,
  })
  await openInside(page, `/warn/desk?id=${old.id}`)
  await verb(page, '重新打开').click()
  const form = page.getByRole('region', { name: '重新打开', exact: true })
  await form.getByText('结案未超过 7 天的，在本警情上继续；更早的，产生一起与其关联的新警情').waitFor()
  await form.getByLabel('理由').fill('家长来电')
  await button(form, '重新打开').click()
  await eventually(() => new URL(page.url()).searchParams.get('id')).not.toBe(String(old.id))
  await detail(page).getByRole('heading', { name: '512室' }).waitFor()
  await detail(page).getByText('处置中').first().waitFor()
  await detail(page).getByText(old.no).first().waitFor()
})

test('reports an alarm hidden by the filter as displayed only when its detail panel is open', async () => {
  const guard = world().east.staff.guard
  const hides = JSON.stringify({ state: [], level: ['1'], class: [], mode: [], schoolId: [] })
  const page = await visit(guard, 'about:blank')
  const kept = [`deskFilter.${guard.id}`, hides] as const
  await page.addInitScript(([key, filter]) => localStorage.setItem(key, filter), kept)
  await page.goto('/warn/desk')
  const { id } = await made('514室')
  await queue(page).getByRole('heading', { name: '1 起待处理警情全部被筛选隐藏' }).waitFor()
  const displayedAt = async () => (await recordAt(site(), '514室')).displayedAt
  expect(await displayedAt()).toBeNull()
  await openInside(page, `/warn/desk?id=${id}`)
  await detail(page).getByRole('heading', { name: '514室' }).waitFor()
  await eventually(displayedAt).not.toBeNull()
})

test('flashes the title and counts in the icon until somebody claims the alarm, then restores both; lists every key in the help', async () => {
  for (const room of ['505室', '506室']) await made(room)
  const page = await visit(world().east.staff.guard, '/warn/desk', { reducedMotion: 'no-preference' })
  const title = () => eventually(() => page.title())
  const icon = () => page.locator('link[rel~="icon"]').getAttribute('href')
  const calm = '接警台 - 校警联'
  for (const shown of [`【2 起待接警】 ${calm}`, calm, `【2 起待接警】 ${calm}`]) await title().toBe(shown)
  await eventually(() => icon()).toMatch(/^data:image\/svg.*%3E2%3C/)
  await claim(page, '505室')
  for (const shown of [`【1 起待接警】 ${calm}`, calm]) await title().toBe(shown)
  await eventually(() => icon()).toMatch(/^data:image\/svg.*%3E1%3C/)
  await claim(page, '506室')
  await eventually(icon).not.toMatch(/%3E\d+%3C/)
  await eventually(() => page.title()).toBe(calm)

  await page.getByRole('button', { name: '键盘操作' }).click()
  const help = page.getByRole('dialog', { name: '键盘操作' })
  await help.locator('dl').waitFor()
  const lines = await help.locator('dl > div').allInnerTexts()
  expect(lines.map((line) => line.replaceAll(/\s+/g, ''))).toEqual([
    'J↓下一起',
    'K↑上一起',
    'N下一起待接警',
    'G我的警情',
    'C接警',
    'V核实',
    'D派人',
    'E转警方',
    'R处置完成',
    'F标记误报',
    'M备注',
    '/筛选',
    '?键盘操作',
    'Esc关闭、返回',
  ])
})

test('updates the age of an alarm while no events arrive', async () => {
  const page = await visit(world().east.staff.guard, 'about:blank')
  await page.clock.install()
  await page.goto('/warn/desk')
  await made('513室', { receivedAt: new Date(Date.now() - 30_000) })
  await alarmRow(page, '513室').waitFor()
  const age = async () => {
    const [minutes = 0, seconds = 0] = (await alarmRow(page, '513室').locator('.desk-age').innerText())
      .split(':')
      .map(Number)
    return minutes * 60 + seconds
  }
  await eventually(age).toBeGreaterThanOrEqual(30)
  const before = await age()
  await page.clock.runFor(20_000)
  await eventually(age).toBeGreaterThanOrEqual(before + 20)
})

test('rings again at the hour of a shelved alarm even when the event arrives late', async () => {
  const health = { class: 'DEVICE_HEALTH', code: 'LOW_BATTERY', level: 4 } as const
  const { id } = await made('507室', health)
  await made('508室', { ...health, shelvedUntil: new Date(Date.now() - 1000) })
  const page = await visit(world().east.staff.guard, 'about:blank')
  // The hour comes for the server too: each of its answers would otherwise set the clock of the desk back before it.
  let passedMs = 0
  await page.route('**/warn/record/desk', async (route) => {
    const response = await route.fetch()
    const answer: { data: { now: number } } = await response.json()
    answer.data.now += passedMs
    await route.fulfill({ response, json: answer })
  })
  await page.clock.install()
  await page.goto('/warn/desk')
  const row = (shelved: boolean) => page.locator(`.desk-row[data-shelved="${shelved}"][data-due="${!shelved}"]`)
  for (const room of ['507室', '508室']) await row(false).filter({ hasText: room }).waitFor()
  const { deptId, id: schoolId } = world().east
  await all()
    .updateTable('warnRecord')
    .set({ shelvedUntil: new Date(Date.now() + 300_000) })
    .where('id', '=', id)
    .execute()
  await emitEvents(site().db, { type: 'alarm.changed', ref: id, deptId, schoolId })
  await row(true).filter({ hasText: '507室' }).getByText('搁置至').waitFor()
  // Its event and the end of the shelf in its answers do not.
  passedMs = 301_000
  await page.clock.fastForward(passedMs)
  await row(false).filter({ hasText: '507室' }).waitFor()
  await eventually(() => queue(page).getByText('搁置至').count()).toBe(0)
})

test('shows the list of colleagues while it loads, and field errors in the language chosen after they appeared', async () => {
  const { safety, guard } = world().east.staff
  await made('509室', {
    state: 'CLAIMED',
    ownerId: safety.id,
    claimedAt: new Date(),
    leaseUntil: new Date(Date.now() + 60_000),
  })
  const page = await visit(safety, '/warn/desk')
  let answer: (() => void) | undefined
  const value = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/warn/record/assignees*', async (route) => {
    await value
    await route.continue()
  })
  await sheet(page, '509室')
  await verb(page, '转交').click()
  await detail(page).getByRole('region', { name: '转交', exact: true }).locator('.ant-select').click()
  const list = page.locator('.ant-select-dropdown:visible')
  await list.getByText('正在加载').waitFor()
  answer?.()
  await list.getByTitle(guard.nickname, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })

  await made('511室', { state: 'HANDLING', ownerId: safety.id })
  await sheet(page, '511室')
  await verb(page, '备注').click()
  await detail(page).getByRole('region', { name: '备注', exact: true }).locator('[type=submit]').click()
  await detail(page).getByText('该项为必填项').waitFor()
  await page.evaluate(() => {
    localStorage.setItem('language', 'en')
    dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: 'en' }))
  })
  const message = page.getByRole('region', { name: 'Note', exact: true }).locator('.ant-form-item-explain-error')
  await eventually(() => message.allInnerTexts()).toEqual(['This is required'])
})

test('retries a detail panel whose requests fail', async () => {
  const { safety, guard } = world().east.staff
  await made('510室', {
    state: 'CLAIMED',
    ownerId: safety.id,
    claimedAt: new Date(),
    leaseUntil: new Date(Date.now() + 60_000),
  })
  const [page, other] = [await visit(guard, '/warn/desk'), await visit(safety, '/warn/desk')]
  for (const tab of [page, other]) await sheet(tab, '510室')
  await detail(page).getByText('时间线').waitFor()
  let lost = 0
  await page.route('**/warn/record/get?*', async (route) => {
    lost += 1
    // The first requests never get an answer, as on a network that loses packets.
    if (lost > 2) await route.continue()
  })
  await submitVerb(other, '核实', (form) => form.getByLabel('现场有人，意图不明').check())
  await alarmRow(page, '510室').waitFor()
  await detail(page).getByRole('listitem').filter({ hasText: '核实' }).first().waitFor()
  expect(lost).toBeGreaterThan(2)
})
