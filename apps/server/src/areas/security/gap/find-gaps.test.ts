import { addDays, startOfDay } from '@tocsin/contract/security/hours'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import type { Row } from '#db/tables'
import { findGaps } from './find-gaps.ts'

let site: DutyServer
beforeAll(async () => {
  site = await startDutyServer()
})
afterAll(() => site.end())

const HOUR_MS = 3_600_000

it('reports a gap when the person of a published shift is on leave, has left, or has no enabled account', async () => {
  const postId = await site.post({ fromMin: 480, toMin: 960 })
  const { id: employeeId } = await site.guard('马军')
  const day = startOfDay(new Date())
  const tomorrow = addDays(day, 1)
  const [fromAt, toAt] = [8, 16].map((hour) => new Date(tomorrow.getTime() + hour * HOUR_MS)) as [Date, Date]
  const shift = { postId, schoolId: site.schoolId, employeeId, fromAt, toAt, publishedAt: new Date() }
  await site.all.insertInto('shift').values(shift).execute()
  const { userId } = await site.all
    .selectFrom('employee')
    .select('userId')
    .where('id', '=', employeeId)
    .executeTakeFirstOrThrow()
  const setPerson = (values: Partial<Pick<Row<'employee'>, 'status' | 'leftAt' | 'userId'>>) =>
    site.all.updateTable('employee').set(values).where('id', '=', employeeId).execute()
  const setAccount = (enabled: boolean) =>
    site.all
      .updateTable('users')
      .set({ enabled })
      .where('id', '=', userId ?? 0)
      .execute()
  // Five in the afternoon: what follows within 24 hours is the shift of tomorrow.
  const now = new Date(day.getTime() + 17 * HOUR_MS)
  const reasons = async () =>
    (await findGaps(site.site.db, [site.schoolId], now)).map(({ from, reason }) => [from.getTime(), reason])
  const isCovered = async () => {
    const found = await reasons()
    const calendar = await site.call('GET', `/security/shift/calendar?from=${tomorrow.getTime()}&days=1`)
    const { shifts } = calendar.data as unknown as { shifts: { canReceive: boolean }[] }
    expect(shifts.map(({ canReceive }) => canReceive)).toEqual([found.length === 0])
    if (found.length > 0) expect(found).toEqual([[fromAt.getTime(), 'UNREACHABLE']])
    return found.length === 0
  }

  expect(await isCovered()).toBe(true)
  await setPerson({ status: 'LEAVE' })
  expect(await isCovered()).toBe(false)
  await setPerson({ status: 'LEFT', leftAt: new Date() })
  expect(await isCovered()).toBe(false)
  await setPerson({ status: 'ACTIVE', leftAt: null })
  expect(await isCovered()).toBe(true)
  await setAccount(false)
  expect(await isCovered()).toBe(false)
  await setAccount(true)
  await setPerson({ userId: null })
  expect(await isCovered()).toBe(false)
  // Whoever leaves after a shift has covered it.
  await site.all.updateTable('shift').set({ state: 'DONE' }).execute()
  expect(await isCovered()).toBe(true)
})
