import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeSchool, makeUser } from '../apps/server/seed/fixtures.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { makePicture } from '../apps/server/test/file-server.ts'
import { addDays, localDay } from '../packages/contract/src/security/hours.ts'
import { callAs } from './api-call.ts'
import { axeViolations } from './axe.ts'
import { button, confirmDialog, row, selectOption, SETTLED } from './page-actions.ts'
import { browserTest, eventually } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

// An announcement from its author to the phone of its reader, and back; an order from its trigger to its evaluation.

const { site, world, visit, openSignedOut, all } = browserTest({ language: 'zh-cn', theme: 'light' })

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const head = (page: Page) => page.locator('.workflow-head')
const isInState = (page: Page, words: string) => head(page).getByText(words, { exact: true }).waitFor()
const approve = async (page: Page, words: string) => {
  await button(head(page), words).click()
  await confirmDialog(page, words)
}

test('an announcement is reviewed by another, signed back on the phone, and seen as changed after its revision', async () => {
  const { safety, head: principal, guard } = world().east.staff
  const author = await visit(safety, '/announcement/form')
  await author.getByLabel('标题', { exact: true }).fill('周五检查安排')
  await author.getByRole('textbox', { name: '内容' }).click()
  await author.keyboard.type('检查时间：周五上午')
  await author.keyboard.press('Enter')
  await author.keyboard.type('请各岗自查')
  await selectOption(author, author.getByLabel('学校', { exact: true }), EAST_SCHOOL)
  await author.getByText('共 3 人，其中 3 人没有手机').waitFor()
  await author.keyboard.press('Escape')
  await button(author, '保存并送审').click()
  await isInState(author, '待审核')
  await eventually(() => button(head(author), '通过').count()).toBe(0)

  const reviewer = await visit(principal, '/oversight/announcement?tab=managed')
  await reviewer.getByText('周五检查安排').waitFor()
  await reviewer.getByText('周五检查安排').click()
  await approve(reviewer, '通过')
  await isInState(reviewer, '已发布')

  const mobile = await visit(guard, '/oversight/announcement', phone)
  await mobile.getByText('周五检查安排').waitFor()
  await mobile.getByRole('button', { name: '通知，1 条未读' }).waitFor()
  await mobile.getByText('周五检查安排').tap()
  await mobile.getByText('检查时间：周五上午').waitFor()
  await mobile.getByRole('button', { name: /^签\s*收$/ }).tap()
  await mobile.getByText(/已于 .* 签收/).waitFor()
  await reviewer.getByText('1 / 1 / 3').waitFor()

  await button(head(author), '修订').click()
  await author.getByRole('textbox', { name: '内容' }).getByText('周五上午').click()
  await author.keyboard.press('End')
  await author.keyboard.type('十点')
  await button(author, '保存并送审').click()
  await isInState(author, '修订待审核')
  await approve(reviewer, '通过修订')
  await mobile.getByText('自您阅读后有 1 处改动').waitFor()
  await mobile.getByRole('button', { name: /^签\s*收$/ }).tap()
  await mobile.getByText(/已于 .* 签收/).waitFor()
  await eventually(() =>
    all().selectFrom('announcementReceipt').select(['userId', 'edition']).where('signedAt', 'is not', null).execute(),
  ).toEqual([
    { userId: guard.id, edition: 1 },
    { userId: guard.id, edition: 2 },
  ])
})

const bureauDept = async () => {
  const user = all().selectFrom('users').select('deptId').where('id', '=', world().bureau.id)
  return (await user.executeTakeFirstOrThrow()).deptId
}

/** The guards of a new school. */
const makeReceivers = async (count: number) => {
  const school = await makeSchool(site().db, { name: '东湖第三小学', eduDeptId: await bureauDept() })
  const people = Array.from({ length: count }, (_, at) => {
    return { username: `receiver${at}`, nickname: `保安 ${at}`, deptId: school.deptId, passwordHash: null }
  })
  const users = await all().insertInto('users').values(people).returning(['id', 'username', 'nickname']).execute()
  const role = all().selectFrom('role').select('id').where('code', '=', 'guard')
  const { id: roleId } = await role.executeTakeFirstOrThrow()
  await all()
    .insertInto('userRole')
    .values(users.map(({ id: userId }) => ({ userId, roleId })))
    .execute()
  return { school, users }
}

test('an announcement to 200 people is signed back by 199, and only the last is reminded and signs', async () => {
  const { school, users } = await makeReceivers(200)
  const last = users.pop() ?? world().admin
  const author = await makeUser(site().db, { nickname: '教育局 吴', roles: ['edu_bureau'], deptId: await bureauDept() })
  const draft = { title: '寒假值守安排', content: '<p>请各岗签收</p>', target: 'SCOPE', schoolIds: [school.id] }
  const path = '/announcement/announcement'
  const id = Number(await callAs(site(), author.id, { method: 'POST', path: `${path}/create`, body: draft }))
  await callAs(site(), author.id, { method: 'POST', path: `${path}/submit`, body: { id, version: 1 } })
  const publisher = await visit(world().bureau, `/announcement/detail/${id}`)
  await button(head(publisher), '通过').click()
  await publisher.locator(SETTLED).getByText('立即发布给 200 人').waitFor()
  await confirmDialog(publisher, '通过')
  await publisher.getByText('0 / 0 / 200').waitFor()

  const signedAt = new Date()
  const receipts = users.map(({ id: userId }) => ({ announcementId: id, userId, edition: 1, signedAt }))
  await all().insertInto('announcementReceipt').values(receipts).execute()
  await button(publisher, '提醒未读').click()
  await confirmDialog(publisher, '提醒未读')
  await publisher.getByText('已提醒 1 人').first().waitFor()
  const reminded = all().selectFrom('delivery').select('userId').where('subjectType', '=', 'ANNOUNCEMENT')
  await eventually(() => reminded.where('subjectId', '=', id).execute()).toEqual([{ userId: last.id }])
  await publisher.getByText('199 / 199 / 200').waitFor()

  const mobile = await visit(last, '/', phone)
  await mobile.getByText('请阅读公告').waitFor()
  await button(mobile, '查看').tap()
  await mobile.getByText('请各岗签收').waitFor()
  await mobile.getByRole('button', { name: /^签\s*收$/ }).tap()
  await mobile.getByText(/已于 .* 签收/).waitFor()
  await publisher.getByText('200 / 200 / 200').waitFor()
})

/** Applies a verb of an order by its dialog. */
const act = async (page: Page, words: string, fill: (dialog: Locator) => Promise<void>) => {
  await button(head(page), words).click()
  await fill(page.locator(SETTLED))
  await confirmDialog(page, words)
  await page.locator('.ant-modal:visible').waitFor({ state: 'hidden' })
}
const nothing = () => Promise.resolve()
const write = (text: string, label: string) => (dialog: Locator) =>
  dialog.getByRole('textbox', { name: label }).fill(text)

test('an order goes from its trigger through one extension to its evaluation', async () => {
  const { head: principal } = world().east.staff
  const device = all().selectFrom('device').select('id').where('sn', '=', 'EAST-0001')
  await all()
    .updateTable('deviceState')
    .set({ connectivity: 'OFFLINE', since: new Date(Date.now() - 30 * 3_600_000) })
    .where('deviceId', '=', device)
    .execute()
  const bureau = await visit(world().bureau, '/oversight/supervise')
  await bureau.getByText(/没有督办单/).waitFor()
  await all().updateTable('timer').set({ dueAt: new Date() }).where('kind', '=', 'supervise-search').execute()
  await row(bureau, '报警按钮 EAST-0001 离线').getByText('1 天 23 时').waitFor()
  await bureau.getByText('报警按钮 EAST-0001 离线').click()
  await isInState(bureau, '待签收')

  const school = await visit(principal, '/oversight/supervise', phone)
  await school.getByText('报警按钮 EAST-0001 离线').tap()
  await act(school, '签收', nothing)
  const issued = await all().selectFrom('superviseOrder').select(['id', 'dueAt']).executeTakeFirstOrThrow()
  const extended = addDays(issued.dueAt, 3)
  await act(school, '申请延期', async (dialog) => {
    await write('等待备件', '原因')(dialog)
    await dialog.getByLabel('延期至').fill(`${localDay(extended)} 10:00`)
    await school.keyboard.press('Enter')
    await write('已联系厂家', '当前进展')(dialog)
  })
  await bureau.getByText('延期申请（第 1/2 次）').waitFor()
  await bureau.getByText('等待备件').first().waitFor()
  await act(bureau, '同意延期', nothing)
  await bureau
    .getByText(`${localDay(extended)} 10:00`)
    .first()
    .waitFor()
  await act(school, '办理进展', write('备件到货', '内容'))
  await act(school, '提交', write('已恢复在线并通过测试', '内容'))
  await isInState(school, '待复核')
  await act(bureau, '办结', write('复核通过', '意见'))
  await act(bureau, '评价', (dialog) => dialog.getByRole('radio').nth(3).click())
  await isInState(bureau, '已评价')
  await head(school).getByText('4 分').waitFor()
  const order = all().selectFrom('superviseOrder').select(['state', 'evaluation', 'extensionCount', 'dueAt'])
  await eventually(() => order.execute()).toEqual([
    { state: 'EVALUATED', evaluation: 4, extensionCount: 1, dueAt: new Date(`${localDay(extended)}T10:00:00+08:00`) },
  ])
})

test('a wall shows the base map by its link, and follows the desk that asks for it; the replay is played by keys', async () => {
  const { east, admin, lead } = world()
  const at = { schoolId: east.id, deptId: east.deptId, schoolName: EAST_SCHOOL, level: 1 }
  await makeRecord(site().db, { ...at, placePath: '教学楼 / 304室' })
  const claimedAt = new Date(Date.now() - 60_000)
  const given = { ...at, firstAt: new Date(Date.now() - 120_000), placePath: '操场', level: 3 }
  const second = await makeRecord(site().db, { ...given, state: 'CLAIMED', ownerId: admin.id, claimedAt })
  await all().updateTable('school').set({ lng: 115.9, lat: 28.7 }).where('id', '=', east.id).execute()
  const police = await all().selectFrom('dept').select('id').where('code', '=', 'POLICE').executeTakeFirstOrThrow()
  const body = { name: '指挥大厅', deptId: police.id, days: 1 }
  const made = await callAs(site(), admin.id, { method: 'POST', path: '/insight/wall/create', body })
  const { token } = made as { token: string }

  const wall = await openSignedOut()
  const items: unknown[] = []
  await wall.route('**/wall-board/base', (route) => {
    const data = { source: 'FOLDER', state: 'READY', layers: ['vec'], archive: null }
    return route.fulfill({ json: { code: 200, msg: '', data } })
  })
  const tile = await makePicture(256, 256)
  await wall.route('**/wall-board/tile', (route) => {
    items.push(route.request().postDataJSON())
    return route.fulfill({ body: tile, contentType: 'image/png' })
  })
  await wall.setViewportSize({ width: 1920, height: 1080 })
  await wall.goto(`/wall#${token}`)
  await wall.getByText('304室').waitFor()
  await eventually(() => items[0]).toMatchObject({ token, layer: 'vec', z: expect.any(Number) })

  const desk = await visit(lead, `/warn/desk?id=${second.id}`)
  await button(desk, '大屏').click()
  await desk.getByRole('switch', { name: '指挥大厅 跟随我的选择' }).click()
  await desk.getByText('大屏跟随中：指挥大厅').waitFor()
  const chosen = wall.locator('.wall-alarm[aria-current]')
  await chosen.getByText('操场').waitFor()
  await wall.getByText('跟随接警台的选择').waitFor()

  const replay = await visit(admin, `/warn/replay/${second.id}`)
  const clock = replay.getByRole('slider', { name: '时刻' })
  const moved = async () => Number(await clock.getAttribute('aria-valuenow')) - given.firstAt.getTime()
  await clock.waitFor()
  await eventually(() => replay.locator('.ant-slider-dot').count()).toBeGreaterThan(1)
  await replay.getByRole('button', { name: /^接警时间/ }).click()
  await eventually(moved).toBe(60_000)
  await replay.getByRole('heading', { name: /回放/ }).first().click()
  await replay.keyboard.press('ArrowLeft')
  await eventually(moved).toBe(55_000)
  await replay.keyboard.press('Home')
  await eventually(moved).toBe(0)
  await replay.keyboard.press('Space')
  await button(replay, '暂停').waitFor()
  await replay.evaluate(axe.source)
  await wall.evaluate(axe.source)
  expect([...(await axeViolations(wall, 'the wall')), ...(await axeViolations(replay, 'the replay'))]).toEqual([])
  await replay.keyboard.press('End')
  await replay
    .getByRole('group', { name: '此刻的席位' })
    .getByText(/已显示/)
    .waitFor()
  const [pack] = await Promise.all([replay.waitForEvent('download'), button(replay, '导出证据包').click()])
  expect(pack.suggestedFilename()).toBe(`${second.no}-evidence.zip`)
})
