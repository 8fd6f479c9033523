import { codes } from '@tocsin/contract/codes'
import { addDays, startOfWeek } from '@tocsin/contract/security/hours'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import { unscoped } from '#db/scope'

type Owner = { schoolId: number | null; deptId: number | null }
type Place = Owner & { postId: number; employeeId: number }
let site: DutyServer
let school: Place
let otherSchool: Place
let seats: Place
beforeAll(async () => {
  site = await startDutyServer()
  const place = async (owner: Owner, name: string, more: object = {}): Promise<Place> => {
    const employeeOf = { ...owner, ...(owner.deptId === null && { deptId: site.here.deptId }) }
    const { id: employeeId } = await site.guard(name, employeeOf)
    return { ...owner, postId: await site.post({ ...owner, name: `${name}岗`, ...more }), employeeId }
  }
  school = await place({ schoolId: site.schoolId, deptId: null }, '马军')
  otherSchool = await place({ schoolId: site.otherSchoolId, deptId: null }, '杜伟')
  seats = await place({ schoolId: null, deptId: site.here.deptId }, '林强', { type: 'SEAT' })
})
afterAll(() => site.end())
beforeEach(() => site.all.deleteFrom('shift').execute())

const S = '/security/shift'
const HOUR = 3_600_000
const monday = (week: number) => addDays(startOfWeek(new Date()), 7 * week).getTime()
const ownerOf = ({ schoolId, deptId }: Owner) => ({ schoolId, deptId })
const draft = async ({ schoolId, deptId, postId, employeeId }: Place, from: number, hours = 8) => {
  const values = { schoolId, deptId, postId, employeeId, fromAt: new Date(from), toAt: new Date(from + hours * HOUR) }
  return (await site.all.insertInto('shift').values(values).returning('id').executeTakeFirstOrThrow()).id
}
const publish = (week: number, owner: object, token?: string) =>
  site.call('POST', `${S}/publish`, { week, reason: '已安排', ...owner }, token)
const copy = (week: number, owner: object) => site.call('POST', `${S}/copy-week`, { week, ...owner })
const published = async () => {
  const rows = await site.all.selectFrom('shift').select('id').where('publishedAt', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

describe('a week', () => {
  it('is published and copied for one owner when the planner sees the shifts of all', async () => {
    const drafts = []
    for (const place of [school, otherSchool, seats]) drafts.push(await draft(place, monday(2)))
    expect((await publish(monday(2), ownerOf(seats))).data).toBe(1)
    expect(await published()).toEqual([drafts[2]])
    expect((await copy(monday(3), ownerOf(seats))).data).toEqual({ created: 1, skipped: 0 })
    expect((await copy(monday(3), ownerOf(school))).data).toEqual({ created: 1, skipped: 0 })
    const copies = await site.all
      .selectFrom('shift')
      .select(['schoolId', 'deptId'])
      .where('fromAt', '>=', new Date(monday(3)))
      .orderBy('id')
      .execute()
    expect(copies).toEqual([ownerOf(seats), ownerOf(school)])
  })

  it('is refused without exactly one owner, and for an owner that the planner does not see', async () => {
    const id = await draft(school, monday(2))
    for (const owner of [{}, { schoolId: site.schoolId, deptId: site.here.deptId }]) {
      expect((await publish(monday(2), owner)).code).toBe(codes.shiftOneOwner.code)
      expect((await copy(monday(3), owner)).code).toBe(codes.shiftOneOwner.code)
    }
    const { token } = await site.clerk('security:shift:publish')
    await site.all.updateTable('role').set({ dataScope: 'SELF' }).where('code', 'like', 'clerk%').execute()
    for (const owner of [ownerOf(school), ownerOf(seats)])
      expect((await publish(monday(2), owner, token)).code).toBe(codes.notFound.code)
    expect([await published(), (await publish(monday(2), ownerOf(school))).data]).toEqual([[], 1])
    expect(await published()).toEqual([id])
  })

  it('leaves a shift that is over unpublished, without timers', async () => {
    const now = Date.now()
    const over = await draft(school, now - 3 * HOUR, 2)
    const running = await draft(school, now - HOUR, 2)
    // A week begins at midnight: near it, the two are in different weeks.
    const weeks = [now - 3 * HOUR, now - HOUR].map((at) => startOfWeek(new Date(at)).getTime())
    const answers = []
    for (const week of new Set(weeks)) answers.push(await publish(week, ownerOf(school)))
    expect(answers.at(-1)?.data).toBe(1)
    expect(await published()).toEqual([running])
    const timers = site.all.selectFrom('timer').select('step').where('kind', '=', 'shift').where('subjectId', '=', over)
    expect(await timers.execute()).toEqual([])
  })
})

describe('a shift that is over', () => {
  it('is neither planned, nor moved to, nor taken by a stand-in', async () => {
    const now = Date.now()
    const [fromAt, toAt] = [now - 3 * HOUR, now - HOUR]
    const { postId, employeeId } = school
    const planned = await site.call('POST', `${S}/create`, { postId, employeeId, fromAt, toAt })
    expect(planned.code).toBe(codes.shiftPast.code)
    const id = await draft(school, monday(2))
    expect((await site.call('PUT', `${S}/update`, { id, fromAt, toAt })).code).toBe(codes.shiftPast.code)
    const missed = await draft(school, fromAt, 2)
    await site.all
      .updateTable('shift')
      .set({ state: 'ABSENT', publishedAt: new Date(fromAt) })
      .where('id', '=', missed)
      .execute()
    const other = await site.guard('吴刚')
    const stand = await site.call('POST', `${S}/stand-in`, { shiftId: missed, employeeId: other.id })
    expect(stand.code).toBe(codes.shiftPast.code)
  })
})

describe('the list of free people', () => {
  it('is read while a planner holds its people, and has those of a second school', async () => {
    const shared = await site.guard('周平', { schoolId: site.otherSchoolId })
    const schoolsOf = { employeeId: shared.id, schoolId: site.schoolId }
    await site.all.insertInto('employeeSchool').values(schoolsOf).execute()
    await draft(school, monday(2))
    const at = `fromAt=${monday(2) + 10 * HOUR}&toAt=${monday(2) + 18 * HOUR}`
    const free = await site.site.db.transaction().execute(async (trx) => {
      await unscoped(trx, 'a planner').selectFrom('employee').select('id').forNoKeyUpdate().execute()
      return (await site.call('GET', `${S}/free?postId=${school.postId}&${at}`)).data as unknown as { name: string }[]
    })
    const names = free.map(({ name }) => name)
    expect(names).toContain('周平')
    // Two hours of rest are too few, and the other school's people do not work here.
    for (const name of ['马军', '杜伟']) expect(names).not.toContain(name)
  })
})
