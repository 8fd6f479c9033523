import type { Logger } from 'pino'

/** EX_SOFTWARE of sysexits: ended by a bug of ours, and to be started again. tools/start.mjs knows it too. */
export const BUG = 70

const DRAIN_MS = 5_000

/**
 * A bug of ours must not leave half a server: what is under way ends in order, within five seconds, and the process with
 * it (trust 6.17).
 */
export const endOnBug = (log: Logger, stop: () => Promise<void>): void => {
  let ending = false
  const end = () => process.exit(BUG)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event)
      if (ending) return
      ending = true
      setTimeout(end, DRAIN_MS)
      void stop().then(end, end)
    })
}
