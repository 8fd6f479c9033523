import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { makeRecord, type RecordDraft } from '../apps/server/seed/record-fixtures.ts'
import {
  alarmRow,
  clickDisabledVerb,
  claim,
  clearDesks,
  detail,
  submitVerb,
  queue,
  recordAt,
  rings,
  startShift,
  verb,
} from './desk.ts'
import { setPreferences } from './appearance.ts'
import { startedSounds } from './setup/browser.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, selectOption } from './page-actions.ts'

// What people do at the desk beyond the straight way of a call, and what the desks beside them see and hear of it.

const { site, world, visit, all } = browserTest({ language: 'zh-cn', theme: 'dark' })
beforeEach(() => clearDesks(site()))

/** An alarm of the first school, of a level whose steps of time do not come within a test. */
const made = (room: string, more: Partial<RecordDraft> = {}) => {
  const { id: schoolId, deptId } = world().east
  return makeRecord(site().db, { deptId, schoolId, schoolName: EAST_SCHOOL, room, level: 2, ...more })
}
const openAt = async (page: Page, room: string) => {
  await alarmRow(page, room).locator('.desk-row-open').click()
  await detail(page).getByRole('heading', { name: room }).waitFor()
}
const entry = (page: Page, ...words: string[]): Locator =>
  words.reduce((found, hasText) => found.filter({ hasText }), detail(page).getByRole('listitem')).first()
/** Sends a verb's form as it is, and answers what is said at its fields. */
const refusedAt = async (page: Page, words: string): Promise<string[]> => {
  await verb(page, words).click()
  const form = page.getByRole('region', { name: words, exact: true })
  await form.locator('[type=submit]').click()
  const wrong = form.locator('.ant-form-item-explain-error')
  await wrong.first().waitFor()
  const texts = await wrong.allInnerTexts()
  await button(form, '取消').click()
  return texts
}
/** Does `act`, after which this desk sounds though nothing waits for anybody there. */
const heardAt = async (page: Page, act: () => Promise<unknown>) => {
  const before = await startedSounds(page)
  await act()
  await eventually(() => startedSounds(page)).toBeGreaterThan(before)
}
const reason = (text: string) => (form: Locator) => form.getByLabel('理由').fill(text)

test('noted, given to a colleague, escalated, sent back by the police, resolved, and not accepted by the lead', async () => {
  const { safety, guard } = world().east.staff
  await made('201室', { resetAt: new Date() })
  const [owner, second, station, lead] = await Promise.all(
    [safety, guard, world().station, world().lead].map((person) => visit(person, '/desk')),
  )
  if (!owner || !second || !station || !lead) throw new Error('four desks')
  await claim(owner, '201室')
  await alarmRow(station, '201室').getByText(`${safety.nickname} 已接警`).waitFor()
  await Promise.all([second, station].map((page) => startShift(page)))
  await openAt(station, '201室')

  expect(await refusedAt(owner, '备注')).toEqual(['该项为必填项'])
  await submitVerb(owner, '备注', (form) => form.getByLabel('说明').fill('走廊监控正常'))
  await entry(station, '备注', '走廊监控正常', safety.nickname).waitFor()

  await submitVerb(owner, '转交', async (form) => {
    await selectOption(owner, form.locator('.ant-select'), guard.nickname)
    await form.getByLabel('理由').fill('由保安到现场')
  })
  await alarmRow(second, '201室')
    .getByText(/我 已接警/)
    .waitFor()
  await alarmRow(station, '201室').getByText(`${guard.nickname} 已接警`).waitFor()
  await entry(station, '转交', `转交给：${guard.nickname}`, '由保安到现场').waitFor()
  await eventually(() => verb(owner, '转警方').getAttribute('aria-disabled')).toBe('true')

  await openAt(second, '201室')
  expect(await refusedAt(second, '转警方')).toEqual(['该项为必填项'])
  await heardAt(station, () => submitVerb(second, '转警方', reason('有人持械')))
  await alarmRow(station, '201室').getByText('警方处置中').waitFor()
  await entry(station, '转警方', '有人持械', guard.nickname).waitFor()

  await openAt(lead, '201室')
  await heardAt(second, () => submitVerb(lead, '退回学校', reason('警力由学校自行处置')))
  await alarmRow(second, '201室').getByText('处置中').waitFor()
  await entry(second, '退回学校', '警力由学校自行处置').waitFor()
  await verb(second, '到场').click()
  await entry(station, '到场', guard.nickname).waitFor()
  await submitVerb(second, '处置完成', async (form) => {
    await form.getByText('属实，已处置').click()
    await form.getByLabel('说明').fill('已带离')
  })

  await alarmRow(lead, '201室').waitFor({ state: 'detached' })
  expect(await refusedAt(lead, '退回重办')).toEqual(['该项为必填项'])
  await heardAt(second, () => submitVerb(lead, '退回重办', reason('缺少现场照片')))
  await alarmRow(second, '201室').getByText(`处理人 我`).waitFor()
  await entry(station, '退回重办', '缺少现场照片', world().lead.nickname).waitFor()
  await eventually(() => recordAt(site(), '201室')).toMatchObject({
    state: 'HANDLING',
    ownerId: guard.id,
    resolverId: null,
  })
})

test('called false by one: a second one refuses it, then another time agrees', async () => {
  const { safety, head } = world().east.staff
  await made('202室', { resetAt: new Date() })
  const owner = await visit(safety, '/desk')
  const second = await visit(head, '/desk')
  await claim(owner, '202室')
  await openAt(second, '202室')
  expect(await refusedAt(owner, '标记误报')).toEqual(['该项为必填项', '该项为必填项'])
  const propose = () =>
    submitVerb(owner, '标记误报', async (form) => {
      await form.getByText('误触', { exact: true }).click()
      await form.getByLabel('说明').fill('学生书包碰到')
    })
  await propose()
  const mark = alarmRow(second, '202室').getByText(`${safety.nickname} 提出误报，待另一人确认`)
  await mark.waitFor()
  await clickDisabledVerb(owner, '确认误报')
  await owner.getByText('须由另一人确认').first().waitFor()
  await eventually(async () => (await recordAt(site(), '202室')).state).toBe('CLAIMED')

  expect(await refusedAt(second, '不认可')).toEqual(['该项为必填项'])
  await submitVerb(second, '不认可', reason('监控看到有人奔跑'))
  await mark.waitFor({ state: 'detached' })
  await entry(owner, '不认可', '监控看到有人奔跑', head.nickname).waitFor()

  await propose()
  await mark.waitFor()
  await verb(second, '确认误报').click()
  await alarmRow(owner, '202室').waitFor({ state: 'detached' })
  await entry(owner, '确认误报', head.nickname).waitFor()
  await detail(owner).getByText('已处置完成，等待审核').waitFor()
  const ended = { state: 'RESOLVED', falseBy: safety.id, resolverId: head.id, disposition: 'FALSE_ACCIDENTAL' }
  await eventually(() => recordAt(site(), '202室')).toMatchObject(ended)
})

test('what nobody came to is taken over, and one of two calls for the same thing is merged into it', async () => {
  const { guard, safety } = world().east.staff
  await made('203室', { state: 'ESCALATED', escalatedAt: new Date() })
  const owner = await visit(safety, '/desk')
  const other = await visit(guard, '/desk')
  await startShift(other, { ringing: true })
  await rings(other)
  await button(alarmRow(owner, '203室'), '接手').click()
  await alarmRow(owner, '203室').getByText('处理人 我').waitFor()
  await alarmRow(other, '203室').getByText(`处理人 ${safety.nickname}`).waitFor()
  await openAt(other, '203室')
  await entry(other, '接手', safety.nickname).waitFor()

  const target = await recordAt(site(), '203室')
  const child = await made('204室', { level: 1 })
  await owner.reload()
  await claim(owner, '204室')
  expect(await refusedAt(owner, '合并')).toEqual(['该项为必填项'])
  await submitVerb(owner, '合并', (form) =>
    selectOption(owner, form.locator('.ant-select'), `${target.no}  203室 · 紧急报警`),
  )
  await entry(other, '其他警情并入', child.no, safety.nickname).waitFor()
  await entry(other, '提高级别').waitFor()
  await alarmRow(other, '203室').getByText('一级').waitFor()
  await detail(owner).getByText('已处置完成，等待审核').waitFor()
  await eventually(() => alarmRow(owner, '204室').count()).toBe(0)
  await detail(owner).getByRole('link', { name: target.no }).click()
  await detail(owner).getByRole('heading', { name: '203室' }).waitFor()
  await eventually(() => recordAt(site(), '204室')).toMatchObject({ disposition: 'DUPLICATE', mergedIntoId: target.id })
})

test('put aside by a lead with the hour of its return, in sight of all and silent, and called back', async () => {
  await made('205室', { class: 'DEVICE_HEALTH', code: 'TAMPER' })
  const lead = await visit(world().east.staff.head, '/desk')
  const other = await visit(world().east.staff.guard, '/desk')
  await startShift(other, { ringing: true })
  await rings(other)
  await openAt(lead, '205室')
  await openAt(other, '205室')
  await eventually(() => verb(other, '搁置').count()).toBe(0)
  expect(await refusedAt(lead, '搁置')).toEqual(['该项为必填项', '该项为必填项'])
  await submitVerb(lead, '搁置', async (form) => {
    await form.getByText('30 分钟').click()
    await form.getByLabel('理由').fill('等待维修')
  })
  await alarmRow(other, '205室')
    .getByText(/搁置至 \d\d:\d\d/)
    .waitFor()
  await other.getByText('没有待接警警情').waitFor()
  await entry(other, '搁置', '等待维修').waitFor()
  await verb(lead, '取消搁置').click()
  await alarmRow(other, '205室')
    .getByText(/搁置至/)
    .waitFor({ state: 'detached' })
  await rings(other)
  await entry(other, '取消搁置', world().east.staff.head.nickname).waitFor()
})

test('a drill bears its band, the filter says what it hides, the title how many wait, the trace who saw and heard', async () => {
  const { guard, head } = world().east.staff
  for (const room of ['208室', '209室']) await made(room, { mode: 'DRILL' })
  await made('210室')
  const page = await visit(guard, '/desk')
  const other = await visit(head, '/desk')
  await startShift(page, { ringing: true })
  await rings(page)
  await alarmRow(page, '208室').getByText('演练 · 非真实警情').waitFor()
  await eventually(() => page.title()).toContain('【3 起待接警】')
  await openAt(page, '208室')
  await detail(page).getByText('演练 · 非真实警情').waitFor()

  const desks = detail(page).locator('section').filter({ hasText: '席位显示与响铃' })
  const knows = (name: string) => desks.getByRole('row').filter({ hasText: name })
  const stamps = async (name: string) => (await knows(name).getByRole('cell').allInnerTexts()).slice(1)
  // Who was quiet has seen it, and rang not.
  await eventually(() => stamps(guard.nickname)).toEqual([
    expect.stringMatching(/^\d{4}-/),
    expect.stringMatching(/^\d{4}-/),
  ])
  await eventually(() => stamps(head.nickname)).toEqual([expect.stringMatching(/^\d{4}-/), '—'])

  await button(page, '筛选').click()
  const choices = page.locator('.desk-choices')
  await selectOption(page, choices.locator('label').filter({ hasText: '模式' }).locator('.ant-select'), '真实')
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByText('2 起被筛选隐藏').waitFor()
  await eventually(() => queue(page).getByRole('listitem').count()).toBe(1)
  await page.reload()
  await page.getByRole('status').getByText('2 起被筛选隐藏').waitFor()
  // What is filtered out waits all the same.
  await eventually(() => page.title()).toContain('【3 起待接警】')
  await button(page, '全部显示').click()
  await alarmRow(page, '208室').waitFor()

  for (const room of ['208室', '209室', '210室']) await claim(other, room)
  await page.getByText('没有待接警警情').waitFor()
  await eventually(() => page.title()).not.toContain('待接警')
})

test('a closed one is found by search, and from its sheet comes to the desk, where a lead opens it again', async () => {
  const { guard } = world().east.staff
  const { no } = await made('207室', { state: 'CLOSED', closedAt: new Date(), resetAt: new Date() })
  const desk = await visit(guard, '/desk')
  await startShift(desk)
  const page = await visit(world().lead, '/school')
  const found = async (on: Page) => {
    await on.getByText('实时', { exact: true }).waitFor()
    await on.keyboard.press('Control+K')
    await on.getByRole('dialog').getByRole('combobox').fill(no)
    await on.getByRole('option').filter({ hasText: no }).first().click()
    await on.getByRole('dialog').getByText('时间线').waitFor()
  }
  await found(page)
  await button(page.getByRole('dialog'), '去接警台').click()
  await detail(page).getByText('已结案').first().waitFor()
  await detail(page).getByText('此警情已不在待处理队列中').waitFor()
  expect(await refusedAt(page, '重新打开')).toEqual(['该项为必填项'])
  await submitVerb(page, '重新打开', reason('家长来电，情况有变'))
  await alarmRow(page, '207室').getByText('处理人 我').waitFor()
  await alarmRow(desk, '207室').getByText('处置中').waitFor()
  await openAt(desk, '207室')
  await entry(desk, '重新打开', '家长来电，情况有变', world().lead.nickname).waitFor()
  await verb(page, '到场').waitFor()

  // There is no way to a desk at which one could do nothing.
  await all().updateTable('warnRecord').set({ state: 'CLOSED' }).where('no', '=', no).execute()
  const idle = await visit(guard, '/dashboard')
  await found(idle)
  await eventually(() => button(idle.getByRole('dialog'), '去接警台').count()).toBe(0)
})

test('what waits for its review longer than the desk lists is told of there, and closed by way of its sheet', async () => {
  const { id: schoolId, deptId, staff } = world().west
  const firstAt = new Date(Date.now() - 100 * 86_400_000)
  const given = {
    deptId,
    schoolId,
    schoolName: WEST_SCHOOL,
    room: '旧案',
    level: 3,
    state: 'RESOLVED',
    firstAt,
  } as const
  const { id } = await makeRecord(site().db, { ...given, resolvedAt: firstAt })
  const page = await visit(staff.head, '/desk')
  await setPreferences(page, { language: 'en' })
  await page.getByText('0 to review').click()
  await page.getByText('No alarms to review in the last 90 days').waitFor()
  await page.getByText('Open earlier alarms from Alarm records').waitFor()
  await page.goto(`/warn/record?record=${id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Open desk' }).click()
  await page.getByText('旧案').first().waitFor()
  // Its key works though no list holds it.
  await page.keyboard.press('m')
  await page.getByRole('region', { name: 'Note', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Close$/ }).click()
  await page.getByRole('region', { name: 'Close', exact: true }).locator('[type=submit]').click()
  await eventually(async () => (await recordAt(site(), '旧案')).state).toBe('CLOSED')
})
