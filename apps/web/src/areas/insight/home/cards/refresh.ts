/** Figures that time alone changes, or whose changes no event tells. */
export const EVERY_MS = 60_000

/** Figures of weeks, which a minute does not change. */
export const SELDOM_MS = 300_000
