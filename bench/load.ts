import type { Alarm, AlarmCode } from '@tocsin/protocol/alarm'
import type { DeviceMode } from '@tocsin/protocol/stamp'
import type { Credential } from '../tools/simulator/fleet-file.ts'
import { openWire, type Wire } from './wire.ts'

/** Kinds of press that each have a record of their own at one device. */
const codes: readonly AlarmCode[] = ['PANIC', 'MEDICAL', 'FIRE_MANUAL', 'INTRUSION', 'INTERCOM']
const modes: readonly DeviceMode[] = ['LIVE', 'TEST']
const kinds = codes.flatMap((code) => modes.map((mode) => ({ code, mode })))
/** So many records can be open at one device at the same time. */
export const KINDS = kinds.length

export type Timing = { pressedAt: number; receiptAt: number | undefined }

/** Connected devices and everything they pressed. Instants are readings of performance.now(). */
export type Crowd = {
  wires: Wire[]
  /** Of the run since `begin`. */
  timings: Map<string, Timing>
  begin: () => void
  /** Presses the n-th device; `kind` chooses the record. */
  press: (n: number, kind: number) => string
  /** Calls back at each receipt, or when a link ends that should not. */
  watch: (received: (n: number) => void, failed: (error: Error) => void) => void
  close: () => void
}

const CONNECT_AT_ONCE = 100

export const openCrowd = async (port: number, devices: readonly Credential[], bare = false): Promise<Crowd> => {
  const timings = new Map<string, Timing>()
  const seqs = devices.map(() => 0)
  const boot = Math.floor(Date.now() / 1000)
  const mark = boot.toString(36)
  let received: (n: number) => void = () => undefined
  let failed: (error: Error) => void = () => undefined
  let closing = false
  const wires: Wire[] = []
  const open = (device: Credential, n: number) =>
    openWire(
      port,
      device,
      {
        onReceipt: (eventId) => {
          const timing = timings.get(eventId)
          if (!timing || timing.receiptAt !== undefined) return
          timing.receiptAt = performance.now()
          received(n)
        },
        onEnd: () => {
          if (!closing) failed(new Error(`the link of ${device.sn} ended`))
        },
      },
      { bare },
    )
  for (let n = 0; n < devices.length; n += CONNECT_AT_ONCE) {
    const some = devices.slice(n, n + CONNECT_AT_ONCE)
    wires.push(...(await Promise.all(some.map((device, i) => open(device, n + i)))))
  }
  const press = (n: number, kind: number): string => {
    const seq = (seqs[n] ?? 0) + 1
    seqs[n] = seq
    const eventId = `${mark}-${n.toString(36).padStart(6, '0')}-${seq.toString(36).padStart(8, '0')}`
    const stamp = { v: 1, boot, seq, ts: Date.now(), upMs: Math.round(performance.now()) } as const
    const alarm: Alarm = { ...stamp, eventId, ...(kinds[kind % KINDS] ?? { code: 'PANIC', mode: 'LIVE' }) }
    timings.set(eventId, { pressedAt: performance.now(), receiptAt: undefined })
    wires[n]?.press(alarm)
    return eventId
  }
  return {
    wires,
    timings,
    begin: () => timings.clear(),
    press,
    watch: (...wanted) => {
      ;[received, failed] = wanted
    },
    close: () => {
      closing = true
      for (const wire of wires) wire.close()
    },
  }
}

export type Outcome = { perSecond: number; latencies: number[] }

const latenciesOf = ({ timings }: Crowd): number[] =>
  [...timings.values()].flatMap(({ pressedAt, receiptAt }) => (receiptAt === undefined ? [] : receiptAt - pressedAt))

/**
 * As fast as it goes: `count` presses, `window` of them under way, each at another device. `fresh`: each raises a
 * record (the caller has closed those before), else they repeat what is open.
 */
export const flatOut = (crowd: Crowd, { count, window, fresh }: { count: number; window: number; fresh: boolean }) =>
  new Promise<Outcome>((done, failed) => {
    const width = crowd.wires.length
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

/** At a rate, whatever the server does: `count` presses evenly in time, then until all have their receipt. */
export const atRate = (
  crowd: Crowd,
  { count, perSecond, fresh }: { count: number; perSecond: number; fresh: boolean },
) =>
  new Promise<Outcome>((done, failed) => {
    const width = crowd.wires.length
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
