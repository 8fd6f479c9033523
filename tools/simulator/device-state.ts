import { createHash } from 'node:crypto'
import type { DeviceAddress } from '@tocsin/protocol/topics'
import type { TickScheduler } from './tick-scheduler.ts'

/** The device's own data: counters, clock and settings. */
export type DeviceState = {
  boot(): number
  cfgVer: number
  /** With the number of the last event, for heartbeats and births. */
  stamp(): { v: 1; boot: number; seq: number; ts: number; upMs: number }
  /** For a new event: the next number, and an id that no other event of this device ever has. */
  nextStamp(): { v: 1; boot: number; seq: number; ts: number; upMs: number; eventId: string }
  restart(): void
}

export const createDeviceState = (address: DeviceAddress, firstBoot: number, wheel: TickScheduler): DeviceState => {
  const mark = createHash('sha256').update(`${address.productKey}/${address.sn}`).digest('hex').slice(0, 8)
  let boot = firstBoot
  let bootAt = wheel.now()
  let seq = 0
  const stamp = () => ({ v: 1 as const, boot, seq, ts: Date.now(), upMs: Math.round(wheel.now() - bootAt) })
  return {
    boot: () => boot,
    cfgVer: 0,
    stamp,
    nextStamp: () => {
      seq += 1
      const eventId = `E${boot.toString(36).padStart(8, '0')}-${seq.toString(36).padStart(5, '0')}-${mark}`
      return { ...stamp(), eventId }
    },
    restart: () => {
      boot += 1
      bootAt = wheel.now()
      seq = 0
    },
  }
}
