import { codes } from '@tocsin/contract/codes'
import type { Weights, WeightsEffect, WeightsVersionRow } from '@tocsin/contract/insight/weights/readiness-weights'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstallation } from '../../../../seed/fixtures.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { refreshAll, refreshChanged } from './refresh.ts'

const W = '/insight/readiness-weights'
const QUERY = 'insight:readiness:query'
const PUBLISH = 'insight:readiness:publish'
let site: DeviceServer
let deviceId: number
const run = (sql: string, values: unknown[] = []) => site.pool.query<Record<string, unknown>>(sql, values)

beforeAll(async () => {
  site = await startDeviceServer()
  const { id } = await site.register('WGT-0001')
  deviceId = id
  await makeInstallation(site.site.db, { id }, { id: site.placeIds[0], schoolId: site.schoolId })
  await run(
    `insert into device_state (device_id, connectivity) values ($1, 'OFFLINE')
      on conflict (device_id) do update set connectivity = 'OFFLINE'`,
    [id],
  )
  await run(`update school set police_dept_id = dept_id`)
  await run(`update event set seq = id where seq is null`)
  await site.site.db.transaction().execute((trx) => refreshAll(trx, new Date()))
})
afterAll(() => site.end())

/** The steps of the timer, after the sequencer numbered the events. */
const sweep = async () => {
  await run(`update event set seq = id where seq is null`)
  while (await site.site.db.transaction().execute((trx) => refreshChanged(trx, new Date())));
}
const status = async () => (await site.call('GET', `${W}/get`)).data as never as { current: WeightsVersionRow }
const list = async () => (await site.call('GET', `${W}/list`)).data as never as WeightsVersionRow[]
const publish = (draft: { version: number; weights: object; note?: string | null }, token?: string) =>
  site.call('POST', `${W}/publish`, { note: null, ...draft }, token)
const withPoints = (weights: Weights, code: keyof Weights, points: number) => ({
  ...weights,
  [code]: weights[code].map(({ over }) => ({ over, points })),
})
const deviceOf = async () => {
  const { rows } = await run(`select score, reasons, weights_version from device_readiness where device_id = $1`, [
    deviceId,
  ])
  return rows[0]
}
const schoolOf = async () => {
  const { rows } = await run(
    `select school.score, school.weights_version, day.score as day_score, day.weights_version as day_version
      from school_readiness school join school_readiness_day day using (school_id) where school_id = $1`,
    [site.schoolId],
  )
  return rows[0]
}

describe('the weights that the product comes with', () => {
  it('are version 3 with the points and thresholds of before', async () => {
    const steps = (...pairs: [over: number, points: number][]) => pairs.map(([over, points]) => ({ over, points }))
    const one = (points: number) => steps([0, points])
    expect(await status()).toMatchObject({ outdated: 0, schools: 1, current: { version: 3, note: null, byName: null } })
    expect((await status()).current.weights).toEqual({
      OFFLINE: one(40),
      PRESS: steps([180, 30], [92, 20]),
      STATION: one(25),
      RECIPIENT: one(25),
      BATTERY: steps([90, 25], [80, 15]),
      BATTERY_AHEAD: steps([23, 10], [0, 5]),
      HEARTBEAT: steps([20, 15], [5, 8], [1, 3]),
      FLAPPING: one(10),
      SHIFT: one(10),
      SHIFT_AHEAD: one(5),
      CLOCK: steps([60, 10], [5, 5]),
      PLACE: one(5),
      FIRMWARE: one(5),
      PROCEDURE: one(5),
    })
  })
})

describe('publish', () => {
  it('makes the sweep compute every value by the new version, and keeps the old one', async () => {
    const { version, weights } = (await status()).current
    const before = await deviceOf()
    expect(before).toMatchObject({ weights_version: version })
    const { data } = await publish({ version, weights: withPoints(weights, 'OFFLINE', 12), note: '断线另有工单' })
    expect(data).toBe(version + 1)
    expect(await status()).toMatchObject({ outdated: 1, schools: 1, current: { version: version + 1 } })
    // Nothing was computed yet.
    expect(await deviceOf()).toEqual(before)
    await sweep()
    expect(await status()).toMatchObject({ outdated: 0, schools: 1 })
    const after = await deviceOf()
    expect(after).toMatchObject({ score: Number(before?.['score']) + 28, weights_version: version + 1 })
    expect(after?.['reasons']).toContainEqual({ code: 'OFFLINE', points: 12, value: 1 })
    const score = after?.['score']
    const now = { weights_version: version + 1, day_version: version + 1 }
    expect(await schoolOf()).toEqual({ score, day_score: score, ...now })
    const [newest, old] = await list()
    expect(newest).toMatchObject({ version: version + 1, note: '断线另有工单', byName: expect.any(String) })
    expect(old).toMatchObject({ version, weights })
    expect(await site.audited('readiness_weights', version + 1)).toEqual([PUBLISH])
    expect(await site.events('weights.changed')).toContainEqual({ ref: version + 1, userId: null })
  })

  it('accepts one of two drafts of the same version, and tells the other the current weights', async () => {
    const { version, weights } = (await status()).current
    const answers = await Promise.all(
      [21, 22].map((points) => publish({ version, weights: withPoints(weights, 'STATION', points) })),
    )
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, codes.stale.code])
    const refused = answers.find(({ code }) => code !== 200)
    expect(refused?.data).toMatchObject({ current: { version: version + 1 } })
    expect((await publish({ version, weights })).code).toBe(codes.stale.code)
    const { current } = await status()
    expect((await publish(current)).code).not.toBe(200)
    const same = { version: current.version, weights: current.weights }
    expect((await publish(same)).code).toBe(codes.weightsUnchanged.code)
  })

  it('names the field that is outside of its range', async () => {
    const { version, weights } = (await status()).current
    const refuse = async (changed: object) => {
      const { code, data } = await publish({ version, weights: { ...weights, ...changed } })
      expect(code).toBe(codes.invalid.code)
      return (data as never as { errors: { field: string; bound?: number }[] }).errors.map(({ field, bound }) => [
        field,
        bound,
      ])
    }
    const press = (...steps: [number, number][]) => ({ PRESS: steps.map(([over, points]) => ({ over, points })) })
    expect(await refuse(press([180, 101], [92, 20]))).toEqual([['weights.PRESS.0.points', 100]])
    expect(await refuse(press([180, 20], [92, -1]))).toEqual([['weights.PRESS.1.points', 0]])
    // A press that is long ago cannot cost less than a recent one.
    expect(await refuse(press([180, 20], [92, 30]))).toEqual([['weights.PRESS.1.points', 20]])
    expect(await refuse(press([92, 30], [92, 20]))).toEqual([['weights.PRESS.1.over', 91]])
    expect(await refuse(press([5000, 30], [0, 20]))).toEqual([
      ['weights.PRESS.0.over', 3650],
      ['weights.PRESS.1.over', 1],
    ])
    expect(await refuse({ OFFLINE: [{ over: 1, points: 5 }] })).toEqual([['weights.OFFLINE.0.over', 0]])
    expect(await refuse({ OFFLINE: [] })).toEqual([['weights.OFFLINE', undefined]])
    const battery = weights.BATTERY.map(({ points }) => ({ over: 85, points }))
    expect(await refuse({ BATTERY: battery })).toEqual([
      ['weights.BATTERY.0.over', 90],
      ['weights.BATTERY.1.over', 80],
    ])
    expect(await refuse({ OFFLINE: undefined })).toEqual([['weights.OFFLINE', undefined]])
  })

  it('needs its own permission; who reads readiness reads the versions', async () => {
    const { version, weights } = (await status()).current
    const { token } = await site.clerk(QUERY)
    const draft = { version, weights: withPoints(weights, 'PLACE', 1) }
    expect((await publish(draft, token)).code).toBe(codes.forbidden.code)
    expect((await site.call('POST', `${W}/preview`, { weights }, token)).code).toBe(codes.forbidden.code)
    expect((await site.call('GET', `${W}/list`, undefined, token)).code).toBe(200)
    // The school of the district is not in the scope of a clerk who sees the own department only.
    expect((await site.call('GET', `${W}/get`, undefined, token)).data).toMatchObject({ schools: 0, outdated: 0 })
    const lead = await site.clerk(PUBLISH)
    expect((await publish(draft, lead.token)).code).toBe(200)
  })
})

describe('preview', () => {
  it('counts schools by band for other weights, and stores nothing', async () => {
    await sweep()
    const before = await schoolOf()
    const { version, weights } = (await status()).current
    const free = Object.keys(weights).reduce((all, code) => withPoints(all, code as keyof Weights, 0), weights)
    const effectOf = async (tried: Weights) =>
      (await site.call('POST', `${W}/preview`, { weights: tried })).data as never as WeightsEffect
    const { before: now, after, next } = await effectOf(free)
    expect(now.low + now.fair + now.good).toBe(1)
    expect(after).toEqual({ low: 0, fair: 0, good: 1 })
    expect(next).toBeNull()
    expect((await effectOf(withPoints(free, 'OFFLINE', 100))).after).toEqual({ low: 1, fair: 0, good: 0 })
    expect((await effectOf(weights)).after).toEqual(now)
    expect(await schoolOf()).toEqual(before)
    expect((await status()).current.version).toBe(version)
  })
})
