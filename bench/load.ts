import type { AlarmCode } from '@tocsin/protocol/alarm'
import type { DeviceMode } from '@tocsin/protocol/message-header'
import { startFleet } from '../tools/simulator/fleet.ts'
import type { Credential } from '../tools/simulator/fleet-file.ts'

/** Kinds of press that raise separate records on one device. */
const codes: readonly AlarmCode[] = ['PANIC', 'MEDICAL', 'FIRE_MANUAL', 'INTRUSION', 'INTERCOM']
const modes: readonly DeviceMode[] = ['LIVE', 'TEST']
export const kinds = codes.flatMap((code) => modes.map((mode) => ({ code, mode })))
/** The number of records that can be open on one device at once. */
export const KINDS = kinds.length

export type Timing = { pressedAt: number; receiptAt: number | undefined }

/** Connected devices and their presses. Instants are readings of performance.now(). */
export type DeviceLoad = {
  /** Number of devices. */
  width: number
  /** Latencies by eventId since the last `begin`. */
  timings: Map<string, Timing>
  begin: () => void
  /** Presses on the n-th device; `kind` chooses the record. */
  press: (n: number, kind: number) => void
  /** Calls back at each receipt, or when the run cannot continue. */
  watch: (received: () => void, failed: (error: Error) => void) => void
  /** @returns how many connections broke meanwhile. They reconnected by themselves, and the result reports them. */
  close: () => Promise<number>
}

export const CONNECT_AT_ONCE = 100

/** A run's receipts, each counted once, and the callback. */
export const openReceiptLog = () => {
  const timings = new Map<string, Timing>()
  let calls: Parameters<DeviceLoad['watch']> = [() => undefined, () => undefined]
  const watch: DeviceLoad['watch'] = (...wanted) => {
    calls = wanted
  }
  const receive = (eventId: string) => {
    const timing = timings.get(eventId)
    if (!timing || timing.receiptAt !== undefined) return
    timing.receiptAt = performance.now()
    calls[0]()
  }
  return { timings, watch, receive, fail: (error: Error) => calls[1](error), begin: () => timings.clear() }
}

/** The simulator's devices: unsent store, repeats, decoding and the rest of a device, without a ledger. */
export const openDeviceLoad = async (mqtt: string, devices: readonly Credential[]): Promise<DeviceLoad> => {
  const book = openReceiptLog()
  const fleet = startFleet({
    devices,
    mqtt,
    heartbeatSec: 0,
    keepaliveSec: 600,
    connectAtOnce: CONNECT_AT_ONCE,
    onReceipt: ({ eventId, stage }) => {
      if (stage === 'accepted') book.receive(eventId)
    },
  })
  await fleet.connected()
  const missing = devices.length - fleet.stats().connected
  if (missing > 0) throw new Error(`${missing} devices could not connect`)
  return {
    width: devices.length,
    timings: book.timings,
    begin: book.begin,
    watch: book.watch,
    press: (n, kind) => {
      const pressedAt = performance.now()
      const pressed = fleet.press(fleet.sns[n] ?? '', kinds[kind % KINDS])
      if (!pressed) throw new Error(`device ${n} holds no more presses`)
      book.timings.set(pressed.eventId, { pressedAt, receiptAt: undefined })
    },
    close: async () => {
      const { lost } = fleet.stats()
      await fleet.stop()
      return lost
    },
  }
}

export type Outcome = { perSecond: number; latencies: number[] }

const latenciesOf = ({ timings }: DeviceLoad): number[] =>
  [...timings.values()].flatMap(({ pressedAt, receiptAt }) => (receiptAt === undefined ? [] : receiptAt - pressedAt))

/**
 * Runs at full speed: `count` presses, `window` of them in flight, each on another device. `fresh`: each raises a
 * record (the caller has closed earlier ones); otherwise they repeat the open ones.
 */
export const maxThroughput = (
  crowd: DeviceLoad,
  { count, window, fresh }: { count: number; window: number; fresh: boolean },
) =>
  new Promise<Outcome>((done, failed) => {
    const width = crowd.width
    crowd.begin()
    let pressed = 0
    let received = 0
    const began = performance.now()
    const next = () => {
      if (pressed >= count) return
      crowd.press(pressed % width, fresh ? Math.floor(pressed / width) : 0)
      pressed += 1
    }
    crowd.watch(() => {
      received += 1
      if (received < count) return next()
      done({ perSecond: (count * 1000) / (performance.now() - began), latencies: latenciesOf(crowd) })
    }, failed)
    for (let n = 0; n < Math.min(window, count); n += 1) next()
  })

/** Runs at a fixed rate whatever the server does: `count` presses evenly in time, then waits for all receipts. */
export const fixedRate = (
  crowd: DeviceLoad,
  { count, perSecond, fresh }: { count: number; perSecond: number; fresh: boolean },
) =>
  new Promise<Outcome>((done, failed) => {
    const width = crowd.width
    crowd.begin()
    let pressed = 0
    let received = 0
    const began = performance.now()
    crowd.watch(() => {
      received += 1
      if (received < count) return
      done({ perSecond: (count * 1000) / (performance.now() - began), latencies: latenciesOf(crowd) })
    }, failed)
    const ticker = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * perSecond))
      for (; pressed < due; pressed += 1) crowd.press(pressed % width, fresh ? Math.floor(pressed / width) : 0)
      if (pressed >= count) clearInterval(ticker)
    }, 2)
  })
