import type { Logger } from 'pino'

/** EX_SOFTWARE of sysexits: ended by a bug of ours, and to be started again. tools/start.mjs knows it too. */
export const EXIT_BUG = 70

const DRAIN_MS = 5_000

/**
 * A bug of ours must not leave half a server: what is under way ends in order, within five seconds, and the process with
 * it (trust 6.17). Before the server ran nothing is to be started again: what stood in its way would do so once more.
 * @param stop of the running server; undefined while it is not.
 */
export const installCrashHandler = (log: Logger, stop: () => (() => Promise<void>) | undefined): void => {
  let ending = false
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event)
      if (ending) return
      ending = true
      const drain = stop()
      if (!drain) process.exit(1)
      const end = () => process.exit(EXIT_BUG)
      setTimeout(end, DRAIN_MS)
      void drain().then(end, end)
    })
}
