import { readFileSync } from 'node:fs'
import { type Fleet, type Stats, startFleet } from '../fleet.ts'
import { readFleet } from '../fleet-file.ts'
import { openLedger } from '../ledger.ts'
import { type Pattern, startLoad } from '../load.ts'
import type { Receipt } from '../outbox.ts'
import { lockFleetFile } from './single-instance.ts'
import type { Flags } from './flags.ts'

const REPORT_MS = 5_000
/** The default address of the console. */
const CONSOLE = 'http://127.0.0.1:8080'
const LOOK_MS = 100
/** A killed demo leaves its simulator behind, which ends by itself once it has sent its stored events. */
const LEFT_BEHIND_MS = 15_000

/** Runs the load and waits for receipts, or ends at `interrupted`. Returns true when every event was confirmed. */
export const run = async (flags: Flags, interrupted: AbortSignal, print: (line: string) => void): Promise<boolean> => {
  const devices = chooseDevices(flags, print)
  const httpOnly = flags['http-only']
  if (!httpOnly) await lockFleetFile(flags.fleet ?? '', flags['until-stdin-ends'] ? LEFT_BEHIND_MS : 0)
  const ca = opened('ca', flags.ca, (path) => readFileSync(path, 'utf8'))
  const ledger = opened('ledger', flags.ledger, (path) => openLedger(path, { fsync: flags.fsync }))
  const fleet: Fleet = startFleet({
    devices,
    mqtt: flags.mqtt,
    ca,
    http: flags.http ?? (httpOnly ? CONSOLE : undefined),
    ...(httpOnly && { offline: true, boot: bootBefore() }),
    heartbeatSec: flags.heartbeat,
    seed: flags.seed,
    connectAtOnce: flags['connect-at-once'],
    ledger,
    onReceipt: (receipt) => resetLater(fleet, receipt, flags['reset-after']),
    faults: {
      copies: flags.copies,
      reorderMs: flags['reorder-ms'],
      twoSockets: flags['two-sockets'],
      httpAtOnce: flags['http-at-once'] || httpOnly,
    },
  })
  const report = fleet.wheel.every(REPORT_MS, () => print(statusLine(fleet.stats())))
  await Promise.race([fleet.connected(), aborted(interrupted)])
  if (!httpOnly) tellConnected(fleet.stats(), flags, print)
  await press(fleet, flags, interrupted)
  await drained(fleet, flags.drain * 1_000, interrupted)
  report.cancel()
  const stats = fleet.stats()
  await fleet.stop()
  ledger?.close()
  print(statusLine(stats))
  return stats.unsent === 0 && stats.flashFull === 0
}

const tellConnected = ({ connected, devices }: Stats, flags: Flags, print: (line: string) => void): void => {
  print(`${connected} / ${devices} 台已连接 connected`)
  if (connected === 0) print(`连不上，继续重试 cannot connect, trying on: ${flags.mqtt}`)
}

/** Each run has its own boot counter, above that of the simulator that uses the devices: its reports are newer. */
const bootBefore = () => Math.floor(Date.now() / 1_000) - 1_000_000_000

/** Receipt stages that mean that help is coming. */
const answered: readonly string[] = ['claimed', 'dispatched', 'onsite']

/** Somebody at the school resets the button with a key: until then only a lead can resolve its alarm. */
const resetLater = ({ wheel, event }: Fleet, { sn, stage }: Receipt, seconds: number): void => {
  if (seconds > 0 && answered.includes(stage)) wheel.after(seconds * 1_000, () => event(sn, 'MANUAL_RESET'))
}

const chooseDevices = (flags: Flags, print: (line: string) => void) => {
  const fleet = opened('fleet', flags.fleet, (path) => readFleet(path, print)) ?? []
  const wanted = flags.devices ?? fleet.length
  if (wanted > fleet.length) throw new Error(`--devices ${wanted}: ${flags.fleet} holds only ${fleet.length}`)
  return fleet.slice(0, wanted)
}

const opened = <T>(flag: string, path: string | undefined, open: (path: string) => T): T | undefined => {
  if (path === undefined) return undefined
  try {
    return open(path)
  } catch (error) {
    throw new Error(`--${flag}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

const press = async (fleet: Fleet, flags: Flags, interrupted: AbortSignal): Promise<void> => {
  const pattern: Pattern =
    flags.pattern === 'steady'
      ? { kind: 'steady', rate: flags.rate }
      : { kind: 'now-and-then', meanMinutes: flags['mean-minutes'] }
  const load = startLoad(fleet, pattern, { code: flags.code, mode: flags.mode })
  const over = new Promise<void>((done) => {
    if (flags.seconds > 0) fleet.wheel.after(flags.seconds * 1_000, done)
  })
  await Promise.race([over, aborted(interrupted)])
  load.stop()
}

/** No event reports the last receipt of a fleet, so this polls. A second Ctrl-C ends the process anyway. */
const drained = (fleet: Fleet, longestMs: number, interrupted: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const until = fleet.wheel.now() + (interrupted.aborted ? Math.min(longestMs, REPORT_MS) : longestMs)
    const look = fleet.wheel.every(LOOK_MS, () => {
      if (fleet.unsent() > 0 && fleet.wheel.now() < until) return
      look.cancel()
      done()
    })
  })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })

const statusLine = (stats: Stats): string => {
  const { p50, p99, max } = stats.latencyMs
  return [
    `在线 online ${stats.connected}/${stats.devices}`,
    `按下 pressed ${stats.pressed}`,
    `确认 accepted ${stats.accepted}`,
    `未确认 unsent ${stats.unsent}`,
    `重发 repeats ${stats.repeats}`,
    `备用 fallback ${stats.fallbacks} (${stats.fallbackFailures} ×)`,
    `断线 lost ${stats.lost}`,
    `被拒 refused ${stats.refused}`,
    `p50 ${Math.round(p50)} p99 ${Math.round(p99)} max ${Math.round(max)} ms`,
  ].join(' · ')
}
