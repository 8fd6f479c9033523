import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { makeSchool, makeUser } from '../apps/server/seed/fixtures.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { scheduleShiftTimers } from '../apps/server/src/areas/security/shift/shift-timers.ts'
import { addDays, localDay, startOfWeek } from '../packages/contract/src/security/hours.ts'
import { openInside } from './appearance.ts'
import { button, closed, drawer, runRowAction, row, save, selectOption } from './page-actions.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

// Employees, handover between two people, a patrol on the phone, the plan of a month, swaps and missed check-ins.

const { site, world, visit, all, allow } = browserTest({ language: 'zh-cn', theme: 'light' })

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const MINUTE_MS = 60_000

test('refuses a handover while an alarm lacks an owner, lets both people sign, and counts a patrol point reached without a connection', async () => {
  const { staff, ...east } = world().east
  const record = await makeRecord(site().db, { deptId: east.deptId, schoolId: east.id, schoolName: EAST_SCHOOL })
  const giver = await visit(staff.safety, '/duty/handover')
  await giver.getByRole('button', { name: '开始交班' }).first().click()
  const dialog = giver.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '备注' }).fill('西门灯坏')
  await dialog.getByRole('button', { name: '开始交班' }).click()
  await giver.getByRole('button', { name: '还差 1 起无人负责' }).waitFor()
  await eventually(() => giver.getByRole('button', { name: '还差 1 起无人负责' }).isDisabled()).toBe(true)
  await giver.getByText(record.no).waitFor()
  await all()
    .updateTable('warnRecord')
    .set({ state: 'CLAIMED', ownerId: staff.guard.id, leaseUntil: new Date(Date.now() + MINUTE_MS) })
    .where('id', '=', record.id)
    .execute()
  await giver.reload()
  await giver.getByRole('button', { name: /^交\s*班$/ }).click()
  await giver.getByText('等待接班人用自己的账号签字').waitFor()
  const taker = await visit(staff.guard, new URL(giver.url()).pathname, phone)
  await taker.getByText(`${staff.safety.nickname} 已交班`).waitFor()
  await taker.getByRole('button', { name: /^接\s*班$/ }).tap()
  await taker
    .getByRole('dialog')
    .getByRole('button', { name: /^确\s*定$/ })
    .tap()
  await taker.getByText('已交接', { exact: true }).waitFor()

  const schoolId = east.id
  const now = Date.now()
  const plan = { schoolId, name: '校园巡查', fromMin: 0, toMin: 1440, rounds: 5 }
  const { id: planId } = await all().insertInto('patrolPlan').values(plan).returning('id').executeTakeFirstOrThrow()
  const points = ['东门', '实验楼'].map((name, at) => {
    return { planId, schoolId, seq: at + 1, name, code: `PATR0${at}`.padEnd(8, 'K') }
  })
  await all().insertInto('patrolPoint').values(points).execute()
  const run = { planId, schoolId, day: new Date(now).toISOString().slice(0, 10), round: 1 }
  const span = { fromAt: new Date(now - 30 * MINUTE_MS), toAt: new Date(now + 30 * MINUTE_MS) }
  await all()
    .insertInto('patrolRun')
    .values({ ...run, ...span })
    .execute()
  await openInside(taker, '/m/patrol')
  await taker.getByRole('heading', { name: '东门' }).waitFor()
  allow(/ERR_INTERNET_DISCONNECTED/)
  await taker.context().setOffline(true)
  await taker.getByRole('textbox', { name: '巡查码' }).fill(points[0]?.code ?? '')
  await taker.getByRole('button', { name: '已到达' }).tap()
  await taker.getByText(/1 个巡查点待上传/).waitFor()
  await taker.getByRole('heading', { name: '实验楼' }).waitFor()
  await taker.context().setOffline(false)
  await eventually(() => all().selectFrom('patrolScan').select('pointName').execute()).toEqual([{ pointName: '东门' }])
  await taker.getByText('1/2').waitFor()
})

const statusOf = async (employeeNo: string) =>
  (await all().selectFrom('employee').select('status').where('employeeNo', '=', employeeNo).executeTakeFirst())?.status

test('creates an employee, warns of an expiring certificate, and records a leave and the reason for leaving the job', async () => {
  const page = await visit(world().admin, '/school/employee')
  await button(page, '新增').first().click()
  await drawer(page).getByLabel('姓名').fill('张三')
  await drawer(page).getByLabel('工号').fill('BA-001')
  await selectOption(page, drawer(page).getByLabel('类别'), '保安')
  await selectOption(page, drawer(page).getByLabel('学校', { exact: true }), EAST_SCHOOL)
  await drawer(page).getByLabel('手机').fill('13812340001')
  await button(drawer(page), '添加渠道').click()
  await save(page)
  await closed(page)
  await row(page, '张三').getByText('在职').waitFor()
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  await all().updateTable('employee').set({ certExpiresOn: soon }).where('employeeNo', '=', 'BA-001').execute()
  await page.reload()
  await row(page, '张三').locator('.tone-wait').getByText(soon).waitFor()
  await runRowAction(page, '张三', '休假')
  await row(page, '张三').getByText('休假', { exact: true }).waitFor()
  await row(page, '张三').getByText('张三').click()
  await page.locator('.workflow-title').getByText('张三').waitFor()
  await page.getByRole('tab', { name: '被指定为' }).click()
  await page.getByText('没有被指定为联系人、负责人、接警人、警力成员或通知对象').waitFor()
  await button(page, '更多').last().click()
  await page.getByRole('menuitem', { name: '离职' }).click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByLabel('原因').fill('合同到期')
  await button(dialog, '离职').click()
  await eventually(() => statusOf('BA-001')).toBe('LEFT')
  await page.getByText('离职', { exact: true }).first().waitFor()
})

type Place = { id: number; deptId: number }
const makeEmployee = async (school: Place, name: string, userId: number | null = null) => {
  const values = { deptId: school.deptId, schoolId: school.id, name, kind: 'GUARD' as const, userId, employeeNo: name }
  const { id } = await all().insertInto('employee').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}
const makePost = async (schoolId: number, post: { name: string; fromMin: number; toMin: number }) => {
  const values = { schoolId, type: 'GATE' as const, weekdays: 127, headcount: 1, checkCode: post.name, ...post }
  const { id } = await all().insertInto('securityPost').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}
const countShifts = async (isPublished: boolean) => {
  const rows = await all().selectFrom('shift').select('publishedAt').execute()
  return rows.filter(({ publishedAt }) => (publishedAt !== null) === isPublished).length
}
const GATE = '东门夜岗'
/** The cell of a day in the row of the gate. */
const cellOf = (page: Page, day: Date) =>
  page.getByRole('cell').filter({ has: page.getByRole('button', { name: `排班：${GATE} ${localDay(day)}` }) })
const chip = (page: Page, day: Date, name: string) => cellOf(page, day).getByRole('button', { name })

/** Fills next week from the hours of the post, publishes it, and copies it over three more weeks. */
const planFourWeeks = async (page: Page) => {
  await button(page, '下一周').click()
  await button(page, '套用模板').click()
  const dialog = page.getByRole('dialog')
  await selectOption(page, dialog.getByRole('combobox', { name: '岗位' }), `${GATE} · ${EAST_SCHOOL}`)
  await selectOption(page, dialog.getByRole('combobox', { name: '第 1 人' }), '马军 马军 · 保安')
  await button(dialog, '添加一人').click()
  await selectOption(page, dialog.getByRole('combobox', { name: '第 2 人' }), '杜伟 杜伟 · 保安')
  await button(dialog, '排班').click()
  await eventually(() => countShifts(false)).toBe(7)
  await button(page, '发布本周').click()
  // The night before the plan begins has nobody, which needs a reason.
  await page.getByRole('dialog').getByRole('textbox', { name: '缺口说明' }).fill('首周前由校长值守')
  await button(page.getByRole('dialog'), '确定').click()
  await eventually(() => countShifts(true)).toBe(7)
  for (const planned of [7, 14, 21]) {
    await button(page, '下一周').click()
    await button(page, '复制上周').click()
    await eventually(() => countShifts(false)).toBe(planned)
  }
}

test('plans four weeks from a template, moves a shift by dragging in the month, and swaps two shifts on the phone', async () => {
  const { staff, ...east } = world().east
  const other = await makeUser(site().db, { nickname: '杜伟', roles: ['guard'], deptId: east.deptId })
  await makePost(east.id, { name: GATE, fromMin: 0, toMin: 480 })
  const [ma, du] = [await makeEmployee(east, '马军', staff.guard.id), await makeEmployee(east, '杜伟', other.id)]
  const monday = addDays(startOfWeek(new Date()), 7)
  const planner = await visit(staff.head, '/duty/shift')
  await planFourWeeks(planner)
  await planner.getByText('月', { exact: true }).click()
  const lastMonday = addDays(monday, 21)
  const isShown = (day: Date) => localDay(day).startsWith(localDay(lastMonday).slice(0, 7))
  const tuesday = [22, 15].map((days) => addDays(monday, days)).find((day) => isShown(addDays(day, 1))) ?? monday
  const wednesday = addDays(tuesday, 1)
  // The month first shows the shifts of the week before it has its own: columns would move below the mouse.
  const shown = Array.from({ length: 28 }, (_, at) => addDays(monday, at)).filter(isShown)
  await eventually(() => planner.locator('.duty-shift').count()).toBe(shown.length)
  await chip(planner, tuesday, '杜伟').dragTo(cellOf(planner, wednesday))
  await chip(planner, wednesday, '杜伟').waitFor()
  await cellOf(planner, tuesday).getByText('缺 1').waitFor()
  // The hole of that day is filled from the people who are free.
  await openInside(planner, `/duty/shift?schoolId=${east.id}&week=${tuesday.getTime()}`)
  await planner.getByText('覆盖', { exact: true }).waitFor()
  const hole = planner
    .locator(`.duty-calendar tfoot td:nth-of-type(2)`)
    .getByRole('button', { name: /无人可接一级警情/ })
  await hole.click()
  await planner
    .getByRole('dialog')
    .getByRole('button', { name: /^马\s?军 · 已休息/ })
    .click()
  await button(planner.getByRole('dialog'), '排班').click()
  await chip(planner, tuesday, '马军').waitFor()

  const asker = await visit(staff.guard, '/m/shift', phone)
  const label = (name: string, day: Date) => `${name}${GATE} ${localDay(day).slice(5)} 00:00`
  await selectOption(asker, asker.getByRole('combobox', { name: '我的班次' }), label('', monday))
  await selectOption(asker, asker.getByRole('combobox', { name: '与谁的班次交换' }), label('杜伟 ', addDays(monday, 1)))
  await button(asker, '换班').tap()
  await button(asker, '撤回').waitFor()
  const answerer = await visit({ ...other, nickname: '杜伟' }, '/m/shift', phone)
  await answerer.getByRole('button', { name: /^通知，\d+ 条未读$/ }).waitFor()
  await answerer.getByText(`马军 用 ${label('', monday)} 换 杜伟 的 ${label('', addDays(monday, 1))}`).waitFor()
  await button(answerer, '同意').tap()
  await eventually(() => answerer.getByRole('button', { name: '同意' }).count()).toBe(0)
  const firstTwo = all().selectFrom('shift').select('employeeId').where('fromAt', '<', addDays(monday, 2))
  await eventually(() => firstTwo.orderBy('fromAt').execute()).toEqual([{ employeeId: du }, { employeeId: ma }])
  await button(asker, '撤回').waitFor({ state: 'hidden' })
})

test('shows the district who did not check in, without a reload', async () => {
  const name = '东湖第二小学'
  const ofBureau = all().selectFrom('users').select('deptId').where('id', '=', world().bureau.id)
  const { deptId: eduDeptId } = await ofBureau.executeTakeFirstOrThrow()
  const school = await makeSchool(site().db, { name, eduDeptId, studentCount: 600 })
  const now = new Date()
  const postId = await makePost(school.id, { name: '南门门卫', fromMin: 0, toMin: 1440 })
  const [fromAt, toAt] = [new Date(now.getTime() - 31 * MINUTE_MS), new Date(now.getTime() + 120 * MINUTE_MS)]
  const shift = await all()
    .insertInto('shift')
    .values({
      postId,
      schoolId: school.id,
      employeeId: await makeEmployee(school, '王强'),
      fromAt,
      toAt,
      publishedAt: fromAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const bureau = await visit(world().bureau, '/duty/post')
  await bureau.getByText(new RegExp(`${name}：按 .*已排 1 人，在岗 0 人`)).waitFor()
  await scheduleShiftTimers(site().db, shift)
  await bureau.getByText(new RegExp(`${name}：按 .*已排 0 人，在岗 0 人`)).waitFor()
  await openInside(bureau, `/duty/shift?schoolId=${school.id}&week=${fromAt.getTime()}`)
  await bureau.getByRole('button', { name: /王强.*缺岗/ }).waitFor()
  await openInside(bureau, '/duty/gap')
  await bureau.getByRole('columnheader', { name: '已告知' }).waitFor()
  await row(bureau, name).getByText('缺岗').first().waitFor()
})
