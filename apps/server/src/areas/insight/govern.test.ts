import type { RecordQuery } from '@tocsin/contract/alarm/record'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordPage } from '#areas/alarm/record/record-list'
import { makeRecord, type RecordDraft } from '../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { getGovernFigures, getStationSteps, rankSchools, rateInterval } from './govern.ts'
import { completeRollup } from '../../../test/rollup.ts'
import { rebuildRollup } from './rollup/refresh-rollup.ts'

let fixture: AlarmFixture
const noon = new Date('2026-03-10T04:00:00Z')
const period = { from: new Date('2026-03-01T00:00:00+08:00'), to: new Date('2026-03-31T00:00:00+08:00') }
const after = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000)
const record = (more: Partial<RecordDraft> = {}) =>
  makeRecord(fixture.db, {
    deptId: fixture.first.deptId,
    schoolId: fixture.first.id,
    schoolName: 'First',
    firstAt: noon,
    receivedAt: noon,
    ...more,
  })

/** A device in the first school, none in the second; each has 500 pupils. */
const install = async () => {
  const { id: placeId } = await fixture.all
    .insertInto('place')
    .values({ schoolId: fixture.first.id, name: '大门', kind: 'GATE' } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const installed = { deviceId: fixture.buttonId, schoolId: fixture.first.id, placeId, status: 'ACCEPTED' }
  await fixture.all
    .insertInto('schoolDevice')
    .values({ ...installed, validFrom: period.from, validTo: period.to } as never)
    .execute()
  await fixture.all.updateTable('school').set({ studentCount: 500 }).execute()
}

beforeAll(async () => {
  fixture = await openAlarmFixture()
  await install()
  const ended = { state: 'RESOLVED', resolvedAt: after(noon, 900) } as const
  for (const seconds of [4, 8, 20]) await record({ claimedAt: after(noon, seconds), onSiteAt: after(noon, 100) })
  await record({ ...ended, level: 3, class: 'VOICE', disposition: 'FALSE_KEYWORD', causeCode: 'TV' })
  await record({ ...ended, level: 3, class: 'VOICE', disposition: 'FALSE_DEVICE' })
  await record({ mode: 'TEST' })
  await record({ firstAt: new Date('2026-02-20T04:00:00Z') })
  await record({ deptId: fixture.second.deptId, schoolId: fixture.second.id, schoolName: 'Second' })
})
afterAll(() => fixture.end())

/** Steps are counted in buckets: 3.5 % to either side. */
const near = (seconds: number) => ({
  asymmetricMatch: (actual: unknown) => typeof actual === 'number' && Math.abs(actual / seconds - 1) < 0.036,
})

describe.each([
  ['from records', rebuildRollup],
  ['from what is stored', completeRollup],
])('getGovernFigures %s', (_name, prepare) => {
  beforeAll(() => prepare(fixture.db))

  it('counts live alarms of the period by day, level, class and hour', async () => {
    const figures = await getGovernFigures(fixture.db, fixture.zhang, period, noon)
    expect(figures).toMatchObject({ total: 5, totalBefore: 1 })
    expect(figures.days).toHaveLength(30)
    expect(figures.byDay.level1[9]).toBe(3)
    expect(figures.byDay.level3[9]).toBe(2)
    expect(figures.byClass).toContainEqual({ class: 'VOICE', n: 2, before: 0 })
    expect(figures.hours).toEqual([{ weekday: 1, hour: 12, n: 5 }])
  })

  it('measures the steps after a press by percentiles', async () => {
    const { hops, schools } = await getGovernFigures(fixture.db, fixture.zhang, period, noon)
    expect(hops.claimed).toEqual({ n: 3, p50: near(8), p90: near(17.6), p99: near(19.8) })
    expect(hops.onSite).toMatchObject({ n: 3, p50: near(100) })
    expect(hops.dispatched).toEqual({ n: 0, p50: null, p90: null, p99: null })
    expect(schools).toMatchObject([{ schoolName: 'First', n: 5, claimed: { p50: near(8) } }])
  })

  it('measures the steps by the police station of the school, of visible schools only', async () => {
    const stations = await getStationSteps(fixture.db, fixture.zhang, period, noon)
    expect(stations).toMatchObject([{ n: 5, claimed: { n: 3, p50: near(8) }, onSite: { n: 3, p50: near(100) } }])
    expect(stations[0]?.name).not.toBe('')
    // The second school has no station.
    expect(await getStationSteps(fixture.db, fixture.root, period, noon)).toEqual(stations)
    expect(
      await getStationSteps(fixture.db, fixture.zhang, { ...period, deptId: fixture.second.deptId }, noon),
    ).toEqual([])
  })

  it('names the causes of false alarms', async () => {
    const { falseAlarms } = await getGovernFigures(fixture.db, fixture.zhang, period, noon)
    expect(falseAlarms).toMatchObject({ n: 2, resolved: 2 })
    expect(falseAlarms.causes).toEqual(
      expect.arrayContaining([
        { cause: 'TV', n: 1 },
        { cause: 'FALSE_DEVICE', n: 1 },
      ]),
    )
  })

  it('contains only visible data, and only the chosen department', async () => {
    expect((await getGovernFigures(fixture.db, fixture.root, period, noon)).total).toBe(6)
    await fixture.all.updateTable('school').set({ lng: 102.7, lat: 25.1 }).where('id', '=', fixture.first.id).execute()
    const placesOf = async (actor: typeof fixture.root) =>
      (await getGovernFigures(fixture.db, actor, period, noon)).places.map(({ schoolId, n, lng }) => [schoolId, n, lng])
    expect(await placesOf(fixture.root)).toEqual([
      [fixture.first.id, 5, 102.7],
      [fixture.second.id, 1, null],
    ])
    expect(await placesOf(fixture.zhang)).toEqual([[fixture.first.id, 5, 102.7]])
    const chosen = { ...period, deptId: fixture.second.deptId }
    expect((await getGovernFigures(fixture.db, fixture.root, chosen, noon)).total).toBe(1)
    expect((await getGovernFigures(fixture.db, fixture.zhang, chosen, noon)).total).toBe(0)
  })

  it('lead to lists with the same number of alarms, also of one department', async () => {
    const list = { ...period, mode: ['LIVE' as const], continued: false }
    for (const part of [{}, { deptId: fixture.bureau }, { deptId: fixture.second.deptId }]) {
      const figures = await getGovernFigures(fixture.db, fixture.root, { ...period, ...part }, noon)
      const total = async (filter: RecordQuery) =>
        (await recordPage(fixture.db, fixture.root, { ...list, ...part, ...filter })).total
      expect([await total({}), await total({ falseAlarm: true })]).toEqual([figures.total, figures.falseAlarms.n])
    }
  })

  it('relates false alarms to the pupils of schools with devices, with and without a department', async () => {
    const pupils = async (part: { deptId?: number }) =>
      (await getGovernFigures(fixture.db, fixture.root, { ...period, ...part }, noon)).falseAlarms.pupils
    expect([await pupils({}), await pupils({ deptId: fixture.bureau })]).toEqual([500, 500])
    expect(await pupils({ deptId: fixture.second.deptId })).toBe(0)
  })

  it('rejects a period of more than 92 days', async () => {
    const long = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-06-01T00:00:00Z') }
    await expect(getGovernFigures(fixture.db, fixture.root, long, noon)).rejects.toThrow()
  })
})

describe('rankSchools', () => {
  const school = (schoolId: number, events: number, exposure: number) => ({
    schoolId,
    schoolName: `S${schoolId}`,
    events,
    exposure,
  })

  it('shares a rank between schools whose intervals overlap', () => {
    const ranks = rankSchools([school(1, 60, 1000), school(2, 50, 1000), school(3, 1, 1000)])
    expect(ranks.map(({ schoolId, rank }) => [schoolId, rank])).toEqual([
      [1, 1],
      [2, 1],
      [3, 3],
    ])
  })

  it('ranks a school with much data before one with a high rate of little data', () => {
    const ranks = rankSchools([school(1, 1, 5), school(2, 120, 1000)])
    expect(ranks.map(({ schoolId }) => schoolId)).toEqual([2, 1])
  })

  it('has no rate without devices', () => {
    expect(rateInterval(3, 0)).toEqual({ rate: 0, low: 0, high: 0 })
  })
})
