import { setFlagsFromString } from 'node:v8'

const LIMITED_PERCENT = 8
/** V8 chooses. */
const UNLIMITED = 0

/**
 * While many messages wait, garbage is collected each time the heap has grown by a twelfth. By default V8 lets a large heap
 * grow to several times its live size first, and a reconnecting fleet creates garbage quickly.
 */
export const limitHeapGrowth = (isLimited: boolean): void =>
  setFlagsFromString(`--heap-growing-percent=${isLimited ? LIMITED_PERCENT : UNLIMITED}`)
