import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'

/** Names whose values are never logged, at any depth. */
const secrets = ['password', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization', 'cookie', 'captchaCode']

/**
 * Writes JSON lines. Secrets are redacted by name; texts of callers are data, never a line of their own.
 * @param to standard output by default.
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
