import { RUNS, withBareBroker } from './baselines.ts'
import { type LivePage, openLivePage } from './live-page.ts'
import { type BenchFigure, median, percentile } from './figures.ts'
import { fixedRate, type DeviceLoad, KINDS, openDeviceLoad } from './load.ts'
import type { BenchServer } from './bench-server.ts'
import { openRawDevices } from './raw-devices.ts'

const WIDTH = 500
const SECONDS = 5

/** Which record each press of the run raised, looked up afterwards. */
const raisedBy = async ({ access }: BenchServer, eventIds: string[]): Promise<Map<number, string>> => {
  const { rows } = await access.pool.query<{ recordId: number; eventId: string }>(
    `select record_id as "recordId", min(event_id) as "eventId" from signal
     where event_id = any($1) and record_id is not null group by record_id`,
    [eventIds],
  )
  return new Map(rows.map(({ recordId, eventId }) => [recordId, eventId]))
}

/** From the press to the frame, in ms; waits until every raised record was received. */
const shown = async (stage: BenchServer, crowd: DeviceLoad, desk: LivePage, count: number): Promise<number[]> => {
  const raised = () => desk.received.filter(({ type }) => type === 'alarm.raised')
  await new Promise<void>((all) => {
    const look = () => raised().length >= count && all()
    desk.onEvent(look)
    look()
  })
  const pressOf = await raisedBy(stage, [...crowd.timings.keys()])
  return raised().flatMap(({ ref, at }) => {
    const timing = crowd.timings.get(pressOf.get(ref ?? 0) ?? '')
    return timing ? [at - timing.pressedAt] : []
  })
}

const countAt = (perSecond: number): number => Math.min(Math.max(perSecond * SECONDS, 100), WIDTH * KINDS)

type Bare = Record<'p50' | 'p99', number[]>

/** From the publish to the PUBACK of the bare broker library. */
const measureBare = (perSecond: number): Promise<Bare> =>
  withBareBroker(async ({ mqtt, devices }) => {
    const crowd = await openRawDevices(mqtt, devices(WIDTH), { bare: true })
    const runs: Bare = { p50: [], p99: [] }
    for (let run = 0; run <= RUNS; run += 1) {
      const { latencies } = await fixedRate(crowd, { count: countAt(perSecond), perSecond, fresh: true })
      if (run === 0) continue
      runs.p50.push(percentile(latencies, 50))
      runs.p99.push(percentile(latencies, 99))
    }
    await crowd.close()
    return runs
  })

const measureRate = async (
  stage: BenchServer,
  crowd: DeviceLoad,
  desk: LivePage,
  perSecond: number,
): Promise<BenchFigure[]> => {
  const runs = {
    receipt50: [] as number[],
    receipt99: [] as number[],
    shown50: [] as number[],
    shown99: [] as number[],
  }
  const count = countAt(perSecond)
  const bare = await measureBare(perSecond)
  const besideBare = (part: keyof Bare) => ({ 'bare broker': median(bare[part]) })
  for (let run = 0; run <= RUNS; run += 1) {
    await stage.closeRecords()
    desk.received.length = 0
    const { latencies } = await fixedRate(crowd, { count, perSecond, fresh: true })
    const screens = await shown(stage, crowd, desk, count)
    if (run === 0) continue
    runs.receipt50.push(percentile(latencies, 50))
    runs.receipt99.push(percentile(latencies, 99))
    runs.shown50.push(percentile(screens, 50))
    runs.shown99.push(percentile(screens, 99))
  }
  const baseline = `baseline: ${perSecond}/s publish to PUBACK of a bare broker`
  return [
    { name: `${baseline}, p50`, unit: 'ms', runs: bare.p50 },
    { name: `${baseline}, p99`, unit: 'ms', runs: bare.p99 },
    { name: `${perSecond}/s press to receipt, p50`, unit: 'ms', runs: runs.receipt50, ratios: besideBare('p50') },
    { name: `${perSecond}/s press to receipt, p99`, unit: 'ms', runs: runs.receipt99, ratios: besideBare('p99') },
    { name: `${perSecond}/s press to websocket, p50`, unit: 'ms', runs: runs.shown50, ratios: besideBare('p50') },
    { name: `${perSecond}/s press to websocket, p99`, unit: 'ms', runs: runs.shown99, ratios: besideBare('p99') },
  ]
}

/** New records only: the longest path of an alarm. */
export const benchLatency = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const crowd = await openDeviceLoad(stage.node.mqtt, await stage.devices(WIDTH))
  const [token = ''] = await stage.tokens(1)
  const desk = await openLivePage(stage.node.http, token)
  for (const perSecond of [10, 100, 500])
    for (const item of await measureRate(stage, crowd, desk, perSecond)) show(item)
  desk.close()
  show({ name: 'links that broke meanwhile', unit: '', runs: [await crowd.close()] })
}
