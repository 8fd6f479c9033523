/** 3.4: a device repeats an event until it has the `accepted` receipt. Offsets in ms from the first sending. */
export const RESEND_AT_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const

/** After the listed offsets, every 30 s without end. */
export const RESEND_EVERY_MS = 30_000

/** After this time without a receipt the device uses HTTP as well. */
export const FALLBACK_AFTER_MS = 5_000

/** Delay in ms from the first sending to the n-th repeat, counted from 1. */
export const resendAtMs = (n: number): number => {
  const listed = RESEND_AT_MS[n - 1]
  return listed ?? RESEND_AT_MS[5] + (n - RESEND_AT_MS.length) * RESEND_EVERY_MS
}
