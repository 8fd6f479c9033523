import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { emitEvents } from '../apps/server/src/db/event.ts'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { REVEAL_CONTACTS_PERMISSION } from '../packages/contract/src/school/contact.ts'
import { openInside } from './appearance.ts'
import { alarmRow, claim, clearDesks, detail, isQuiet, recordAt, rings, startShift, verb } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL, type Person } from './setup/e2e-fixture.ts'
import { openRow } from './page-actions.ts'

const { site, world, visit, devices, all } = browserTest({ language: 'en', theme: 'light' })
beforeEach(() => clearDesks(site()))

/** Holds the claims of these pages back until all have been sent, so that they reach the server together. */
const holdClaims = async (pages: readonly Page[]) => {
  const all = Promise.withResolvers<void>()
  let sent = 0
  for (const page of pages)
    await page.route('**/warn/record/claim', async (route) => {
      sent += 1
      if (sent === pages.length) all.resolve()
      await all.promise
      await route.continue()
    })
}

test('lets one of two simultaneous claims win, names the owner to the other desk, and rings there when the claim is released', async () => {
  const { guard, safety } = world().east.staff
  const desks = [
    { person: guard, page: await visit(guard, '/warn/desk') },
    { person: safety, page: await visit(safety, '/warn/desk') },
  ]
  await Promise.all(desks.map(({ page }) => startShift(page)))
  await holdClaims(desks.map(({ page }) => page))
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0001')
  for (const { page } of desks) await rings(page)
  // The message is shown for seconds only, so both desks are watched from before the claims.
  const names = new RegExp(`^Already claimed by (${desks.map(({ person }) => person.nickname).join('|')})$`)
  const refusal = Promise.any(
    desks.map(async ({ person, page }) => {
      const message = page.getByText(names)
      await message.waitFor()
      return { refused: person.id, text: await message.textContent() }
    }),
  )
  await Promise.all(desks.map(({ page }) => claim(page, '101室')))

  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('CLAIMED')
  const { ownerId, id } = await recordAt(site(), '101室')
  const winner = desks.find(({ person }) => person.id === ownerId)
  const loser = desks.find(({ person }) => person.id !== ownerId)
  if (!winner || !loser) throw new Error('nobody won')
  const { nickname } = winner.person
  await alarmRow(winner.page, '101室')
    .getByText(/^Claimed by me$/)
    .waitFor()
  expect(await refusal).toEqual({ refused: loser.person.id, text: `Already claimed by ${nickname}` })
  await alarmRow(loser.page, '101室')
    .getByText(new RegExp(`^Claimed by ${nickname}`))
    .waitFor()
  for (const { page } of desks) await isQuiet(page)
  const claims = await all()
    .selectFrom('warnLog')
    .select('actorId')
    .where('recordId', '=', id)
    .where('verb', '=', 'claim')
    .execute()
  expect(claims).toEqual([{ actorId: ownerId }])
  await eventually(() => verb(loser.page, 'Verify').getAttribute('aria-disabled')).toBe('true')

  await verb(winner.page, 'Release').click()
  await alarmRow(loser.page, '101室').getByText(`Previously claimed by ${nickname}`).waitFor()
  await rings(loser.page)
})

test("ends the claim and rings again with the name of the owner when the owner's page is gone", async () => {
  const { guard, safety } = world().east.staff
  const owner = await visit(guard, '/warn/desk')
  const other = await visit(safety, '/warn/desk')
  await startShift(other)
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0002')
  await claim(owner, '102室')
  await alarmRow(other, '102室')
    .getByText(new RegExp(`^Claimed by ${guard.nickname}`))
    .waitFor()
  await isQuiet(other)
  await owner.context().close()

  // Moves the timestamps of the rows half a minute back.
  const { id } = await recordAt(site(), '102室')
  const past = sql<Date>`now() - interval '1 second'`
  await all().updateTable('warnRecord').set({ leaseUntil: past }).where('id', '=', id).execute()
  await site()
    .db.updateTable('timer')
    .set({ dueAt: past })
    .where('subjectId', '=', id)
    .where('step', '=', 'LEASE')
    .where('doneAt', 'is', null)
    .execute()
  await alarmRow(other, '102室').getByText(`Previously claimed by ${guard.nickname}`).waitFor()
  await alarmRow(other, '102室').getByText('Unclaimed', { exact: true }).waitFor()
  await rings(other)
  await claim(other, '102室')
  await isQuiet(other)
  await detail(other).getByText('Seat lost, released').first().waitFor()
})

test('renews the claim while the page stays open, and lets the next alarm be claimed while a slow claim is pending', async () => {
  const { guard } = world().east.staff
  const page = await visit(guard, '/warn/desk')
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0003')
  await claim(page, '103室')
  await eventually(async () => (await recordAt(site(), '103室')).leaseUntil).not.toBe(null)
  const { leaseUntil } = await recordAt(site(), '103室')
  await eventually(async () => (await recordAt(site(), '103室')).leaseUntil?.getTime()).toBeGreaterThan(
    leaseUntil?.getTime() ?? Number.POSITIVE_INFINITY,
  )
  await eventually(() => recordAt(site(), '103室')).toMatchObject({
    state: 'CLAIMED',
    ownerId: guard.id,
    soundedAt: null,
  })
  // No shift was started here, so nothing sounded: the detail says so.
  await detail(page).getByText('No seat sounded before it was claimed').waitFor()

  fleet.press('EAST-0001')
  await alarmRow(page, '101室').waitFor()
  const slow = (await recordAt(site(), '101室')).id
  const answer = Promise.withResolvers<void>()
  await page.route('**/warn/record/claim', async (route) => {
    const { id } = route.request().postDataJSON() as { id: number }
    if (id === slow) await answer.promise
    await route.continue()
  })
  await claim(page, '101室')
  const underWay = detail(page).locator('.desk-actions .ant-btn-loading')
  await underWay.waitFor()
  fleet.press('EAST-0002')
  await alarmRow(page, '102室').waitFor()
  await alarmRow(page, '102室').getByRole('button', { name: '102室' }).click()
  await detail(page).getByRole('heading', { name: /102室/ }).waitFor()
  // The record now open has no pending claim.
  await eventually(() => underWay.count()).toBe(0)
  await verb(page, 'Claim').click()
  await eventually(async () => (await recordAt(site(), '102室')).state).toBe('CLAIMED')
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('NEW')
  answer.resolve()
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('CLAIMED')
  await detail(page).getByRole('heading', { name: /102室/ }).waitFor()
})

test('lists a self-ended alarm for review without ringing', async () => {
  const { id: schoolId, deptId } = world().east
  const given = { deptId, schoolId, class: 'SECURITY_DUTY', level: 2, condition: 'RECOVERED' } as const
  await makeRecord(site().db, { ...given, room: '自行恢复', state: 'RESOLVED' })
  await makeRecord(site().db, { ...given, room: '还没有人' })
  const page = await visit(world().east.staff.head, '/warn/desk')
  await eventually(() => alarmRow(page, '还没有人').getAttribute('data-due')).toBe('true')
  await alarmRow(page, '还没有人').getByText('Unclaimed').waitFor()
  await page.getByText('1 to review').click()
  await alarmRow(page, '自行恢复').waitFor()
  await eventually(() => alarmRow(page, '自行恢复').getAttribute('data-due')).toBe('false')
  await eventually(() => alarmRow(page, '自行恢复').getByText('Unclaimed').count()).toBe(0)
})

// Contacts of a school: a user with the permission can read the numbers, others see only that there are some.

const contacts = [
  { role: 'GUARD_ROOM', name: '门卫', phone: '027-5550111' },
  { role: 'SAFETY_OFFICER', name: '孙建国', phone: '13900000102' },
]
const fence = {
  type: 'Polygon' as const,
  coordinates: [[[114.39, 30.55] as [number, number], [114.394, 30.55], [114.394, 30.554], [114.39, 30.55]]] as [
    number,
    number,
  ][][],
}
const enterContacts = async () => {
  const emergencyContacts = sql<never>`${JSON.stringify(contacts)}::jsonb`
  await all()
    .updateTable('school')
    .set({ emergencyContacts, geofence: fence })
    .where('id', '=', world().east.id)
    .execute()
}

const hidden = 'Numbers are hidden: you have no right to see them'

const schoolOf = async (person: Person) => {
  const page = await visit(person, '/school/list')
  await openRow(page, EAST_SCHOOL)
  const found = page.getByRole('region', { name: 'Emergency contacts' })
  await found.getByText('孙建国').waitFor()
  return { page, found }
}

test('hides the numbers with a note when the user has no permission to see them', async () => {
  await enterContacts()
  const { found } = await schoolOf(world().bureau)
  await found.getByText('139****0102').waitFor()
  await found.getByText(hidden).waitFor()
  await eventually(() => found.getByRole('link').count()).toBe(0)
})

test('lists the contacts of a school and the plan of its grounds, and shows the numbers beside an alarm until the permission is withdrawn', async () => {
  await enterContacts()
  const { page, found: listed } = await schoolOf(world().lead)
  await eventually(() => listed.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Guard room\s*门卫\s*027-5550111/),
    expect.stringMatching(/Safety officer\s*孙建国\s*13900000102/),
  ])
  await eventually(() => listed.getByRole('link', { name: '13900000102' }).getAttribute('href')).toBe('tel:13900000102')
  await eventually(() => listed.getByText(hidden).count()).toBe(0)
  await page.getByRole('img', { name: /^3 corners, about 8\.5 ha$/ }).waitFor()

  const { id: schoolId, deptId, staff } = world().east
  const ownerId = world().lead.id
  const given = { deptId, schoolId, schoolName: EAST_SCHOOL, room: '207室', level: 2 } as const
  await makeRecord(site().db, { ...given, state: 'HANDLING', ownerId })
  const contactsAt = async (desk: Page) => {
    await alarmRow(desk, '207室').locator('.desk-row-open').click()
    return detail(desk).getByRole('list', { name: 'Emergency contacts' })
  }
  const guard = await contactsAt(await visit(staff.guard, '/warn/desk'))
  await guard.getByRole('link', { name: '027-5550111' }).waitFor()

  await openInside(page, '/warn/desk')
  const found = await contactsAt(page)
  await verb(page, 'Note').click()
  await page.getByRole('region', { name: 'Note', exact: true }).getByRole('textbox').fill('正在联系门卫')
  const items: string[] = []
  page.on('dialog', (dialog) => {
    items.push(dialog.type())
    void dialog.dismiss()
  })
  const number = found.getByRole('link', { name: '027-5550111' })
  await number.click()
  await eventually(() => number.evaluate((link) => link === document.activeElement)).toBe(false)
  expect(items).toEqual([])
  await page.close({ runBeforeUnload: true })
  await eventually(() => items).toEqual(['beforeunload'])

  await all()
    .deleteFrom('roleMenu')
    .where('menuId', 'in', all().selectFrom('menu').select('id').where('permission', '=', REVEAL_CONTACTS_PERMISSION))
    .execute()
  await emitEvents(site().db, { type: 'permission.changed' })
  await found.getByText('027****0111').waitFor()
  await eventually(() => found.getByRole('link').count()).toBe(0)
})
