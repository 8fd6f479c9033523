import { codes } from '@tocsin/contract/codes'
import type { OrderSubjectOption } from '@tocsin/contract/supervise/order'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDevice, makeInstallation, makeModel, makePlace, makeSchool } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { inDays, type SuperviseServer, startSuperviseServer } from '../../../../test/supervise-server.ts'

let site: SuperviseServer
beforeAll(async () => {
  site = await startSuperviseServer()
})
afterAll(() => site.end())

const O = '/supervise/order'
const subjects = async (query: string, token = site.who.issuer.token) =>
  (await site.call('GET', `${O}/subjects?${query}`, undefined, token)).data as unknown as OrderSubjectOption[]
const people = async (query: string, token = site.who.issuer.token) =>
  ((await site.call('GET', `${O}/people?${query}`, undefined, token)).data as unknown as { id: number }[])
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)

describe('the subjects of an order', () => {
  it('are alarms in sight with level, place and time, the latest first, found by number or place', async () => {
    const { id: schoolId, deptId } = site.first
    const there = { deptId, schoolId, schoolName: '东湖一小', placePath: '2 号楼 / 304' }
    const [first, second] = [
      await makeRecord(site.site.db, { ...there, level: 2, firstAt: new Date(inDays(-2)), state: 'CLOSED' }),
      await makeRecord(site.site.db, { ...there, placePath: '操场' }),
    ]
    const alarms = 'subjectType=WARN_RECORD'
    expect((await subjects(alarms)).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await subjects(`${alarms}&keyword=304`)).toEqual([
      {
        id: first.id,
        label: first.no,
        schoolId,
        schoolName: '东湖一小',
        place: '2 号楼 / 304',
        level: 2,
        at: first.firstAt.getTime(),
      },
    ])
    expect(await subjects(`${alarms}&chosenId=${second.id}`)).toMatchObject([{ label: second.no, place: '操场' }])
    expect(await subjects(alarms, site.who.stranger.token)).toEqual([])
    expect(await subjects(`${alarms}&chosenId=${second.id}`, site.who.stranger.token)).toEqual([])
  })

  it('are installed devices and schools in sight, each with its school', async () => {
    const { db } = site.site
    const { id: schoolId, name } = site.second
    const model = await makeModel(db)
    const { device } = await makeDevice(db, { modelId: model.id, key: randomBytes(32), sn: 'SUB-0001' })
    const place = await makePlace(db, { schoolId, name: '门卫室' })
    const installed = await makeInstallation(db, device, place)
    const found = { id: installed.id, label: 'SUB-0001', schoolId, schoolName: name, place: '门卫室' }
    expect(await subjects('subjectType=SCHOOL_DEVICE&keyword=SUB-')).toMatchObject([found])
    expect(await subjects(`subjectType=SCHOOL_DEVICE&chosenId=${installed.id}`)).toMatchObject([found])
    expect(await subjects('subjectType=SCHOOL_DEVICE', site.who.stranger.token)).toEqual([])
    expect(await subjects(`subjectType=SCHOOL&chosenId=${schoolId}`)).toMatchObject([{ label: name, schoolId }])
    expect(await subjects(`subjectType=SCHOOL&chosenId=${schoolId}`, site.who.stranger.token)).toEqual([])
    expect(await subjects('subjectType=NONE')).toEqual([])
    const created = await site.create({ subjectType: 'SCHOOL_DEVICE', subjectId: installed.id })
    expect(await site.rowOf(created)).toMatchObject({ subjectId: installed.id, subjectLabel: 'SUB-0001' })
  })

  it('are only of kinds whose list the caller may read', async () => {
    const { token, userId } = await site.clerk('supervise:order:draft', 'school:school:query')
    const school = await makeSchool(site.site.db, { eduDeptId: site.there.deptId })
    await site.all.updateTable('users').set({ deptId: school.deptId }).where('id', '=', userId).execute()
    await makeRecord(site.site.db, { deptId: school.deptId, schoolId: school.id })
    expect((await subjects('subjectType=SCHOOL', token)).map(({ id }) => id)).toEqual([school.id])
    expect(await subjects('subjectType=WARN_RECORD', token)).toEqual([])
    const { code } = await site.call('GET', `${O}/subjects?subjectType=SCHOOL`, undefined, site.who.head.token)
    expect(code).toBe(codes.forbidden.code)
  })
})

describe('the people whom an order can name', () => {
  it('are of the chosen school, or of the department and below it, without the caller', async () => {
    const { issuer, reviewer, head, safety, other } = site.who
    const ordered = (...ids: number[]) => ids.toSorted((a, b) => a - b)
    expect(await people(`schoolId=${site.first.id}`)).toEqual(ordered(head.id, safety.id))
    const ofBureau = await people(`responsibleDeptId=${site.bureau.id}`)
    expect(ofBureau).toEqual(ordered(reviewer.id, head.id, safety.id, other.id))
    expect(ofBureau).not.toContain(issuer.id)
    expect(await people(`schoolId=${site.first.id}&chosenId=${other.id}`)).toEqual([])
    expect(await people(`schoolId=${site.second.id}&chosenId=${other.id}`)).toEqual([other.id])
    expect(await people('')).toEqual([])
  })

  it('are nobody of a unit out of sight', async () => {
    const { stranger } = site.who
    expect(await people(`schoolId=${site.first.id}`, stranger.token)).toEqual([])
    expect(await people(`responsibleDeptId=${site.bureau.id}`, stranger.token)).toEqual([])
  })

  it('are enabled, and found by name or department', async () => {
    const clerk = await site.person(site.second.deptId, 'safety_officer')
    const { nickname } = await site.all
      .selectFrom('users')
      .select('nickname')
      .where('id', '=', clerk.id)
      .executeTakeFirstOrThrow()
    expect(await people(`schoolId=${site.second.id}&keyword=${nickname}`)).toEqual([clerk.id])
    await site.all.updateTable('dept').set({ name: '学府二小' }).where('id', '=', site.second.deptId).execute()
    const byDept = `keyword=${encodeURIComponent('学府')}`
    expect(await people(`responsibleDeptId=${site.bureau.id}&${byDept}`)).toEqual([site.who.other.id, clerk.id])
    await site.all.updateTable('users').set({ enabled: false }).where('id', '=', clerk.id).execute()
    expect(await people(`schoolId=${site.second.id}`)).toEqual([site.who.other.id])
  })
})
