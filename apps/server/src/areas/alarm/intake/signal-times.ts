import type { DeviceStamp } from './signal.ts'

/** Domain 3.4: a device clock within this is believed; GB standards ask the same of video stamps. */
export const TRUSTED_SKEW_MS = 30_000
/** A replayed event older than this is shown as late. */
export const LATE_MS = 600_000
/** No flash queue is older; beyond it the device's arithmetic is wrong, not its news old. */
const OLDEST_MS = 30 * 86_400_000

export type SignalTimes = {
  /** When it came, whatever it waited for since. */
  receivedAt: Date
  occurredAt: Date
  /** Device clock minus ours in ms; null when this message does not tell. */
  skewMs: number | null
  late: boolean
}

export type ReceptionInfo = {
  receivedAt: Date
  replay: boolean
  /** The device's clock minus ours as the call told beside the message; null where only the stamp has a time. */
  saidSkewMs: number | null
  /** Skew measured on an earlier message. */
  knownSkewMs: number | null
}

const isTrusted = (skewMs: number): boolean => Math.abs(skewMs) <= TRUSTED_SKEW_MS

/** The time of a stamp by a clock that is off by so much; when it came, where that cannot be. */
const toldBy = (ts: number, skewMs: number, received: number): number => {
  const at = isTrusted(skewMs) ? ts : ts - skewMs
  const plausible = at >= received - OLDEST_MS && at <= received + TRUSTED_SKEW_MS
  return plausible ? at : received
}

/** Domain 3.4, clock: what happened when, by the best clock there is. No device clock decides whether it is admitted. */
export const resolveSignalTimes = (
  stamp: DeviceStamp | null,
  { receivedAt, replay, ...skew }: ReceptionInfo,
): SignalTimes => {
  const received = receivedAt.getTime()
  const { saidSkewMs, knownSkewMs } = skew
  if (stamp === null) return { receivedAt, occurredAt: receivedAt, skewMs: saidSkewMs, late: false }
  if (replay) {
    const at = toldBy(stamp.ts, saidSkewMs ?? knownSkewMs ?? 0, received)
    return { receivedAt, occurredAt: new Date(at), skewMs: saidSkewMs, late: received - at > LATE_MS }
  }
  const skewMs = saidSkewMs ?? stamp.ts - received
  return { receivedAt, occurredAt: new Date(toldBy(stamp.ts, skewMs, received)), skewMs, late: false }
}
