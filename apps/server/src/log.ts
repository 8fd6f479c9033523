import pino, { type Logger } from 'pino'
import type { Config } from './config.ts'

/** Names whose values never reach a log, at any of the depths we log. */
const secrets = ['password', 'accessToken', 'refreshToken', 'token', 'secret', 'authorization', 'cookie', 'captchaCode']

/** JSON lines on standard output. Secrets are cut by name; texts of callers are data, never a line of their own. */
export const openLog = (level: Config['logLevel']): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
    serializers: { err: pino.stdSerializers.err },
  })
