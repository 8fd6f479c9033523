import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'

/** Names whose values never reach a log, at any of the depths we log. */
const secrets = ['password', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization', 'cookie', 'captchaCode']

/**
 * JSON lines. Secrets are cut by name; texts of callers are data, never a line of their own.
 * @param to standard output, when not said.
 */
export const openLog = (level: Config['logLevel'], to: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
      serializers: { err: pino.stdSerializers.err },
    },
    to,
  )
