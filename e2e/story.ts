import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { alarmRow, claim, detail, recordAt, rings, submitVerb } from './desk.ts'
import { button, selectOption, SETTLED } from './page-actions.ts'
import { type browserTest, byLanguage, eventually } from './setup/browser-test.ts'
import { EAST_SCHOOL, type Person } from './setup/e2e-fixture.ts'

// One alarm from the press of the button to the review of its record, with everybody at the own screen.

type Site = ReturnType<typeof browserTest>
type People = Record<'operator' | 'guard' | 'dispatcher' | 'officer' | 'lead', Page>

const ROOM = '101室'
const DEVICE = 'EAST-0001'
const CAR = '一号车'
const PHOTO = 'scene.png'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** A car on duty with one officer. */
export const carWithOfficer = async ({ site, world, all }: Pick<Site, 'site' | 'world' | 'all'>): Promise<Person> => {
  const { deptId } = await all()
    .selectFrom('users')
    .select('deptId')
    .where('id', '=', world().station.id)
    .executeTakeFirstOrThrow()
  const officer = { username: 'officer.east', nickname: '民警 林' }
  const { id } = await makeUser(site().db, { ...officer, roles: ['officer'], deptId })
  const unit = await all()
    .insertInto('policeUnit')
    .values({ deptId, name: CAR, type: 'CAR', onDuty: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await all().insertInto('policeUnitMember').values({ unitId: unit.id, userId: id }).execute()
  return { id, ...officer }
}

const startShiftOnPhone = (mobile: Page) => button(mobile, byLanguage('上岗', 'Start shift')).tap()
const tapStep = (mobile: Page, zh: string, en: string) => button(mobile, byLanguage(zh, en)).tap()
/** The unit in the open incident. */
const showsUnit = (desk: Page, zh: string, en: string) =>
  desk.locator('[data-unit]').getByText(byLanguage(zh, en), { exact: true }).first().waitFor()
const verbButton = (page: Page, zh: string, en: string) => button(page.locator('.workflow-verbs'), byLanguage(zh, en))
/** Submits the open dialog, whose corner has a button of its own. */
const submitDialog = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await page.locator(SETTLED).locator('.ant-modal-footer .ant-btn-primary').click()
  await dialog.waitFor({ state: 'hidden' })
}

const sendGuard = async ({ operator, guard }: People, { world }: Site): Promise<void> => {
  const { nickname } = world().east.staff.guard
  await alarmRow(operator, ROOM).waitFor()
  await claim(operator, ROOM)
  await alarmRow(operator, ROOM).getByText(byLanguage('我 已接警', 'Claimed by me')).waitFor()
  await submitVerb(operator, byLanguage('派人', 'Send'), async (form) => {
    const person = form.getByRole('checkbox', { name: new RegExp(nickname) })
    await form.getByText(byLanguage('空闲', 'Free')).first().waitFor()
    await person.setChecked(true)
  })
  await guard.getByRole('heading', { name: ROOM }).waitFor()
  await rings(guard)
  await guard
    .getByText(byLanguage(`${world().operator.nickname} 派给你`, `Sent by ${world().operator.nickname}`))
    .waitFor()
  const sent = detail(operator).getByRole('region', { name: byLanguage('已派人员', 'People sent') })
  await sent.getByText(byLanguage('待签收', 'Not received yet')).waitFor()
  await tapStep(guard, '我去现场', 'I’m going')
  await sent.getByText(byLanguage('途中', 'On the way'), { exact: true }).first().waitFor()
  await tapStep(guard, '我到了', 'I’ve arrived')
  await sent.getByText(byLanguage('已到场', 'On scene'), { exact: true }).first().waitFor()
  await guard.getByRole('textbox', { name: byLanguage('现场情况', 'What you see') }).fill('一人持械')
  await tapStep(guard, '发送', 'Send')
  await detail(operator).getByText('一人持械').first().waitFor()
}

const handToPolice = async ({ operator, dispatcher }: People): Promise<void> => {
  await dispatcher.getByText(byLanguage('没有未结束的警单', 'No open incidents')).waitFor()
  await submitVerb(operator, byLanguage('转警方', 'Hand to police'), (form) =>
    form.getByLabel(byLanguage('理由', 'Reason')).fill('有人持械'),
  )
  await alarmRow(operator, ROOM).getByText(byLanguage('警方处置中', 'With police')).waitFor()
  await dispatcher.getByRole('button', { name: new RegExp(EAST_SCHOOL) }).waitFor()
}

const sendCar = async ({ dispatcher, officer }: People): Promise<void> => {
  await verbButton(dispatcher, '接警', 'Claim').click()
  // Dispatch is offered before the claim as well, and would then meet another version.
  await dispatcher.getByText(byLanguage('待派警', 'To dispatch')).first().waitFor()
  await verbButton(dispatcher, '派警', 'Dispatch').click()
  await dispatcher.getByRole('checkbox', { name: new RegExp(CAR) }).check()
  await submitDialog(dispatcher)
  await officer.getByRole('heading', { name: ROOM }).waitFor()
  await rings(officer)
  await showsUnit(dispatcher, '待签收', 'Not received yet')
  await tapStep(officer, '签收', 'Receive')
  await showsUnit(dispatcher, '已签收', 'Received')
  await tapStep(officer, '出警', 'Depart')
  await showsUnit(dispatcher, '途中', 'On the way')
  await tapStep(officer, '我到了', 'I’ve arrived')
  await showsUnit(dispatcher, '已到场', 'On scene')
}

const makePhoto = async () => {
  const plain = { create: { width: 320, height: 200, channels: 3 as const, background: 'teal' } }
  return { name: PHOTO, mimeType: 'image/png', buffer: await sharp(plain).png().toBuffer() }
}

const reportWithPhoto = async ({ dispatcher, officer }: People): Promise<void> => {
  await officer.getByRole('link', { name: byLanguage('打开警单', 'Open incident') }).tap()
  await verbButton(officer, '反馈', 'Report back').tap()
  const dialog = officer.getByRole('dialog')
  await dialog.getByRole('textbox', { name: byLanguage('内容', 'Text') }).fill('双方已分开')
  await dialog.locator('input[capture]').setInputFiles(await makePhoto())
  await dialog.getByRole('link', { name: PHOTO }).waitFor()
  await submitDialog(officer)
  await dispatcher.getByText('双方已分开').first().waitFor()
  const photo = dispatcher.getByRole('img', { name: PHOTO }).first()
  await photo.scrollIntoViewIfNeeded()
  await eventually(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await officer.goBack()
  await tapStep(officer, '完成', 'Done')
  await showsUnit(dispatcher, '已完成', 'Cleared')
}

const closeIncident = async ({ dispatcher, guard }: People): Promise<void> => {
  await verbButton(dispatcher, '结案', 'Close').click()
  const dialog = dispatcher.getByRole('dialog')
  const result = byLanguage('现场处置完毕', 'Settled on scene')
  await selectOption(dispatcher, dialog.getByLabel(byLanguage('处置结果', 'Result')), result)
  await dialog.getByRole('textbox', { name: byLanguage('结案说明', 'Closing note') }).fill('已带离')
  await submitDialog(dispatcher)
  await dispatcher.getByText(byLanguage('没有未结束的警单', 'No open incidents')).waitFor()
  // The guard need not report the end of a matter that is over.
  await guard.getByRole('heading', { name: ROOM }).waitFor({ state: 'hidden' })
}

const reviewRecord = async ({ lead }: People, { world }: Site): Promise<void> => {
  await lead.getByText(byLanguage('待审核 1', '1 to review')).click()
  await alarmRow(lead, ROOM).click()
  await submitVerb(lead, byLanguage('结案', 'Close'), async (form) => {
    await form.getByLabel(byLanguage('说明', 'Note')).fill('记录完整')
    await form.locator('input[type=file]').setInputFiles(await makePhoto())
    await form.getByRole('link', { name: PHOTO }).waitFor()
  })
  await detail(lead).getByText(byLanguage('已结案', 'Closed')).first().waitFor()
  const { operator, station, east } = world()
  const entries = [
    [byLanguage('接警', 'Claim'), operator.nickname],
    [byLanguage('到场', 'Arrive'), east.staff.guard.nickname],
    [byLanguage('转警方', 'Hand to police'), operator.nickname],
    [byLanguage('处置完成', 'Resolve'), station.nickname],
    [byLanguage('结案', 'Close'), world().lead.nickname],
  ] as const
  for (const [entry, name] of entries)
    await detail(lead).getByRole('listitem').filter({ hasText: entry }).filter({ hasText: name }).first().waitFor()
}

const checkStored = async ({ site, world, all }: Site): Promise<void> => {
  const time = expect.any(Date)
  const record = { state: 'CLOSED', disposition: 'REAL_POLICE', resolverId: world().station.id }
  const milestones = { claimedAt: time, dispatchedAt: time, onSiteAt: time, escalatedAt: time, resolvedAt: time }
  expect(await recordAt(site(), ROOM)).toMatchObject({ ...record, ...milestones, closedAt: time })
  const incidents = await all()
    .selectFrom('policeSituation')
    .select(['state', 'disposition', 'signedAt', 'departedAt', 'arrivedAt', 'closedAt'])
    .execute()
  const times = { signedAt: time, departedAt: time, arrivedAt: time, closedAt: time }
  expect(incidents).toEqual([{ state: 'CLOSED', disposition: 'RESOLVED_ON_SCENE', ...times }])
}

/** The whole chain once, in the language of the file. */
export const tellStory = async (site: Site): Promise<void> => {
  const { world, visit, devices } = site
  const member = await carWithOfficer(site)
  const [fleet, operator, guard, dispatcher, officer, lead] = await Promise.all([
    devices({ devices: world().east.devices }),
    visit(world().operator, '/warn/desk'),
    visit(world().east.staff.guard, '/m/tasks', phone),
    visit(world().station, '/police/desk'),
    visit(member, '/m/tasks', phone),
    visit(world().lead, '/warn/desk'),
  ])
  const people = { operator, guard, dispatcher, officer, lead }
  for (const mobile of [guard, officer]) await startShiftOnPhone(mobile)
  fleet.press(DEVICE)
  await sendGuard(people, site)
  fleet.event(DEVICE, 'MANUAL_RESET')
  await eventually(async () => (await recordAt(site.site(), ROOM)).condition).toBe('RECOVERED')
  await handToPolice(people)
  await sendCar(people)
  await reportWithPhoto(people)
  await closeIncident(people)
  await reviewRecord(people, site)
  await checkStored(site)
}
