import type { Log } from '../src/config.ts'

/** For tests of logging code: they assert what matters instead of printing it. */
export const quietLog: Log = { info: () => {}, warn: () => {}, error: () => {} }
