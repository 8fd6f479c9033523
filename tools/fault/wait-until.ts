import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 50

/** Polls until the condition holds. Fails after `seconds` and names the condition. */
export const waitUntil = async (
  label: string,
  reached: () => Promise<boolean> | boolean,
  { seconds = 120 } = {},
): Promise<void> => {
  const end = performance.now() + seconds * 1000
  while (!(await reached())) {
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${label}`)
    await pause(LOOK_MS)
  }
}

/** Waits until the count is zero. Fails when it reached no new minimum for `seconds`: slow is allowed, stuck is not. */
export const waitUntilDrained = async (
  label: string,
  left: () => Promise<number> | number,
  { seconds = 120 } = {},
): Promise<void> => {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  for (let now = await left(); now > 0; now = await left()) {
    if (now < least) {
      least = now
      since = performance.now()
    }
    if (performance.now() - since > seconds * 1000) throw new Error(`for ${seconds} s still ${least} ${label}`)
    await pause(LOOK_MS)
  }
}
