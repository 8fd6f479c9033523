import { codes } from '@tocsin/contract/codes'
import { WallBoard } from '@tocsin/contract/insight/wall'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeSchool, makeUser } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AdminServer, pageIn, startAdminServer } from '../../../../test/admin-server.ts'
import type { ApiResponse } from '../../../../test/console.ts'
import { wallRoutes } from './routes.ts'

const rights = [
  'insight:wall:query',
  'insight:wall:create',
  'insight:wall:revoke',
  'warn:record:query',
  'school:school:query',
  'insight:readiness:query',
  'security:shift:query',
  'police:unit:query',
]

let admin: AdminServer
let clerk: { token: string; userId: number }
let school: Awaited<ReturnType<typeof makeSchool>>
let other: Awaited<ReturnType<typeof makeSchool>>

const seedPerson = async (): Promise<void> => {
  const owner = await makeUser(admin.site.db, { deptId: school.deptId, nickname: '欧阳秘密', mobile: '13800001234' })
  await admin.all
    .insertInto('employee')
    .values({ deptId: school.deptId, schoolId: school.id, employeeNo: 'E-777', name: '欧阳秘密', kind: 'GUARD' })
    .execute()
  const at = { schoolId: school.id, deptId: school.deptId, schoolName: '东湖一小' }
  await makeRecord(admin.site.db, { ...at, level: 2, state: 'CLAIMED', ownerId: owner.id, placePath: '教学楼 / 304' })
  await makeRecord(admin.site.db, { ...at, level: 1, class: 'FIRE' })
  await makeRecord(admin.site.db, { ...at, level: 4, state: 'CLOSED' })
  await makeRecord(admin.site.db, { schoolId: other.id, deptId: other.deptId, schoolName: '西湖一小', level: 1 })
}

/** A unit of the department of the clerk, one off duty, and one of another department. */
const seedUnits = () => {
  const at = { deptId: admin.here.deptId, type: 'CAR' as const, lng: 115.91, lat: 28.71, onDuty: true }
  const units = [
    { ...at, name: '欧阳秘密的车' },
    { ...at, name: '二号车', onDuty: false },
    { ...at, name: '三号车', deptId: admin.there.deptId },
  ]
  return admin.all.insertInto('policeUnit').values(units).execute()
}

beforeAll(async () => {
  admin = await startAdminServer((db) => wallRoutes({ db }))
  clerk = await admin.clerk(...rights)
  const at = { status: 'ACTIVE' as const, lng: 115.9, lat: 28.7 }
  school = await makeSchool(admin.site.db, { name: '东湖一小', eduDeptId: admin.here.deptId, ...at })
  other = await makeSchool(admin.site.db, { name: '西湖一小', eduDeptId: admin.there.deptId, ...at })
  await admin.all.updateTable('role').set({ dataScope: 'DEPT_AND_CHILD' }).where('code', 'like', 'clerk%').execute()
  await seedPerson()
  await seedUnits()
})
afterAll(() => admin.end())

type Created = { id: number; token: string }

const create = async (deptId: number, token = clerk.token): Promise<Created> => {
  const { data } = await admin.call('POST', '/insight/wall/create', { name: '大厅', deptId, days: 7 }, token)
  return data as unknown as Created
}
const open = (token: string): Promise<ApiResponse> =>
  admin.site.call('POST', '/insight/wall-board/open', { body: { token } })
const boardOf = async (token: string) => z.decode(WallBoard, (await open(token)).data as never)

describe('links to the wall', () => {
  it('show the token once and keep only its hash', async () => {
    const { id, token } = await create(admin.here.deptId)
    expect(token).toHaveLength(43)
    const listed = await admin.call('GET', '/insight/wall/page', undefined, clerk.token)
    expect(pageIn(listed).list).toMatchObject([{ id, name: '大厅', state: 'ACTIVE', lastUsedAt: null }])
    const { rows } = await sql<{ row: string }>`select a::text as row from audit_log a`.execute(admin.site.db)
    const { hash } = await admin.all
      .selectFrom('wallToken')
      .select('hash')
      .where('linkId', '=', id)
      .executeTakeFirstOrThrow()
    for (const text of [JSON.stringify(listed.data), ...rows.map(({ row }) => row)]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(hash.toString('hex'))
    }
    expect(await admin.audited('wall_link', id)).toEqual(['insight:wall:create'])
  })

  it('stay within the departments of the caller', async () => {
    const refused = await admin.call(
      'POST',
      '/insight/wall/create',
      { name: '大厅', deptId: admin.there.deptId, days: 7 },
      clerk.token,
    )
    expect(refused.code).toBe(codes.notFound.code)
    const { id } = await create(admin.there.deptId, admin.adminToken)
    const listed = await admin.call('GET', '/insight/wall/page', undefined, clerk.token)
    expect(pageIn(listed).list.map((row) => row['id'])).not.toContain(id)
    expect((await admin.call('POST', '/insight/wall/revoke', { id }, clerk.token)).code).toBe(codes.notFound.code)
  })
})

describe('the board of a wall', () => {
  it('has the alarms, schools and figures of the department of its link', async () => {
    const { token } = await create(admin.here.deptId)
    const board = await boardOf(token)
    expect(board.alarms).toMatchObject({ total: 2, list: [{ level: 1, class: 'FIRE' }, { placePath: '教学楼 / 304' }] })
    expect(board.schools).toMatchObject([{ name: '东湖一小', alarm: { level: 1, isClaimed: false } }])
    expect(board.units).toMatchObject([{ type: 'CAR', state: 'FREE', stationName: '甲部门', lng: 115.91 }])
    expect(board).toMatchObject({
      name: '大厅',
      deptName: '甲部门',
      duty: { planned: 0 },
      readiness: { worst: [], days: [] },
    })
  })

  it('is narrowed to the department of its link, even when its creator sees more', async () => {
    const { token } = await create(admin.there.deptId, admin.adminToken)
    expect((await boardOf(token)).schools?.map(({ name }) => name)).toEqual(['西湖一小'])
  })

  it('contains no name, number or account of a person', async () => {
    const { token } = await create(admin.here.deptId)
    const text = JSON.stringify((await open(token)).data)
    for (const secret of ['欧阳秘密', '13800001234', 'E-777', 'clerk', 'ownerId', 'userId', 'creator'])
      expect(text).not.toContain(secret)
  })

  it('leaves out what its creator may not read', async () => {
    const poor = await admin.clerk('insight:wall:create')
    const { token } = await create(admin.here.deptId, poor.token)
    const nothing = { alarms: null, response: null, readiness: null, duty: null, schools: null, units: null }
    expect(await boardOf(token)).toMatchObject(nothing)
  })

  it('is refused for an unknown, revoked or expired link', async () => {
    expect((await open('x'.repeat(43))).code).toBe(codes.wallUnknown.code)
    const revoked = await create(admin.here.deptId)
    await admin.call('POST', '/insight/wall/revoke', { id: revoked.id }, clerk.token)
    expect((await open(revoked.token)).code).toBe(codes.wallRevoked.code)
    const expired = await create(admin.here.deptId)
    await admin.all
      .updateTable('wallLink')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('id', '=', expired.id)
      .execute()
    expect((await open(expired.token)).code).toBe(codes.wallExpired.code)
  })

  it('is refused when its creator is disabled, loses the permission or the sight of the department', async () => {
    const leaver = await admin.clerk('insight:wall:create')
    const { token } = await create(admin.here.deptId, leaver.token)
    const setUser = (set: { enabled?: boolean; deptId?: number }) =>
      admin.all.updateTable('users').set(set).where('id', '=', leaver.userId).execute()
    await setUser({ deptId: admin.there.deptId })
    expect((await open(token)).code).toBe(codes.wallCreator.code)
    await setUser({ deptId: admin.here.deptId, enabled: false })
    expect((await open(token)).code).toBe(codes.wallCreator.code)
    await setUser({ enabled: true })
    expect((await open(token)).code).toBe(200)
    await admin.all.deleteFrom('userRole').where('userId', '=', leaver.userId).execute()
    expect((await open(token)).code).toBe(codes.wallCreator.code)
  })
})
