import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deptByCode, makeSchool } from '../../../../seed/fixtures.ts'
import { type AdminServer, errorFields, startAdminServer } from '../../../../test/admin-server.ts'
import { seedOfficialDays } from './calendar-edit.ts'
import { loadSchoolCalendars } from './school-calendars.ts'
import { calendarRoutes } from './calendar.ts'
import { dayKind, resolveDays } from './day-kind.ts'
import { listOfficialDays } from './official-days.ts'

const C = '/school/calendar'
let site: AdminServer
let school: { id: number; deptId: number }
let bureauId: number
beforeAll(async () => {
  site = await startAdminServer((db) => calendarRoutes({ db }))
  bureauId = await deptByCode(site.site.db, 'EDU')
  school = await makeSchool(site.site.db, { eduDeptId: bureauId })
})
afterAll(() => site.end())

type Year = { days: { day: string; kind: string; name: string | null }[]; officialUntil: string | null }
const year = async (deptId: number, of = 2026, token?: string) =>
  site.call('GET', `${C}/year?deptId=${deptId}&year=${of}`, undefined, token)
const dayOf = async (deptId: number, day: string) =>
  ((await year(deptId)).data as unknown as Year).days.find((item) => item.day === day)
const set = (deptId: number, [fromDay, toDay]: [string, string], kind: string | null, token?: string) =>
  site.call('POST', `${C}/set-range`, { deptId, fromDay, toDay, kind, name: null }, token)
const classHours = async (day: string) =>
  (await loadSchoolCalendars(site.site.db, [school.id], { fromDay: day, toDay: day }))(school.id).hours
const term = (more: object = {}) => ({
  deptId: school.deptId,
  name: '秋季学期',
  fromDay: '2026-09-01',
  toDay: '2027-01-20',
  fromMin: 470,
  toMin: 1020,
  ...more,
})

describe('resolveDays', () => {
  it('lets the nearest department decide, then its terms, then the weekday', () => {
    const entries = [
      { deptId: 1, day: '2026-09-07', kind: 'HOLIDAY' as const, name: '全市' },
      { deptId: 2, day: '2026-09-07', kind: 'EXAM' as const, name: '本校' },
      { deptId: 1, day: '2026-09-08', kind: 'HOLIDAY' as const, name: '全市' },
    ]
    const terms = [{ deptId: 1, fromDay: '2026-09-01', toDay: '2026-09-30' }]
    const days = ['2026-09-07', '2026-09-08', '2026-09-09', '2026-09-12', '2026-10-08']
    const kinds = (calendar: Parameters<typeof resolveDays>[0]) => resolveDays(calendar, days).map(({ kind }) => kind)
    expect(kinds({ deptIds: [2, 1], entries, terms })).toEqual(['EXAM', 'HOLIDAY', 'CLASS', 'HOLIDAY', 'HOLIDAY'])
    expect(kinds({ deptIds: [2, 1], entries: [], terms: [] })).toEqual(['CLASS', 'CLASS', 'CLASS', 'HOLIDAY', 'CLASS'])
  })
})

describe('the school calendar', () => {
  it('fills in official holidays that hold for the schools below, without replacing manual entries', async () => {
    expect(listOfficialDays(2026)).toContainEqual({ day: '2026-10-01', kind: 'HOLIDAY', name: '国庆节' })
    expect(listOfficialDays(2026)).toContainEqual({ day: '2026-10-10', kind: 'MAKEUP', name: '国庆节' })
    expect(listOfficialDays(2099)).toEqual([])
    await set(bureauId, ['2026-10-01', '2026-10-01'], 'EXAM')
    await seedOfficialDays(site.site.db)
    await seedOfficialDays(site.site.db)
    await site.call('POST', `${C}/fill`, { deptId: bureauId })
    expect(await dayOf(school.deptId, '2026-10-01')).toMatchObject({ kind: 'EXAM' })
    expect(await dayOf(school.deptId, '2026-10-02')).toMatchObject({ kind: 'HOLIDAY', name: '国庆节' })
    expect(await dayKind(site.site.db, school.id, '2026-10-10')).toBe('MAKEUP')
    expect(((await year(school.deptId)).data as unknown as Year).officialUntil).toBe('2026-12-31')
  })

  it('sets and removes a range, audits it and notifies the screens', async () => {
    expect((await set(school.deptId, ['2026-06-22', '2026-06-24'], 'EXAM')).data).toBe(3)
    expect(await dayOf(school.deptId, '2026-06-23')).toMatchObject({ kind: 'EXAM' })
    expect((await set(school.deptId, ['2026-06-22', '2026-06-24'], null)).data).toBe(3)
    expect(await dayOf(school.deptId, '2026-06-23')).toMatchObject({ kind: 'CLASS' })
    expect(await site.audited('school_calendar', school.deptId)).toContain('school:calendar:update')
    expect((await site.events('calendar.changed')).length).toBeGreaterThan(1)
    expect(errorFields(await set(school.deptId, ['2026-06-24', '2026-06-22'], 'EXAM'))).toEqual(['toDay'])
    expect(errorFields(await set(school.deptId, ['2026-01-01', '2027-06-22'], 'EXAM'))).toEqual(['toDay'])
  })

  it('returns only departments that the user can see', async () => {
    const { token } = await site.clerk('school:calendar:query', 'school:calendar:update')
    expect((await year(site.here.deptId, 2026, token)).code).toBe(200)
    expect((await year(site.there.deptId, 2026, token)).code).not.toBe(200)
    expect((await set(site.there.deptId, ['2026-06-22', '2026-06-24'], 'EXAM', token)).code).not.toBe(200)
  })

  it('stores terms, whose days and hours must be consistent', async () => {
    const { data: id } = await site.call('POST', '/school/school-term/create', term())
    expect(await dayOf(school.deptId, '2026-08-20')).toMatchObject({ kind: 'HOLIDAY' })
    expect(await dayOf(school.deptId, '2026-09-21')).toMatchObject({ kind: 'CLASS' })
    expect(await classHours('2026-09-21')).toEqual({ fromMin: term().fromMin, toMin: term().toMin })
    expect(await classHours('2026-08-20')).toBeNull()
    expect((await site.call('POST', '/school/school-term/create', term())).code).not.toBe(200)
    const wrong = await site.call('POST', '/school/school-term/create', term({ name: '另一', toMin: 400 }))
    expect(errorFields(wrong)).toEqual(['toMin'])
    const change = { id: id as unknown as number, version: 1, fromDay: '2026-08-20' }
    expect((await site.call('PUT', '/school/school-term/update', change)).code).toBe(200)
    expect(await dayOf(school.deptId, '2026-08-20')).toMatchObject({ kind: 'CLASS' })
    expect((await site.call('PUT', '/school/school-term/update', change)).code).not.toBe(200)
    expect((await site.call('DELETE', `/school/school-term/delete?id=${String(id)}`)).code).toBe(200)
  })
})
