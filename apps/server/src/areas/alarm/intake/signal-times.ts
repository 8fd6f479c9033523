import { TRUSTED_SKEW_MS } from '@tocsin/contract/device/device'
import type { DeviceStamp } from './normalize-signal.ts'

/** A signal older than this is shown as late. */
export const LATE_MS = 600_000
/** No flash queue is older. An older time is a defect of the device clock. */
const OLDEST_MS = 30 * 86_400_000

/** Time of arrival by the database clock. A signal that waited for a database outage arrived before the outage ended. */
export const arrivalTime = (now: Date, arrivedAt: number | undefined): Date =>
  arrivedAt === undefined ? now : new Date(now.getTime() - Math.round(performance.now() - arrivedAt))

/**
 * Device clock minus server clock in ms, the boot in which it was measured, and the device clock at that boot. A report
 * beside an old message is from an unknown boot.
 */
export type DeviceClock = { skewMs: number; skewBoot: number | null; bootClockMs: number | null }

export type SignalTimes = {
  /** Time of arrival, before any wait for the database. */
  receivedAt: Date
  occurredAt: Date
  /** Device clock minus server clock in ms, as this message shows it; null when it shows nothing. */
  skewMs: number | null
  late: boolean
  /** The clock of the device was known, so that its time may prove a press or belong to a window. */
  isProven: boolean
  /** The clock of the device, where this message proves it. */
  measured: DeviceClock | null
}

/** A clock whose boot lies further off than this was set since its skew was measured. */
const SET_SINCE_MS = 3_600_000

/** Whether the skew of a device was measured in the boot of the stamp, by the clock that the stamp was made with. */
export const isClockKnown = (
  { skewBoot, bootClockMs }: { skewBoot: number | null; bootClockMs: number | null },
  stamp: DeviceStamp | null,
): boolean =>
  stamp !== null &&
  stamp.boot === skewBoot &&
  (bootClockMs === null || Math.abs(stamp.ts - stamp.upMs - bootClockMs) <= SET_SINCE_MS)

export type ReceptionInfo = {
  receivedAt: Date
  replay: boolean
  /** Device clock minus server clock, as reported beside the message; null where only the stamp has a time. */
  reportedSkewMs: number | null
  /** Skew measured on an earlier message of the same boot; null when there was none. */
  knownSkewMs: number | null
}

const isTrusted = (skewMs: number): boolean => Math.abs(skewMs) <= TRUSTED_SKEW_MS

/** The time of a stamp corrected by the skew; undefined when the result is impossible. */
const correctedTime = (ts: number, skewMs: number, received: number): number | undefined => {
  const at = isTrusted(skewMs) ? ts : ts - skewMs
  const isPlausible = at >= received - OLDEST_MS && at <= received + TRUSTED_SKEW_MS
  return isPlausible ? at : undefined
}

/**
 * The skew by which the stamp is read; undefined when no clock is known. A stamp ahead of the known clock shows that the
 * clock was set since.
 */
const skewFor = (stamp: DeviceStamp, { receivedAt, replay, reportedSkewMs, knownSkewMs }: ReceptionInfo) => {
  if (reportedSkewMs !== null) return reportedSkewMs
  // A stamp of this moment was made now: the clock was set right since its skew was measured.
  if (!replay && isTrusted(stamp.ts - receivedAt.getTime())) return undefined
  const isKnown = knownSkewMs !== null && stamp.ts - receivedAt.getTime() <= knownSkewMs + TRUSTED_SKEW_MS
  return isKnown ? knownSkewMs : undefined
}

/** What a message proves about the clock: only one that arrives when it was made, or that reports the clock beside it. */
const measure = (
  stamp: DeviceStamp,
  { receivedAt, replay, reportedSkewMs }: ReceptionInfo,
  occurredAt: number,
): DeviceClock | null => {
  const received = receivedAt.getTime()
  if (replay || Math.abs(received - occurredAt) > TRUSTED_SKEW_MS)
    return reportedSkewMs === null ? null : { skewMs: reportedSkewMs, skewBoot: null, bootClockMs: null }
  const skewMs = reportedSkewMs ?? stamp.ts - received
  return { skewMs, skewBoot: stamp.boot, bootClockMs: stamp.ts - stamp.upMs }
}

const unproven = (receivedAt: Date, skewMs: number | null): SignalTimes => ({
  receivedAt,
  occurredAt: receivedAt,
  skewMs,
  late: false,
  isProven: false,
  measured: null,
})

/**
 * Resolves the time of occurrence (domain 3.4). No device clock decides whether a signal is accepted. With a known skew the
 * clock is believed, whether or not the device says that it sends the message again.
 */
export const resolveSignalTimes = (stamp: DeviceStamp | null, reception: ReceptionInfo): SignalTimes => {
  const { receivedAt, reportedSkewMs } = reception
  const received = receivedAt.getTime()
  if (stamp === null) {
    return unproven(receivedAt, reportedSkewMs)
  }
  const skew = skewFor(stamp, reception)
  const claimed = stamp.ts - received
  // What a device sends again without a known clock is believed, but proves nothing.
  if (skew === undefined && !isTrusted(claimed) && !reception.replay) {
    return unproven(receivedAt, claimed)
  }
  const corrected = correctedTime(stamp.ts, skew ?? (reception.replay ? 0 : claimed), received)
  const at = corrected ?? received
  const measured = measure(stamp, reception, at)
  const late = received - at > LATE_MS
  return {
    receivedAt,
    occurredAt: new Date(at),
    skewMs: reportedSkewMs ?? measured?.skewMs ?? null,
    late,
    isProven: corrected !== undefined && (skew !== undefined || !reception.replay),
    measured,
  }
}
