import type { Stamp } from './signal.ts'

/** Domain 3.4: a device clock within this is believed; GB standards ask the same of video stamps. */
export const TRUSTED_SKEW_MS = 30_000
/** A replayed event older than this is shown as late. */
export const LATE_MS = 600_000
/** No flash queue is older; beyond it the device's arithmetic is wrong, not its news old. */
const OLDEST_MS = 30 * 86_400_000

export type Clocked = {
  occurredAt: Date
  /** Device clock minus ours in ms; null when this message does not tell. */
  skewMs: number | null
  late: boolean
}

export type Receipt = {
  receivedAt: Date
  replay: boolean
  /** The device's uptime at the receipt; null when nobody knows it. */
  upNow: number | null
  /** Skew measured on an earlier message. */
  knownSkewMs: number | null
}

const plausible = (at: number, received: number): boolean =>
  at >= received - OLDEST_MS && at <= received + TRUSTED_SKEW_MS

/** When a message that was sent again really happened: by uptime, else by a clock of known or plausible skew. */
const replayedAt = ({ ts, upMs }: Stamp, { receivedAt, upNow, knownSkewMs }: Receipt): number => {
  const received = receivedAt.getTime()
  const byUptime = upNow === null ? undefined : received - (upNow - upMs)
  if (byUptime !== undefined && plausible(byUptime, received)) return byUptime
  const skew = knownSkewMs !== null && Math.abs(knownSkewMs) > TRUSTED_SKEW_MS ? knownSkewMs : 0
  return plausible(ts - skew, received) ? ts - skew : received
}

/** Domain 3.4, clock: what happened when, by the best clock there is. No device clock decides whether it is admitted. */
export const clocked = (stamp: Stamp | null, receipt: Receipt): Clocked => {
  const received = receipt.receivedAt.getTime()
  if (stamp === null) return { occurredAt: receipt.receivedAt, skewMs: null, late: false }
  if (receipt.replay) {
    const at = replayedAt(stamp, receipt)
    const measured = receipt.upNow !== null && at === received - (receipt.upNow - stamp.upMs)
    return { occurredAt: new Date(at), skewMs: measured ? stamp.ts - at : null, late: received - at > LATE_MS }
  }
  const age = receipt.upNow === null ? 0 : receipt.upNow - stamp.upMs
  const at = plausible(received - age, received) ? received - age : received
  const skewMs = stamp.ts - at
  return { occurredAt: new Date(Math.abs(skewMs) <= TRUSTED_SKEW_MS ? stamp.ts : at), skewMs, late: false }
}
