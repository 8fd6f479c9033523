import { localDay } from '@tocsin/contract/security/hours'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, errorFields } from '../../../test/admin-server.ts'
import { deleteOldVisits, visitRoutes, visitStats, visitTrend } from './visit.ts'
import type { Actor } from '#http/route'

let admin: AdminServer
const key = new Uint8Array(32)
const keys = new Proxy({}, { get: () => key }) as Parameters<typeof visitRoutes>[0]['keys']
beforeAll(async () => {
  admin = await startAdminServer((db) => visitRoutes({ db, keys }))
})
afterAll(() => admin.end())
beforeEach(() => admin.all.deleteFrom('visit').execute())

const visitFrom = (token: string, ip: string) => admin.site.call('POST', '/insight/visit-trend/visit', { token, ip })
const rows = () => admin.all.selectFrom('visit').select(['userId', 'deptId', 'views']).orderBy('userId').execute()
const actorOf = (userId: number, depts: Actor['depts']): Actor => ({
  userId,
  depts,
  schools: depts === 'all' ? 'all' : [],
  sessionId: 1,
  deptId: admin.here.deptId,
  username: 'x',
  nickname: 'x',
  permissions: new Set(),
})
const root = () => actorOf(1, 'all')

type Made = { day: string; hour?: number; userId?: number; deptId?: number; ip?: number; views?: number }
const made = ({ day, hour = 8, userId = 7, deptId = admin.here.deptId, ip = 1, views = 1 }: Made) =>
  admin.all
    .insertInto('visit')
    .values({ day, hour, userId, deptId, ipHash: Buffer.alloc(32, ip), views })
    .execute()

// Ten in the morning of that day in Shanghai.
const now = new Date('2026-03-10T02:30:00Z')

describe('a visit', () => {
  it('is counted by user, address and hour, without storing the address', async () => {
    const result = await admin.clerk()
    for (const ip of ['10.1.1.1', '10.1.1.1', '10.1.1.2']) expect((await visitFrom(result.token, ip)).data).toBe(true)
    const kept = await rows()
    expect(kept.reduce((sum, { views }) => sum + views, 0)).toBe(3)
    expect(kept.every(({ userId, deptId }) => userId === result.userId && deptId === admin.here.deptId)).toBe(true)
    const { ipHash } = await admin.all.selectFrom('visit').select('ipHash').executeTakeFirstOrThrow()
    expect(ipHash.toString('latin1')).not.toContain('10.1.1')
    expect((await admin.call('GET', '/insight/visit-trend')).data).toMatchObject({ pvList: [0, 0, 0, 0, 0, 0, 3] })
  })

  it('is counted for each of many concurrent tabs', async () => {
    const result = await admin.clerk()
    await Promise.all(Array.from({ length: 20 }, () => visitFrom(result.token, '10.1.1.9')))
    expect((await rows()).reduce((sum, { views }) => sum + views, 0)).toBe(20)
  })

  it('requires a session', async () => {
    expect((await visitFrom('nobody', '10.1.1.1')).code).toBe(401)
    expect((await admin.site.call('GET', '/insight/visit-trend')).code).toBe(401)
  })
})

describe('the trend', () => {
  it('has every day of the last seven with pages, users and addresses', async () => {
    await made({ day: '2026-03-10', views: 4 })
    await made({ day: '2026-03-10', hour: 9, ip: 2 })
    await made({ day: '2026-03-10', userId: 8 })
    await made({ day: '2026-03-04', views: 2 })
    await made({ day: '2026-03-03' })
    expect(await visitTrend(admin.site.db, root(), {}, now)).toEqual({
      dates: ['04', '05', '06', '07', '08', '09', '10'].map((day) => `2026-03-${day}`),
      pvList: [2, 0, 0, 0, 0, 0, 6],
      uvList: [1, 0, 0, 0, 0, 0, 2],
      ipList: [1, 0, 0, 0, 0, 0, 2],
    })
  })

  it('includes visible users, and the user', async () => {
    await made({ day: '2026-03-10', userId: 7, deptId: admin.there.deptId })
    await made({ day: '2026-03-10', userId: 8, deptId: admin.here.deptId })
    await made({ day: '2026-03-10', userId: 9, deptId: admin.there.deptId })
    const last = async (actor: Actor) => (await visitTrend(admin.site.db, actor, {}, now)).pvList.at(-1)
    expect(await last(root())).toBe(3)
    expect(await last(actorOf(8, [admin.here.deptId]))).toBe(1)
    expect(await last(actorOf(7, []))).toBe(1)
    expect(await last(actorOf(6, []))).toBe(0)
  })

  it('reads days and both aliases of the path, and rejects an invalid range', async () => {
    await made({ day: '2026-02-28' })
    for (const path of ['/insight/visit-trend', '/api/v1/logs/visit-trend']) {
      const { data } = await admin.call('GET', `${path}?startDate=2026-02-27&endDate=2026-03-01`)
      expect(data).toMatchObject({ dates: ['2026-02-27', '2026-02-28', '2026-03-01'], pvList: [0, 1, 0] })
    }
    const month = await visitTrend(admin.site.db, root(), { days: 30 }, now)
    expect([month.dates.length, month.dates[0], month.pvList.at(-11)]).toEqual([30, '2026-02-09', 1])
    const requestTrend = (query: string) => admin.call('GET', `/insight/visit-trend?${query}`)
    expect(errorFields(await requestTrend('startDate=2026-02-30'))).toEqual(['startDate'])
    expect(errorFields(await requestTrend('startDate=2026-03-02&endDate=2026-03-01'))).toEqual(['startDate'])
    expect(await requestTrend('startDate=2026-01-01&endDate=2026-04-02')).toMatchObject({ code: 200 })
    expect(await requestTrend('startDate=2026-01-01&endDate=2026-04-03')).toMatchObject({ code: 400 })
  })
})

describe('the figures of today', () => {
  it('are compared with the same full hours of yesterday', async () => {
    await made({ day: '2026-03-10', hour: 9, views: 3 })
    await made({ day: '2026-03-10', hour: 10, views: 5 })
    await made({ day: '2026-03-09', hour: 9, views: 2 })
    await made({ day: '2026-03-09', hour: 10, views: 50 })
    const [views, people] = await visitStats(admin.site.db, root(), now)
    expect(views).toEqual({
      title: '浏览量',
      type: 'pv',
      todayCount: 8,
      totalCount: 60,
      growthRate: 0.5,
      granularityLabel: '日',
    })
    expect(people).toMatchObject({ type: 'uv', todayCount: 1, totalCount: 1, growthRate: 0 })
  })

  it('have no growth without a yesterday, in both aliases', async () => {
    for (const path of ['/insight/visit-trend/stats', '/api/v1/logs/visit-stats']) {
      const { data } = await admin.call('GET', path)
      expect(data).toMatchObject([
        { type: 'pv', growthRate: null },
        { type: 'uv', growthRate: null },
        { type: 'ip', growthRate: null },
      ])
    }
  })
})

describe('old visits', () => {
  it('are deleted after 400 days', async () => {
    const ago = (days: number) => localDay(new Date(Date.now() - days * 86_400_000))
    await made({ day: ago(402) })
    await made({ day: ago(398) })
    await deleteOldVisits(admin.site.db)
    expect((await rows()).length).toBe(1)
  })
})
