import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSchool } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AdminServer, pageIn, startAdminServer } from '../../../../test/admin-server.ts'
import { linesOf } from '../../../../test/job-fixture.ts'
import { reportRoutes } from './routes.ts'

const DAY = '2024-03-13'
const at = new Date('2024-03-13T10:00:00+08:00')

let admin: AdminServer
let clerk: { token: string }
let school: Awaited<ReturnType<typeof makeSchool>>
let foreign: Awaited<ReturnType<typeof makeSchool>>

beforeAll(async () => {
  admin = await startAdminServer((db) => reportRoutes({ db }))
  clerk = await admin.clerk('insight:report:query', 'insight:report:create', 'insight:report:export')
  await admin.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
  school = await makeSchool(admin.site.db, { name: '东湖一小', eduDeptId: admin.here.deptId })
  foreign = await makeSchool(admin.site.db, { name: '西湖一小', eduDeptId: admin.there.deptId })
  // A record may lack the name of its school.
  for (const { id, deptId } of [school, school, foreign])
    await makeRecord(admin.site.db, { schoolId: id, deptId, firstAt: at, receivedAt: at })
  const before = new Date('2024-02-29T10:00:00+08:00')
  const past = { schoolId: school.id, schoolName: school.name, deptId: school.deptId }
  await makeRecord(admin.site.db, { ...past, firstAt: before, receivedAt: before })
})
afterAll(() => admin.end())

type Draft = { kind: string; subjectType: string; subjectId: number; day: string }
const month = (subjectId: number, subjectType = 'DEPT'): Draft => ({ kind: 'MONTH', subjectType, subjectId, day: DAY })
const issue = (draft: Draft, token?: string) => admin.call('POST', '/insight/report/create', draft, token)
const get = (id: unknown, token?: string) => admin.call('GET', `/insight/report/get?id=${String(id)}`, undefined, token)
const listed = async (token?: string) =>
  pageIn(await admin.call('GET', '/insight/report/page', undefined, token)).list.map(({ id }) => id)

describe('reports', () => {
  it('count the schools of the subject and compare with the calendar period before', async () => {
    const { data: id } = await issue(month(admin.here.deptId), clerk.token)
    expect((await get(id, clerk.token)).data).toMatchObject({
      fromDay: '2024-03-01',
      toDay: '2024-03-31',
      figuresVersion: 1,
      figures: { now: { govern: { total: 2, totalBefore: 1 } }, before: { govern: { total: 1 } } },
    })
    expect(await listed(clerk.token)).toContain(id)
    expect((await issue({ ...month(admin.here.deptId), day: '2024-03-31' }, clerk.token)).code).toBe(
      codes.reportIssued.code,
    )
  })

  it('are workbooks that begin with the comparison', async () => {
    const { data: id } = await issue({ ...month(school.id, 'SCHOOL'), kind: 'WEEK' }, clerk.token)
    const { rawPayload } = await admin.site.app.inject({
      url: `/admin-api/insight/report/export?id=${String(id)}`,
      headers: { authorization: `Bearer ${clerk.token}` },
    })
    expect((await linesOf(new Uint8Array(rawPayload))).slice(0, 2)).toEqual([
      ['指标', '本期', '上一期', '变化'],
      ['警情', '2', '0', '2'],
    ])
    expect(await admin.events('report.issued')).toContainEqual({ ref: id, userId: null })
  })

  it('stay as they were issued', async () => {
    const { data } = await issue({ ...month(school.id, 'SCHOOL'), kind: 'DAY' }, clerk.token)
    await makeRecord(admin.site.db, { schoolId: school.id, deptId: school.deptId, firstAt: at, receivedAt: at })
    expect((await get(data, clerk.token)).data).toMatchObject({ figures: { now: { govern: { total: 2 } } } })
    const stored = admin.all.updateTable('report').set({ figuresVersion: 9 }).where('id', '=', Number(data))
    await expect(stored.execute()).rejects.toThrow('issued and frozen')
    const deleted = admin.all.deleteFrom('report').where('id', '=', Number(data))
    await expect(deleted.execute()).rejects.toThrow('issued and frozen')
  })

  it('are issued only after the period', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const draft = { ...month(admin.here.deptId), day }
    expect((await issue(draft, clerk.token)).code).toBe(codes.reportPeriodOpen.code)
  })

  it('do not exist for a reader of a part of the subject', async () => {
    const station = await admin.all
      .insertInto('dept')
      .values({ name: '东湖派出所', kind: 'POLICE_STATION', parentId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await admin.all
      .updateTable('school')
      .set({ policeDeptId: station.id })
      .where('id', 'in', [school.id, foreign.id])
      .execute()
    expect((await issue(month(station.id, 'STATION'), clerk.token)).code).toBe(codes.notFound.code)
    const subjects = async (type: string, token?: string) =>
      (await admin.call('GET', `/insight/report/subjects?subjectType=${type}`, undefined, token)).data
    expect(await subjects('STATION', clerk.token)).toEqual([])
    expect(await subjects('STATION')).toContainEqual({ id: station.id, name: '东湖派出所' })
    expect(await subjects('DEPT', clerk.token)).toEqual([{ id: admin.here.deptId, name: '甲部门' }])
    expect(await subjects('SCHOOL', clerk.token)).toEqual([{ id: school.id, name: '东湖一小' }])
    const { data: id } = await issue(month(station.id, 'STATION'))
    expect((await get(id)).data).toMatchObject({ figures: { now: { govern: { total: 4 } } } })
    expect((await get(id)).data).toHaveProperty(
      'figures.now.govern.schools',
      expect.arrayContaining([expect.objectContaining({ schoolName: '西湖一小', n: 1 })]),
    )
    expect(await listed()).toContain(id)
    expect((await get(id, clerk.token)).code).toBe(codes.notFound.code)
    expect(await listed(clerk.token)).not.toContain(id)
  })
})
