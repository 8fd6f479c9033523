import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept, makeSchool, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../../test/admin-server.ts'
import { employeeRoutes } from './routes.ts'

const E = '/school/employee'

let site: AdminServer
let school: { id: number; deptId: number }
let station: number
beforeAll(async () => {
  site = await startAdminServer((db) => employeeRoutes({ db }))
  school = await makeSchool(site.site.db, { name: '湖滨小学' })
  station = (await makeDept(site.site.db, { kind: 'POLICE_STATION', name: '北山派出所' })).id
})
afterAll(() => site.end())

let made = 0
/** A police officer of the station, with an account. */
const makeOfficer = async () => {
  made += 1
  const { id: userId } = await makeUser(site.site.db, { deptId: station })
  const draft = { employeeNo: `P-${made}`, name: `赵六${made}`, kind: 'POLICE', deptId: station }
  const id = (await site.call('POST', `${E}/create`, draft)).data as unknown as number
  expect(await site.call('PUT', `${E}/link-account`, { id, version: 1, userId })).toMatchObject({ code: 200 })
  return { id, userId }
}

const joinUnit = async (userId: number, name: string) => {
  const unit = { deptId: station, name, type: 'CAR' as const }
  const { id } = await site.all.insertInto('policeUnit').values(unit).returning('id').executeTakeFirstOrThrow()
  await site.all.insertInto('policeUnitMember').values({ unitId: id, userId }).execute()
}

const general = { targets: [{ kind: 'STATION' }], channels: ['SMS'] }
const first = { afterSec: 0, ...general }
const insertPolicy = (name: string, more: { steps?: object[]; fallback?: object; deptId?: number }) => {
  const { steps = [first], fallback = general, deptId = null } = more
  const columns = { name, deptId, level: 2, steps: JSON.stringify(steps), fallback: JSON.stringify(fallback) }
  return site.all
    .insertInto('notifyPolicy')
    .values(columns as never)
    .execute()
}

const insertPost = async (name: string) => {
  const hours = { type: 'GATE', fromMin: 0, toMin: 1440, checkCode: name }
  const post = { schoolId: school.id, name, ...hours }
  const inserted = site.all.insertInto('securityPost').values(post as never)
  return (await inserted.returning('id').executeTakeFirstOrThrow()).id
}
/** Begins so many hours from now and takes eight. */
const insertShift = async (postId: number, employeeId: number, hours: number, state = 'PLANNED'): Promise<Date> => {
  const inHours = (n: number) => new Date(Date.now() + n * 3_600_000)
  const fromAt = inHours(hours)
  const shift = { postId, schoolId: school.id, employeeId, fromAt, toAt: inHours(hours + 8), state }
  await site.all
    .insertInto('shift')
    .values(shift as never)
    .execute()
  return fromAt
}

const namedAs = async (id: number) => (await site.call('GET', `${E}/named-as?id=${id}`)).data

describe('the places that name a person', () => {
  it('include units, and policies by a step or as the last resort', async () => {
    const { id, userId } = await makeOfficer()
    expect(await namedAs(id)).toEqual([])
    await joinUnit(userId, '一号车')
    const naming = { targets: [{ kind: 'USER', userId }], channels: ['SMS'] }
    const other = { targets: [{ kind: 'USER', userId: userId + 1000 }], channels: ['SMS'] }
    await insertPolicy('逐级通知', { steps: [first, { afterSec: 60, ...naming }] })
    await insertPolicy('本校兜底', { fallback: naming, deptId: school.deptId })
    await insertPolicy('与人无关', { steps: [{ afterSec: 0, ...other }], deptId: station })
    expect(await namedAs(id)).toEqual([
      { what: 'UNIT', where: '北山派出所 一号车', schoolId: null },
      { what: 'POLICY', where: '逐级通知', schoolId: null },
      { what: 'POLICY', where: '本校兜底', schoolId: school.id },
    ])
  })

  it('include each post with shifts that are not over', async () => {
    const { id } = await makeOfficer()
    const [gate, patrol, former] = [await insertPost('东门'), await insertPost('巡逻'), await insertPost('西门')]
    const now = await insertShift(gate, id, -4, 'CHECKED_IN')
    await insertShift(gate, id, 20)
    const ahead = await insertShift(patrol, id, 44)
    await insertShift(patrol, id, 68, 'ABSENT')
    await insertShift(former, id, -60)
    await insertShift(former, id, -30, 'DONE')
    const at = { what: 'SHIFT', schoolId: school.id }
    expect(await namedAs(id)).toEqual([
      { ...at, where: '湖滨小学 东门', shifts: { count: 2, fromAt: now.getTime() } },
      { ...at, where: '湖滨小学 巡逻', shifts: { count: 1, fromAt: ahead.getTime() } },
    ])
  })

  it('are told to the desk of the own station and to the school when the person leaves', async () => {
    const desk = await makeUser(site.site.db, { deptId: station, roles: ['station_desk'] })
    const admin = await makeUser(site.site.db, { deptId: school.deptId, roles: ['school_admin'] })
    const { id, userId } = await makeOfficer()
    await joinUnit(userId, '二号车')
    await insertShift(await insertPost('南门'), id, 20)
    const leave = { id, version: 2, reason: '调离' }
    expect(await site.call('POST', `${E}/leave`, leave)).toMatchObject({ code: 200 })
    const told = await site.all
      .selectFrom('noticeUser')
      .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
      .select(['userId', 'content'])
      .orderBy('userId')
      .execute()
    expect(told).toEqual([
      { userId: desk.id, content: expect.stringContaining('：北山派出所 二号车 警力成员；湖滨小学 南门 排班。') },
      { userId: admin.id, content: expect.stringContaining('：湖滨小学 南门 排班。') },
    ])
  })
})
