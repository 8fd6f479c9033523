import type { Log } from '../src/config.ts'

/** For tests whose subject logs on the way: what matters is asserted, not printed. */
export const quietLog: Log = { info: () => {}, warn: () => {}, error: () => {} }
