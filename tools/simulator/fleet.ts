import type { EventKind } from '@tocsin/protocol/event'
import type { Command } from '@tocsin/protocol/command'
import { type Device, type EventOptions, createDevice, type Pressed, type PressOptions } from './device.ts'
import type { Credential } from './fleet-file.ts'
import type { Ledger } from './ledger.ts'
import type { Faults, Receipt } from './outbox.ts'
import { type Random, seededRandom } from './random.ts'
import { createCounters, type Counters } from './counters.ts'
import { startTickScheduler, type TickScheduler } from './tick-scheduler.ts'

export type FleetOptions = {
  devices: readonly Credential[]
  /** `mqtt://host:port` or `mqtts://host:port`. */
  mqtt: string
  ca?: string | undefined
  /** Base address of the HTTP fallback, like `http://127.0.0.1:8080`; without it there is no fallback. */
  http?: string | undefined
  /** Never connects: presses are sent over HTTP alone. */
  offline?: boolean
  /** Heartbeat interval in seconds, default 30; 0 sends none. */
  heartbeatSec?: number
  keepaliveSec?: number
  /** Maximum of unconfirmed events that a device stores; default 200. */
  flashSize?: number
  /** Boot number; default: the start time in seconds, which increases from run to run. */
  boot?: number
  seed?: number
  /** Devices that connect at the same time at the start; default 50. */
  connectAtOnce?: number
  /** Reconnect delay with full jitter: attempt n waits between 0 and min(capMs, baseMs · 2ⁿ). */
  reconnect?: { baseMs: number; capMs: number }
  faults?: Faults
  ledger?: Ledger | undefined
  onReceipt?: (receipt: Receipt) => void
  onAcknowledged?: (eventId: string) => void
  onCommand?: (sn: string, command: Command) => void
  /** The error of every update; without it updates succeed. */
  updateFailure?: string
  /** A test drives its own scheduler; it then stops it too. */
  wheel?: TickScheduler
}

export type Stats = Omit<Counters, 'latency' | 'latencyMs'> & {
  devices: number
  unsent: number
  /** Latency from the first sending of an alarm to its `accepted` receipt. */
  latencyMs: { p50: number; p99: number; max: number }
}

export type Fleet = {
  wheel: TickScheduler
  random: Random
  /** Of the devices that press. */
  sns: readonly string[]
  device(sn: string): Device
  /** `random` picks a device by the seed. null when the store of that device is full. */
  press(sn: string, options?: PressOptions): Pressed | null
  event(sn: string, kind: EventKind, options?: EventOptions): Pressed | null
  /** Resolves when every device has tried to connect once. */
  connected(): Promise<void>
  /** Unconfirmed events of all devices. */
  unsent(): number
  stats(): Stats
  stop(): Promise<void>
}

export const startFleet = (options: FleetOptions): Fleet => {
  const wheel = options.wheel ?? startTickScheduler()
  const seed = options.seed ?? 1
  const random = seededRandom(seed)
  const shared = { wheel, tally: createCounters(), jitter: seededRandom(~seed) }
  const make = (credential: Credential, index: number) =>
    createDevice({ ...settingsOf(options, credential), ...shared, random: seededRandom(seed + index + 1) })
  const devices = new Map(options.devices.map((device, index) => [device.sn, make(device, index)]))
  const sns = options.devices.flatMap(({ sn, presses = true }) => (presses ? sn : []))
  const state = { stopped: false }
  const wanted = options.offline ? [] : [...devices.values()]
  const connecting = connectAll(wanted, options.connectAtOnce ?? 50, state)

  const find = (sn: string): Device => {
    const device = devices.get(sn === 'random' ? (sns[Math.floor(random() * sns.length)] ?? '') : sn)
    if (!device) throw new Error(`no device ${sn} in this fleet`)
    return device
  }
  const unsent = (): number => devices.values().reduce((sum, device) => sum + device.unsent(), 0)
  return {
    wheel,
    random,
    sns,
    unsent,
    device: find,
    press: (sn, press) => find(sn).press(press),
    event: (sn, kind, event) => find(sn).event(kind, event),
    connected: () => connecting,
    stats: () => {
      const { latency: _, latencyMs, ...counts } = shared.tally
      return { ...counts, devices: devices.size, unsent: unsent(), latencyMs: latencyMs() }
    },
    stop: async () => {
      state.stopped = true
      await Promise.all(devices.values().map((device) => device.stop()))
      await connecting
      if (!options.wheel) wheel.stop()
    },
  }
}

/** One device. `connected()` is the first attempt, `linked()` the present state. */
export const startDevice = ({ device: item, ...options }: Omit<FleetOptions, 'devices'> & { device: Credential }) => {
  const fleet = startFleet({ ...options, devices: [item] })
  const { press, event, unsent, cut, reboot, connected: linked } = fleet.device(item.sn)
  const { wheel, connected, stats, stop } = fleet
  return { sn: item.sn, press, event, unsent, cut, reboot, linked, wheel, connected, stats, stop }
}

const settingsOf = (options: FleetOptions, { productKey, sn, secret }: Credential) => ({
  address: { productKey, sn },
  secret,
  mqtt: options.mqtt,
  ca: options.ca,
  http: options.http,
  heartbeatSec: options.heartbeatSec ?? 30,
  keepaliveSec: options.keepaliveSec ?? 30,
  flashSize: options.flashSize ?? 200,
  boot: options.boot ?? Math.floor(Date.now() / 1_000),
  reconnect: options.reconnect ?? { baseMs: 5_000, capMs: 30_000 },
  faults: options.faults ?? {},
  ledger: options.ledger,
  onReceipt: options.onReceipt,
  onAcknowledged: options.onAcknowledged,
  onCommand: options.onCommand,
  updateFailure: options.updateFailure,
})

const connectAll = async (devices: Device[], atOnce: number, state: { stopped: boolean }): Promise<void> => {
  const queue = devices.values()
  const lane = async (): Promise<void> => {
    for (const device of queue) {
      if (state.stopped) return
      await device.connect()
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, devices.length) }, lane))
}
