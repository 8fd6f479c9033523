import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { makeRecord } from '../apps/server/seed/record-fixtures.ts'
import { alarmRow, claim, clearDesks, detail, isQuiet, recordAt, rings, startShift, verb } from './desk.ts'
import { eventually, browserTest } from './setup/browser-test.ts'

const { site, world, visit, devices, all } = browserTest({ language: 'en', theme: 'light' })
beforeEach(() => clearDesks(site()))

/** Holds the claims of these pages back until all have been sent, so that they meet at the server. */
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

test('of two desks that claim at the same moment one wins, and the other is told who', async () => {
  const { guard, safety } = world().east.staff
  const desks = [
    { person: guard, page: await visit(guard, '/desk') },
    { person: safety, page: await visit(safety, '/desk') },
  ]
  await Promise.all(desks.map(({ page }) => startShift(page)))
  await holdClaims(desks.map(({ page }) => page))
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0001')
  for (const { page } of desks) await rings(page)
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
  await loser.page.getByText(`Already claimed by ${nickname}`, { exact: true }).waitFor()
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
})

test('an owner whose page is gone loses the claim, and the alarm rings again with his name', async () => {
  const { guard, safety } = world().east.staff
  const owner = await visit(guard, '/desk')
  const other = await visit(safety, '/desk')
  await startShift(other)
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0002')
  await claim(owner, '102室')
  await alarmRow(other, '102室')
    .getByText(new RegExp(`^Claimed by ${guard.nickname}`))
    .waitFor()
  await isQuiet(other)
  await owner.context().close()

  // Half a minute later, as the rows tell it.
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

test('an open page keeps its claim by itself', async () => {
  const { guard } = world().east.staff
  const page = await visit(guard, '/desk')
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
  // No shift was started here, so nothing rang: that is said, not left empty.
  await detail(page).getByText('No seat sounded before it was claimed').waitFor()
})

test('a claim is given back, and rings at the other desks again', async () => {
  const { guard, safety } = world().east.staff
  const owner = await visit(guard, '/desk')
  const other = await visit(safety, '/desk')
  await startShift(other)
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0004')
  await claim(owner, '保安室')
  await alarmRow(other, '保安室')
    .getByText(new RegExp(`^Claimed by ${guard.nickname}`))
    .waitFor()
  await verb(owner, 'Release').click()
  await alarmRow(other, '保安室').getByText(`Previously claimed by ${guard.nickname}`).waitFor()
  await rings(other)
})

test('a claim that takes long keeps nobody from the next alarm', async () => {
  const { guard } = world().east.staff
  const page = await visit(guard, '/desk')
  const fleet = await devices({ devices: world().east.devices })
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
  // Not this one is under way.
  await eventually(() => underWay.count()).toBe(0)
  await verb(page, 'Claim').click()
  await eventually(async () => (await recordAt(site(), '102室')).state).toBe('CLAIMED')
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('NEW')
  answer.resolve()
  await eventually(async () => (await recordAt(site(), '101室')).state).toBe('CLAIMED')
  await detail(page).getByRole('heading', { name: /102室/ }).waitFor()
})

test('what ended by itself waits for its review without calling for anybody', async () => {
  const { id: schoolId, deptId } = world().east
  const given = { deptId, schoolId, class: 'SECURITY_DUTY', level: 2, condition: 'RECOVERED' } as const
  await makeRecord(site().db, { ...given, room: '自行恢复', state: 'RESOLVED' })
  await makeRecord(site().db, { ...given, room: '还没有人' })
  const page = await visit(world().east.staff.head, '/desk')
  await eventually(() => alarmRow(page, '还没有人').getAttribute('data-due')).toBe('true')
  await alarmRow(page, '还没有人').getByText('Unclaimed').waitFor()
  await page.getByText('1 to review').click()
  await alarmRow(page, '自行恢复').waitFor()
  await eventually(() => alarmRow(page, '自行恢复').getAttribute('data-due')).toBe('false')
  await eventually(() => alarmRow(page, '自行恢复').getByText('Unclaimed').count()).toBe(0)
})
