import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 50

/** Waits for a state of the world that nobody announces. Fails, saying what it waited for, after `seconds`. */
export const waitUntil = async (
  what: string,
  reached: () => Promise<boolean> | boolean,
  { seconds = 120 } = {},
): Promise<void> => {
  const end = performance.now() + seconds * 1000
  while (!(await reached())) {
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${what}`)
    await pause(LOOK_MS)
  }
}

/** Waits until nothing is left. Fails when for `seconds` it has not become less than ever before: slow is not stuck. */
export const waitUntilDrained = async (
  what: string,
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
    if (performance.now() - since > seconds * 1000) throw new Error(`for ${seconds} s still ${least} ${what}`)
    await pause(LOOK_MS)
  }
}
