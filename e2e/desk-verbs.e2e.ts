import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { endSession, openSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import { emitEvents } from '../apps/server/src/db/event.ts'
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
import { changePreferences, openInside } from './appearance.ts'
import { startedSounds } from './setup/browser.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, WEST_SCHOOL } from './setup/e2e-fixture.ts'
import { button, selectOption } from './page-actions.ts'

// Verbs of the desk beyond the main flow of a call, and what other desks display and sound.

const { site, world, visit, all, allow } = browserTest({ language: 'zh-cn', theme: 'dark' })
beforeEach(() => clearDesks(site()))

/** Creates an alarm of the first school, with a level whose timers do not come due within a test. */
const made = async (room: string, more: Partial<RecordDraft> = {}) => {
  const { id: schoolId, deptId } = world().east
  const given = { deptId, schoolId, schoolName: EAST_SCHOOL, room, level: 2, ...more }
  const record = await makeRecord(site().db, given)
  await emitEvents(site().db, { type: 'alarm.changed', ref: record.id, deptId, schoolId })
  return record
}
const openAt = async (page: Page, room: string) => {
  await alarmRow(page, room).locator('.desk-row-open').click()
  await detail(page).getByRole('heading', { name: room }).waitFor()
}
const entry = (page: Page, ...words: string[]): Locator =>
  words.reduce((found, hasText) => found.filter({ hasText }), detail(page).getByRole('listitem')).first()
/** Submits the form of a verb unchanged, and waits for these errors at its fields, which may appear one by one. */
const checkRefusal = async (page: Page, words: string, errors: string[]): Promise<void> => {
  await verb(page, words).click()
  const form = page.getByRole('region', { name: words, exact: true })
  await form.locator('[type=submit]').click()
  await eventually(() => form.locator('.ant-form-item-explain-error').allInnerTexts()).toEqual(errors)
  await button(form, '取消').click()
}
/** Runs `act`, then checks that this desk sounds although it has no open alarm. */
const heardAt = async (page: Page, act: () => Promise<unknown>) => {
  const before = await startedSounds(page)
  await act()
  await eventually(() => startedSounds(page)).toBeGreaterThan(before)
}
const reason = (text: string) => (form: Locator) => form.getByLabel('理由').fill(text)

test('notes, hands over, escalates, returns from police, resolves, and reopens an alarm that the lead rejects', async () => {
  const { safety, guard } = world().east.staff
  await made('201室', { resetAt: new Date() })
  const [owner, second, station, lead] = await Promise.all(
    [safety, guard, world().station, world().lead].map((person) => visit(person, '/warn/desk')),
  )
  if (!owner || !second || !station || !lead) throw new Error('four desks')
  await claim(owner, '201室')
  await alarmRow(station, '201室').getByText(`${safety.nickname} 已接警`).waitFor()
  await Promise.all([second, station].map((page) => startShift(page)))
  await openAt(station, '201室')

  await checkRefusal(owner, '备注', ['该项为必填项'])
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
  await checkRefusal(second, '转警方', ['该项为必填项'])
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
  await checkRefusal(lead, '退回重办', ['该项为必填项'])
  await heardAt(second, () => submitVerb(lead, '退回重办', reason('缺少现场照片')))
  await alarmRow(second, '201室').getByText(`处理人 我`).waitFor()
  await entry(station, '退回重办', '缺少现场照片', world().lead.nickname).waitFor()
  await eventually(() => recordAt(site(), '201室')).toMatchObject({
    state: 'HANDLING',
    ownerId: guard.id,
    resolverId: null,
  })
})

test('lets a second person reject a false alarm and later confirm it, takes over an undisplayed alarm, and merges one of two calls', async () => {
  const { safety, head, guard } = world().east.staff
  await made('202室', { resetAt: new Date() })
  const owner = await visit(safety, '/warn/desk')
  const second = await visit(head, '/warn/desk')
  await claim(owner, '202室')
  await openAt(second, '202室')
  await checkRefusal(owner, '标记误报', ['该项为必填项', '该项为必填项'])
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

  await checkRefusal(second, '不认可', ['该项为必填项'])
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
  await second.close()

  await made('203室', { state: 'ESCALATED', escalatedAt: new Date() })
  const other = await visit(guard, '/warn/desk')
  await startShift(other, { ringing: true })
  await rings(other)
  await button(alarmRow(owner, '203室'), '接手').click()
  await alarmRow(owner, '203室').getByText('处理人 我').waitFor()
  await alarmRow(other, '203室').getByText(`处理人 ${safety.nickname}`).waitFor()
  await openAt(other, '203室')
  await entry(other, '接手', safety.nickname).waitFor()

  const target = await recordAt(site(), '203室')
  const child = await made('204室', { level: 1 })
  await claim(owner, '204室')
  await checkRefusal(owner, '合并', ['该项为必填项'])
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

test('shelves an alarm until an hour and calls it back; marks a drill, counts filtered alarms and waiting ones in the title, and logs who saw and heard', async () => {
  const { guard, head } = world().east.staff
  await made('205室', { class: 'DEVICE_HEALTH', code: 'TAMPER' })
  const other = await visit(head, '/warn/desk')
  const page = await visit(guard, '/warn/desk')
  await startShift(page, { ringing: true })
  await rings(page)
  await openAt(other, '205室')
  await openAt(page, '205室')
  await eventually(() => verb(page, '搁置').count()).toBe(0)
  await checkRefusal(other, '搁置', ['该项为必填项', '该项为必填项'])
  await submitVerb(other, '搁置', async (form) => {
    await form.getByText('30 分钟').click()
    await form.getByLabel('理由').fill('等待维修')
  })
  await alarmRow(page, '205室')
    .getByText(/搁置至 \d\d:\d\d/)
    .waitFor()
  await page.getByText('没有待接警警情').waitFor()
  await entry(page, '搁置', '等待维修').waitFor()
  await verb(other, '取消搁置').click()
  await alarmRow(page, '205室')
    .getByText(/搁置至/)
    .waitFor({ state: 'detached' })
  await rings(page)
  await entry(page, '取消搁置', world().east.staff.head.nickname).waitFor()
  await claim(other, '205室')
  await page.getByText('没有待接警警情').waitFor()

  for (const room of ['208室', '209室']) await made(room, { mode: 'DRILL' })
  await made('210室')
  await rings(page)
  await alarmRow(page, '208室').getByText('演练 · 非真实警情').waitFor()
  await eventually(() => page.title()).toContain('【3 起待接警】')
  await openAt(page, '208室')
  await detail(page).getByText('演练 · 非真实警情').waitFor()

  const desks = detail(page).locator('section').filter({ hasText: '席位显示与响铃' })
  const knows = (name: string) => desks.getByRole('row').filter({ hasText: name })
  const stamps = async (name: string) => (await knows(name).getByRole('cell').allInnerTexts()).slice(1)
  // The muted desk displayed the alarm, and did not ring.
  await eventually(() => stamps(guard.nickname)).toEqual([
    expect.stringMatching(/^\d{4}-/),
    expect.stringMatching(/^\d{4}-/),
  ])
  await eventually(() => stamps(head.nickname)).toEqual([expect.stringMatching(/^\d{4}-/), '–'])

  await button(page, '筛选').click()
  const choices = page.locator('.desk-choices')
  await selectOption(page, choices.locator('label').filter({ hasText: '模式' }).locator('.ant-select'), '真实')
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByText('2 起被筛选隐藏').waitFor()
  // The claimed alarm is the second one.
  await eventually(() => queue(page).getByRole('listitem').count()).toBe(2)
  await page.reload()
  await page.getByRole('status').getByText('2 起被筛选隐藏').waitFor()
  // Filtered alarms still count as waiting.
  await eventually(() => page.title()).toContain('【3 起待接警】')
  await button(page, '全部显示').click()
  await alarmRow(page, '208室').waitFor()

  for (const room of ['208室', '209室', '210室']) await claim(other, room)
  await page.getByText('没有待接警警情').waitFor()
  await eventually(() => page.title()).not.toContain('待接警')
})

test('opens a closed alarm from the search at the desk, where a lead reopens it', async () => {
  const { guard } = world().east.staff
  const { id, no } = await made('207室', { state: 'CLOSED', closedAt: new Date(), resetAt: new Date() })
  const desk = await visit(guard, '/warn/desk')
  await startShift(desk)
  const page = await visit(world().lead, '/school/list')
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
  await checkRefusal(page, '重新打开', ['该项为必填项'])
  await submitVerb(page, '重新打开', reason('家长来电，情况有变'))
  await alarmRow(page, '207室').getByText('处理人 我').waitFor()
  await alarmRow(desk, '207室').getByText('处置中').waitFor()
  await openAt(desk, '207室')
  await entry(desk, '重新打开', '家长来电，情况有变', world().lead.nickname).waitFor()
  await verb(page, '到场').waitFor()

  // No link to a desk is offered when the user can do nothing there.
  await all().updateTable('warnRecord').set({ state: 'CLOSED' }).where('id', '=', id).execute()
  const { id: schoolId, deptId } = world().east
  await emitEvents(site().db, { type: 'alarm.changed', ref: id, deptId, schoolId })
  await openInside(desk, '/dashboard')
  await found(desk)
  await eventually(() => button(desk.getByRole('dialog'), '去接警台').count()).toBe(0)
})

test('counts reviews beyond the limit of the desk list, and closes one from its detail panel', async () => {
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
  const page = await visit(staff.head, '/warn/desk')
  await changePreferences(page, { language: 'en' })
  await page.getByText('0 to review').click()
  await page.getByText('No alarms to review in the last 90 days').waitFor()
  await page.getByText('Open earlier alarms from Alarm records').waitFor()
  await openInside(page, `/warn/record?record=${id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Open desk' }).click()
  await page.getByText('旧案').first().waitFor()
  // The key works although no list contains the record.
  await page.keyboard.press('m')
  await page.getByRole('region', { name: 'Note', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Close$/ }).click()
  await page.getByRole('region', { name: 'Close', exact: true }).locator('[type=submit]').click()
  await eventually(async () => (await recordAt(site(), '旧案')).state).toBe('CLOSED')
})

test('restores the input of a desk after the session was ended, for the same person only', async () => {
  allow(/status of 401/)
  const { staff } = world().east
  await made('401室', { ownerId: staff.safety.id, state: 'HANDLING' })
  const page = await visit(staff.safety, '/warn/desk')
  const note = page.getByRole('region', { name: '备注', exact: true }).getByRole('textbox')
  const enterAs = async (userId: number) => {
    const { accessToken, refreshToken } = await openSession(site().db, userId, {
      ip: '127.0.0.1',
      userAgent: 'e2e',
      traceId: 'e2e',
    })
    await page.evaluate(
      ([access, refresh]) => {
        localStorage.setItem('ACCESS_TOKEN', access)
        localStorage.setItem('REFRESH_TOKEN', refresh)
      },
      [accessToken, refreshToken] as const,
    )
    await page.goto('/warn/desk')
    await alarmRow(page, '401室').waitFor()
  }
  await openAt(page, '401室')
  await verb(page, '备注').click()
  await note.fill('两名学生在校门口')
  await page.getByText('两名学生在校门口').waitFor()
  const ids = await all().selectFrom('session').select('id').where('userId', '=', staff.safety.id).execute()
  await site()
    .db.transaction()
    .execute((trx) =>
      endSession(
        trx,
        ids.map(({ id }) => id),
        'KICKED',
      ),
    )
  await eventually(() => new URL(page.url()).pathname).toBe('/login')

  await enterAs(staff.head.id)
  await eventually(() => page.locator('.desk-unsent').count()).toBe(0)
  await enterAs(staff.safety.id)
  await page.locator('.desk-unsent').getByRole('button').click()
  await eventually(() => note.inputValue()).toBe('两名学生在校门口')
  await button(page.getByRole('region', { name: '备注', exact: true }), '备注').click()
  await page.getByText('已完成：备注').waitFor()
  await eventually(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('unsent.desk')
})
