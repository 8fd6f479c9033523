import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 50

/** Waits for a state of the world that nobody announces. Fails, saying what it waited for, after `seconds`. */
export const until = async (
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
