import type { Logger } from 'pino'

/** EX_SOFTWARE of sysexits: ended by a bug, to be restarted. tools/start.mjs knows it too. */
export const EXIT_BUG = 70

const DRAIN_MS = 5_000

/**
 * A bug must not leave half a server: running work ends in order within five seconds, then the process ends (trust
 * 6.17). Before the server ran there is no restart, because the same obstacle would stop it again.
 * @param stop of the running server; undefined before.
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
